import Fanout
import FanoutTestSupport
import TestFixtures
import Testing

struct B3BoundTests {
  private let source = PassthroughSubject<Int, Broken>()

  private func slow(
    _ demand: Subscribers.Demand = .none
  ) -> TestSubscriber<Int, Broken> { TestSubscriber(initialDemand: demand) }

  @Test(arguments: [Replay<Int>.none, .latest, .last(1)])
  func `B2, B3: .dropOldest lets the newest wait, and changes nothing for others`(
    replay: Replay<Int>
  ) {
    let shared = source.share(replay: replay, backlog: .size(3, whenFull: .dropOldest))
    let (fast, slow) = (TestSubscriber<Int, Broken>(), slow(.max(1)))
    shared.subscribe(fast)
    shared.subscribe(slow)
    for value in 1...10 { source.send(value) }
    #expect(fast.values == Array(1...10))
    #expect(slow.values == [1])
    slow.request(.unlimited)
    #expect(slow.values == [1, 8, 9, 10])
    source.send(11)
    #expect(slow.values == [1, 8, 9, 10, 11])
    #expect(fast.violations + slow.violations == [])
    [fast, slow].forEach { $0.cancel() }
  }

  @Test(arguments: [Replay<Int>.none, .latest, .all])
  func `B3: .dropNewest lets the oldest wait, and takes values again when there is room`(
    replay: Replay<Int>
  ) {
    let shared = source.share(replay: replay, backlog: .size(2, whenFull: .dropNewest))
    let slow = slow()
    shared.subscribe(slow)
    for value in 1...5 { source.send(value) }
    slow.request(.max(1))
    #expect(slow.values == [1])
    source.send(6)
    source.send(7)
    slow.request(.unlimited)
    #expect(slow.values == [1, 2, 6])
    source.send(8)
    #expect(slow.values == [1, 2, 6, 8])
    #expect(slow.violations == [])
    slow.cancel()
  }

  @Test(arguments: [Replay<Int>.none, .latest, .all])
  func `B2, B3: .customError ends the slow one alone, behind what waits`(replay: Replay<Int>) {
    let shared = source.share(
      replay: replay, backlog: .size(2, whenFull: .customError { Broken() }))
    let (fast, slow) = (TestSubscriber<Int, Broken>(), slow())
    shared.subscribe(fast)
    shared.subscribe(slow)
    for value in 1...4 { source.send(value) }
    #expect(slow.values == [])
    #expect(slow.completion == nil)
    slow.request(.max(1))
    slow.request(.max(1))
    #expect(slow.values == [1, 2])
    #expect(slow.completion == .failure(Broken()))
    source.send(5)
    #expect(fast.values == Array(1...5))
    #expect(fast.completion == nil)
    #expect(slow.violations == [])
    fast.cancel()
  }

  @Test func `B3: a long replay makes nobody fail`() {
    let shared = source.share(
      replay: .all, backlog: .size(2, whenFull: .customError { Broken() }))
    let (fast, late) = (TestSubscriber<Int, Broken>(), slow())
    shared.subscribe(fast)
    for value in 1...5 { source.send(value) }
    shared.subscribe(late)
    source.send(6)
    source.send(7)
    late.request(.max(1))
    #expect(late.completion == nil)
    source.send(8)
    late.request(.unlimited)
    #expect(late.values == Array(1...7))
    #expect(late.completion == .failure(Broken()))
    fast.cancel()
  }

  @Test func `B3: what is left of a replay does not count for .dropOldest`() {
    let shared = source.share(replay: .all, backlog: .size(2, whenFull: .dropOldest))
    let (fast, eager, late) = (slow(.unlimited), slow(.max(3)), slow())
    shared.subscribe(fast)
    for value in 1...5 { source.send(value) }
    shared.subscribe(eager)
    shared.subscribe(late)
    eager.request(.unlimited)
    late.request(.unlimited)
    #expect(eager.values == Array(1...5))
    #expect(late.values == Array(1...5))
    [fast, eager, late].forEach { $0.cancel() }
  }

  @Test(arguments: [1, 7, 8, 9, 20, 100])
  func `B3: a long replay of a cache is owed in full under .dropNewest`(count: Int) {
    let shared = source.share(
      replay: .custom { Everything() }, backlog: .size(2, whenFull: .dropNewest))
    let (fast, late) = (slow(.unlimited), slow())
    shared.subscribe(fast)
    for value in 1...count { source.send(value) }
    shared.subscribe(late)
    late.request(.unlimited)
    #expect(late.values == Array(1...count))
    [fast, late].forEach { $0.cancel() }
  }

  @Test func `B3, D17: a share with a backlog asks for everything when it connects`() {
    let shared = (1...5).publisher.share(backlog: .size(2, whenFull: .dropNewest))
    let subscriber = TestSubscriber<Int, Never>(initialDemand: .none)
    shared.subscribe(subscriber)
    subscriber.request(.unlimited)
    #expect(subscriber.values == [1, 2])
    #expect(subscriber.completion == .finished)
  }

  @Test func `B1: an unbounded backlog keeps everything, also without replay`() {
    let shared = source.share(backlog: .unbounded)
    let (slow, late) = (slow(), slow())
    shared.subscribe(slow)
    for value in 1...1_000 { source.send(value) }
    shared.subscribe(late)
    source.send(completion: .finished)
    slow.request(.unlimited)
    #expect(slow.values == Array(1...1_000))
    #expect(slow.completion == .finished)
    #expect(late.values == [])
    #expect(late.completion == .finished)
  }

  @Test(arguments: ["oldest", "newest", "error", "rejoin"])
  func `B3, O6: what is dropped is released at once`(_ kind: String) {
    let source = PassthroughSubject<Token, Broken>()
    let whenFull: Backlog<Token, Broken>.WhenFull =
      switch kind {
      case "oldest": .dropOldest
      case "newest": .dropNewest
      case "error": .customError { Broken() }
      default: .rejoin
      }
    let shared = source.share(backlog: .size(2, whenFull: whenFull))
    let slow = TestSubscriber<Token, Broken>(initialDemand: .none)
    shared.subscribe(slow)
    let watches = (1...5).map { _ -> WeakReference in
      let token = Token()
      source.send(token)
      return WeakReference(token)
    }
    let alive =
      switch kind {
      case "oldest": [false, false, false, true, true]
      case "newest", "error": [true, true, false, false, false]
      default: [false, false, false, true, true]
      }
    #expect(watches.map { $0.isAlive } == alive)
    slow.cancel()
    #expect(!watches.contains { $0.isAlive })
  }
}
