import Fanout
import FanoutTestSupport
import TestFixtures
import Testing

/// Subscribers that take only some values of a shared publisher.
struct SelectorTests {
  let source = PassthroughSubject<Int, Never>()

  private struct Everything: ReplayCache {
    var contents: [Int] = []
    mutating func record(_ value: Int) { contents.append(value) }
  }

  private static let isEven: @Sendable (Int) -> Bool = { $0.isMultiple(of: 2) }

  @Test func `B7: a second joining adds its selection to the first`() {
    let shared = source.share()
    let subscriber = TestSubscriber<Int, Never>()
    shared.joining(where: { $0 > 3 }).joining(.live, where: { $0 % 2 == 0 }).joining()
      .subscribe(subscriber)
    for value in 1...8 { source.send(value) }
    #expect(subscriber.values == [4, 6, 8])
    subscriber.cancel()
  }

  @Test(arguments: [Policy.none, .latest, .all, .last, .sinceKeyframe, .custom])
  func `B7, B1: what is not wanted fills no backlog and is no miss`(policy: Policy) {
    let shared = source.share(replay: policy.replay)
    let keeping = shared.sink { _ in }
    let slow = TestSubscriber<Delivery<Int>, Never>(initialDemand: .max(1))
    shared.joining(
      .live, where: Self.isEven, backlog: .size(2, whenFull: .dropNewest), label: "slow"
    ).deliveries().subscribe(slow)
    for value in 1...9 { source.send(value) }
    let status = shared.status.subscribers.last
    #expect(status?.waiting == 2 && status?.missed == 2)
    slow.request(.unlimited)
    source.send(11)
    source.send(12)
    #expect(slow.values == [.caughtUp, .live(2), .live(4), .missed(2), .live(12)])
    slow.cancel()
    keeping.cancel()
  }

  @Test func `B7, D8: what is not wanted takes no demand`() {
    for replay: Replay<Int> in [.none, .last(9)] {
      let shared = source.share(replay: replay)
      let counting = TestSubscriber<Int, Never>(initialDemand: .max(2))
      shared.joining(where: Self.isEven).subscribe(counting)
      for value in 1...9 { source.send(value) }
      #expect(counting.values == [2, 4])
      counting.request(.max(1))
      for value in 10...13 { source.send(value) }
      #expect(counting.values == (replay.isEmpty ? [2, 4, 10] : [2, 4, 6]))
      counting.cancel()
    }
  }

  @Test func `B7, D6: the replay is selected too, at each place`() {
    let expected: [(Replay<Int>, all: [Int], last: [Int], after: [Int])] = [
      (.none, [], [], []), (.latest, [], [], []),
      (.all, [2, 4, 6, 8], [6, 8], [6, 8]), (.last(5), [6, 8], [6, 8], [6, 8]),
      (.sinceKeyframe { $0 % 5 == 0 }, [6, 8], [6, 8], [6, 8]),
      (.custom { Everything() }, [2, 4, 6, 8], [6, 8], [6, 8]),
      (.last(9).headed { $0 < 3 ? 0 : nil }, [2, 4, 6, 8], [2, 6, 8], [2, 6, 8]),
    ]
    for (replay, all, last, after) in expected {
      let shared = source.share(replay: replay)
      let keeping = shared.sink { _ in }
      for value in 1...9 { source.send(value) }
      let known = Join<Int>.after { $0 == 5 }
      for (place, values) in [(Join<Int>.replay, all), (.last(2), last), (known, after)] {
        let subscriber = TestSubscriber<Int, Never>()
        shared.joining(place, where: Self.isEven).subscribe(subscriber)
        #expect(subscriber.values == values)
        subscriber.cancel()
      }
      keeping.cancel()
    }
  }

  @Test func `B7: the closure is called once for a value, by the thread that delivers`() {
    for replay: Replay<Int> in [.none, .latest, .all, .last(3).headed { $0 % 3 == 0 ? 0 : nil }] {
      let shared = source.share(replay: replay)
      let keeping = shared.sink { _ in }
      for value in 1...5 { source.send(value) }
      let remembered = shared.replayed
      let calls = Shared<[Int]>([])
      let slow = TestSubscriber<Int, Never>(initialDemand: .none)
      shared.joining(
        where: { value in
          calls.change { $0.append(value) }
          return value % 2 == 0
        }, backlog: .unbounded
      ).subscribe(slow)
      for value in 6...8 { source.send(value) }
      slow.request(.max(1))
      for value in 9...11 { source.send(value) }
      slow.request(.unlimited)
      for value in 12...14 { source.send(value) }
      #expect(calls.value.sorted() == remembered.sorted() + Array(6...14))
      #expect(slow.values == calls.value.sorted().filter { $0 % 2 == 0 })
      slow.cancel()
      keeping.cancel()
    }
  }

