import Fanout
import FanoutTestSupport
import TestFixtures
import Testing

struct B6WaitTests {
  private let source = TestPublisher<Int, Never>()
  private let backlog = Backlog<Int, Never>.size(3, whenFull: .wait)

  private func subscriber(_ demand: Subscribers.Demand) -> TestSubscriber<Int, Never> {
    TestSubscriber(initialDemand: demand)
  }

  @Test(arguments: [Replay<Int>.none, .latest, .all])
  func `B6: the demand of the upstream is the least room`(replay: Replay<Int>) {
    let shared = source.share(replay: replay, backlog: backlog)
    let (fast, slow) = (subscriber(.unlimited), subscriber(.none))
    shared.subscribe(fast)
    shared.subscribe(slow)
    #expect(source.requests == [.max(3)])
    for value in 1...3 { source.send(value) }
    // The fast one has taken all; the slow one has room for none.
    #expect(source.requests == [.max(3)])
    slow.request(.max(2))
    #expect(source.requests.reduce(.none, +) == .max(5))
    source.send(4)
    source.send(5)
    #expect(source.requests.reduce(.none, +) == .max(5))
    slow.request(.unlimited)
    #expect(source.requests.reduce(.none, +) == .max(8))
    #expect(fast.values == Array(1...5))
    #expect(slow.values == Array(1...5))
    [fast, slow].forEach { $0.cancel() }
  }

  @Test func `B6, D17: the first request asks for no more than there is room for`() {
    let shared = source.share(backlog: backlog)
    let slow = subscriber(.none)
    shared.subscribe(slow)
    slow.request(.max(1))
    #expect(source.requests == [.max(3)])
    source.send(1)
    #expect(source.requests == [.max(3), .max(1)])
    slow.cancel()
  }

  @Test func `B6, D18: leaving opens the gate at once`() {
    let shared = source.share(backlog: backlog)
    let (fast, slow) = (subscriber(.unlimited), subscriber(.none))
    shared.subscribe(fast)
    shared.subscribe(slow)
    for value in 1...3 { source.send(value) }
    #expect(source.requests.reduce(.none, +) == .max(3))
    slow.cancel()
    #expect(source.requests.reduce(.none, +) == .max(6))
    fast.cancel()
  }

  @Test func `B6: a sequence is taken at the pace of the slowest`() {
    let taken = Shared(0)
    let shared = (1...1_000).publisher.unspecialized.map { number -> Int in
      taken.change { $0 = number }
      return number
    }.share(backlog: .size(16, whenFull: .wait))
    let (fast, slow) = (subscriber(.unlimited), subscriber(.none))
    shared.subscribe(fast)
    #expect(fast.values.count == 1_000 && fast.completion == .finished)
    let pair = (1...1_000).publisher.unspecialized.map { number -> Int in
      taken.change { $0 = number }
      return number
    }.multicast(replay: .none, backlog: .size(16, whenFull: .wait))
    let quick = subscriber(.unlimited)
    pair.subscribe(quick)
    pair.subscribe(slow)
    let claim = pair.connect()
    #expect(taken.value == 16)
    for step in 1...984 {
      slow.request(.max(1))
      #expect(taken.value == 16 + step)
    }
    slow.request(.unlimited)
    #expect(slow.values == Array(1...1_000))
    #expect(quick.values == Array(1...1_000))
    #expect(slow.completion == .finished)
    claim.cancel()
  }

  @Test func `B6, L1: when the last one leaves the source stops, and the next one begins anew`() {
    for count in [5, Int.max] {
      let taken = Shared(0)
      let shared = (1...count).publisher.unspecialized.map { number -> Int in
        taken.change { $0 += 1 }
        return number
      }.share(backlog: .size(2, whenFull: .wait))
      for round in 1...3 {
        let slow = subscriber(.max(1))
        shared.subscribe(slow)
        #expect(slow.values == [1])
        slow.cancel()
        #expect(taken.value == 3 * round)
      }
    }
  }

  @Test func `B6, D17: with nobody there nothing is asked for`() {
    let multicast = source.multicast(replay: .all, backlog: backlog)
    let claim = multicast.connect()
    #expect(source.requests == [])
    let sink = multicast.sink { _ in }
    #expect(source.requests == [.max(3)])
    sink.cancel()
    for value in 1...3 { source.send(value) }
    #expect(source.requests == [.max(3)])
    claim.cancel()
  }

  @Test func `B6: what comes unrequested is no reason to ask for more`() {
    let shared = source.share(backlog: backlog)
    let slow = subscriber(.none)
    shared.subscribe(slow)
    for value in 1...10 { source.send(value) }
    slow.request(.unlimited)
    #expect(slow.values == Array(1...10))
    #expect(source.requests == [.max(3), .max(3)])
    slow.cancel()
  }

  @Test func `B6, D12: the next connection begins with the room that there is`() {
    let multicast = source.multicast(replay: .none, backlog: backlog)
    let slow = subscriber(.max(1))
    multicast.subscribe(slow)
    let first = multicast.connect()
    for value in 1...3 { source.send(value) }
    #expect(source.requests.reduce(.none, +) == .max(4))
    first.cancel()
    let second = multicast.connect()
    // Two values of the first connection still wait.
    #expect(source.requests.reduce(.none, +) == .max(4 + 1))
    slow.request(.unlimited)
    #expect(source.requests.reduce(.none, +) == .max(4 + 3))
    second.cancel()
    slow.cancel()
  }
}