  @Test func `B7, B6: with .wait, what is not wanted takes no room`() {
    let upstream = TestPublisher<Int, Never>()
    let shared = upstream.share(backlog: .size(2, whenFull: .wait))
    let slow = TestSubscriber<Int, Never>(initialDemand: .none)
    shared.joining(where: Self.isEven).subscribe(slow)
    var sent = 0
    while upstream.subscriptions[0].requests.reduce(.none, +) > .max(sent), sent < 100 {
      sent += 1
      upstream.subscriptions[0].send(sent)
    }
    #expect(sent == 4)
    slow.request(.unlimited)
    #expect(slow.values == [2, 4])
    slow.cancel()
  }

  @Test func `B7, B4: a rejoining subscriber goes on at the newcomers' start, with what it wants`()
  {
    let shared = source.share(
      replay: .sinceKeyframe { $0 % 10 == 0 }, backlog: .size(2, whenFull: .rejoin))
    let slow = TestSubscriber<Delivery<Int>, Never>(initialDemand: .max(1))
    shared.joining(where: { $0 % 3 == 0 }).deliveries().subscribe(slow)
    for value in 1...13 { source.send(value) }
    slow.request(.unlimited)
    #expect(slow.values == [.caughtUp, .missed(3), .live(12)])
    slow.cancel()
  }

  @Test func `B7, Q5: a loop wakes only for what it wants, and loses nothing`() async {
    for replay: Replay<Int> in [.none, .last(9)] {
      let events = Broadcast<Int, Never>(replay: replay)
      var loop = events.values.joining(where: Self.isEven).makeAsyncIterator()
      var batches = events.values.joining(where: Self.isEven).batches(upTo: 9).makeAsyncIterator()
      for value in 1...6 { events.yield(value) }
      events.finish()
      var values: [Int] = []
      while let value = await loop.next() { values.append(value) }
      #expect(values == [2, 4, 6])
      var batched: [Int] = []
      while let batch = await batches.next() { batched += batch }
      #expect(batched == [2, 4, 6])
    }
  }

  @Test func `B7, D7: a cancel inside the closure is final`() {
    let shared = source.share(replay: .all)
    nonisolated(unsafe) var cancellable: AnyCancellable?
    nonisolated(unsafe) var values: [Int] = []
    cancellable = shared.joining(where: {
      if $0 == 2 { cancellable?.cancel() }
      return true
    }).sink { values.append($0) }
    for value in 1...3 { source.send(value) }
    #expect(values.first == 1 && !values.contains(3))
  }

  @Test func `B7, D3: a send inside the closure comes after the value`() {
    let shared = source.share(replay: .all)
    nonisolated(unsafe) var values: [Int] = []
    let sink = shared.joining(where: { [source] in
      if $0 == 1 { source.send(2) }
      return true
    }).sink { values.append($0) }
    source.send(1)
    #expect(values == [1, 2])
    sink.cancel()
  }

  @Test func `B7: it is known whether a value has a taker`() async {
    let events = Broadcast<Int, Never>()
    let shared = events.publisher
    #expect(!events.hasSubscribers(matching: 2))
    let even = shared.joining(where: Self.isEven).sink { _ in }
    #expect(events.hasSubscribers(matching: 2) && !shared.hasSubscribers(matching: 3))
    let loop = events.values.joining(where: { $0 == 5 }).makeAsyncIterator()
    #expect(events.values.hasSubscribers(matching: 5) && !events.hasSubscribers(matching: 3))
    let plain = shared.sink { _ in }
    #expect(events.hasSubscribers(matching: 3))
    plain.cancel()
    #expect(!events.hasSubscribers(matching: 3))
    let fetching = events.values.makeAsyncIterator()
    #expect(events.hasSubscribers(matching: 3))
    even.cancel()
    withExtendedLifetime((loop, fetching)) {}
  }

  @Test func `O2: a selector is released with its subscription`() {
    final class Room: Sendable { let number = 2 }
    let shared = source.share()
    var room: Room? = Room()
    weak let watch = room
    let slow = TestSubscriber<Int, Never>(initialDemand: .none)
    shared.joining(where: { [room] in $0 == room?.number }).subscribe(slow)
    room = nil
    #expect(watch != nil)
    slow.cancel()
    #expect(watch == nil)
  }
}

extension Replay<Int> {
  fileprivate var isEmpty: Bool {
    let subject = ReplaySubject<Int, Never>(self)
    subject.send(1)
    return subject.replayed.isEmpty
  }
}
