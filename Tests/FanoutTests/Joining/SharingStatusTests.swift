import Fanout
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

struct SharingStatusTests {
  private let source = PassthroughSubject<Int, Never>()

  private struct Everything: ReplayCache {
    var contents: [Int] = []
    mutating func record(_ value: Int) { contents.append(value) }
  }

  private static let replays: [(Replay<Int>, [Int])] = [
    (.none, []), (.latest, [6]), (.all, [1, 2, 3, 4, 5, 6]), (.last(2), [5, 6]),
    (.sinceKeyframe { $0 % 4 == 0 }, [4, 5, 6]), (.custom { Everything() }, [1, 2, 3, 4, 5, 6]),
    (.sinceKeyframe(limit: .count(2)) { $0 % 4 == 0 }, []),
    (.last(2).headed { $0 % 3 == 0 ? $0 : nil }, [3, 5, 6]),
  ]

  @Test(arguments: 0..<8)
  func `what a newcomer would get, outside and inside of deliveries of each kind`(number: Int) {
    let (replay, expected) = Self.replays[number]
    let shared = source.share(replay: replay)
    #expect(shared.replayed == [])
    nonisolated(unsafe) var inside: [[Int]] = []
    let sink = shared.sink { if $0 == 6 { inside.append(shared.replayed) } }
    let oneByOne = TestSubscriber<Int, Never>(
      initialDemand: .max(1),
      demandFor: {
        if $1 == 6 { inside.append(shared.replayed) }
        return .max(1)
      })
    shared.subscribe(oneByOne)
    let slow = TestSubscriber<Int, Never>(
      initialDemand: .none,
      demandFor: { _, _ in
        inside.append(shared.replayed)
        return .none
      })
    shared.joining(backlog: .unbounded).subscribe(slow)
    for value in 1...6 { source.send(value) }
    #expect(shared.replayed == expected)
    slow.request(.max(1))
    #expect(inside == [expected, expected, expected])
    #expect(shared.status.cached == expected.count)
    source.send(completion: .finished)
    #expect(shared.replayed == expected)
    sink.cancel()
    slow.cancel()
  }

  @Test func `values that wait for the delivering thread count`() {
    for (replay, expected): (Replay<Int>, [Int]) in [
      (.all, [1, 2, 3]), (.last(2), [2, 3]), (.latest, [3]), (.sinceKeyframe { $0 == 2 }, [2, 3]),
    ] {
      let subject = ReplaySubject<Int, Never>(replay)
      nonisolated(unsafe) var inside: [[Int]] = []
      let sink = subject.sink {
        if $0 == 1 {
          subject.send(2)
          subject.send(3)
        }
        inside.append(subject.replayed)
      }
      subject.send(1)
      // Also while the others lie with the delivering thread.
      #expect(inside == [expected, expected, expected])
      sink.cancel()
    }
  }

  @Test func `what a newcomer would get, inside of a snapshot and of a count`() {
    nonisolated(unsafe) var inside: [StateUpdate<Int, Int>] = []
    let state = source.share(reducingInto: 0, +=)
    let sink = state.sink { _ in inside = state.replayed }
    source.send(4)
    state.reconnect()
    #expect(inside == [.snapshot(0)])
    state.clearReplay()
    #expect(state.replayed == [.snapshot(0)])
    sink.cancel()
    let shared = source.share(replay: .last(3))
    nonisolated(unsafe) var cached: [Int] = []
    let counting = shared.subscriberCount.sink { _ in cached.append(shared.status.cached ?? -1) }
    let first = shared.sink { _ in }
    for value in 1...3 { source.send(value) }
    let second = shared.sink { _ in }
    #expect(cached == [0, 0, 3])
    for cancellable in [counting, first, second] { cancellable.cancel() }
  }

  @Test(arguments: [true, false])
  func `a subscriber that is stuck holds nobody up who looks`(isSink: Bool) {
    let clock = TestScheduler()
    let source = PassthroughSubject<Int, Broken>()
    let shared = source.share(replay: .last(within: .seconds(1), clock: clock))
    let stuck = HeldSubscriber(at: 1, demand: isSink ? .unlimited : .max(1))
    shared.subscribe(stuck.subscriber)
    let thread = TestThread { source.send(1) }
    #expect(stuck.stands())
    #expect(shared.replayed == [1])
    clock.advance(by: .seconds(2))
    #expect(shared.replayed == [] && shared.status.cached == 0)
    #expect(shared.status.isConnected && !shared.status.isEnded)
    stuck.letGo()
    #expect(thread.join())
    stuck.subscriber.cancel()
    #expect(!shared.status.isConnected)
  }

  /// Values of which each one that is looked at counts.
  private struct Looked: ReplayCache, Collection {
    let looks: Shared<Int>
    var contents: Self { self }
    var startIndex: Int { 0 }
    let endIndex = 1000
    mutating func record(_ value: Int) {}
    func index(after index: Int) -> Int { index + 1 }
    func index(_ index: Int, offsetBy distance: Int) -> Int { index + distance }
    func distance(from start: Int, to end: Int) -> Int { end - start }
    subscript(index: Int) -> Int {
      looks.increment()
      return index
    }
  }

  @Test func `status looks at no value of the replay`() {
    let looks = Shared(0)
    let shared = source.share(replay: .custom { Looked(looks: looks) })
    let sink = shared.sink { _ in }
    #expect(looks.value == 1000)
    #expect(shared.status.cached == 1000)
    #expect(looks.value == 1000)
    sink.cancel()
  }

  @Test func `the number of values in the replay, of each kind of cache`() {
    let clock = TestScheduler()
    let byKey = ReplaySubject<Int, Never>(.latest(by: { $0 % 3 }))
    let recent = ReplaySubject<Int, Never>(.last(4, within: .seconds(2), clock: clock))
    let headed = ReplaySubject<Int, Never>(
      .latest(by: { $0 % 3 }).headed { $0 % 5 == 0 ? $0 % 2 : nil })
    for number in 1...10 {
      clock.advance(by: .seconds(1))
      for subject in [byKey, recent, headed] {
        subject.send(number)
        #expect(subject.status.cached == subject.replayed.count)
      }
    }
    clock.advance(by: .seconds(2))
    #expect(recent.status.cached == 1 && recent.replayed == [10])
  }

  @Test func `the accounts of those who have no backlog`() async {
    let shared = source.share()
    let sink = shared.sink { _ in }
    let slow = TestSubscriber<Int, Never>(initialDemand: .max(1))
    shared.subscribe(slow)
    var loop = shared.values.joining(backlog: .size(2, whenFull: .dropOldest)).makeAsyncIterator()
    #expect(shared.status.subscribers.map(\.label) == [nil, nil, nil])
    for value in 1...5 { source.send(value) }
    let accounts = shared.status.subscribers
    #expect(accounts.map(\.missed) == [0, 4, 3] && accounts.map(\.waiting) == [0, 0, 2])
    #expect(await loop.next() == 4)
    sink.cancel()
    slow.cancel()
    #expect(shared.status.subscribers.map(\.waiting) == [1])

    let subject = CurrentValueSubject<Int, Never>(0)
    let lagging = TestSubscriber<Int, Never>(initialDemand: .none)
    subject.subscribe(lagging)
    for value in 1...3 { subject.send(value) }
    #expect(subject.status.subscribers.map(\.waiting) == [1])
    for value in 4...6 { subject.send(value) }
    // Counted from the first look on.
    #expect(subject.status.subscribers.map(\.missed) == [3])
    lagging.request(.max(1))
    #expect(lagging.values == [6] && subject.status.subscribers.map(\.waiting) == [0])
    lagging.cancel()

    let everything = source.share(replay: .all)
    let reading = TestSubscriber<Int, Never>(initialDemand: .max(2))
    everything.subscribe(reading)
    for value in 1...5 { source.send(value) }
    #expect(everything.status.subscribers.map(\.waiting) == [3])
    #expect(everything.status.subscribers.map(\.missed) == [0])
    reading.cancel()
  }

  @Test func `the first look inside of a delivery, and the next one`() {
    let shared = source.share()
    nonisolated(unsafe) var counts: [Int] = []
    let sink = shared.sink { _ in counts.append(shared.status.subscribers.count) }
    source.send(1)
    source.send(2)
    #expect(counts == [0, 1])
    sink.cancel()
  }

  @Test func `the accounts of those who have a backlog`() {
    let shared = source.share(replay: .last(2))
    let plain = shared.sink { _ in }
    let oldest = TestSubscriber<Int, Never>(initialDemand: .none)
    shared.joining(backlog: .size(3, whenFull: .dropOldest), label: "oldest").subscribe(oldest)
    let rejoining = TestSubscriber<Int, Never>(initialDemand: .none)
    shared.joining(backlog: .size(3, whenFull: .rejoin), label: "rejoining").subscribe(rejoining)
    for value in 1...10 { source.send(value) }
    #expect(shared.status.subscribers.map(\.label) == [nil, "oldest", "rejoining"])
    let accounts = Array(shared.status.subscribers.dropFirst())
    #expect(accounts.map(\.waiting) == [3, 2] && accounts.map(\.missed) == [7, 8])
    #expect(accounts[0].rejoins == 0 && accounts[1].rejoins == 4)
    oldest.request(.max(2))
    #expect(shared.status.subscribers[1].waiting == 1)
    oldest.cancel()
    #expect(shared.status.subscribers.map(\.label) == [nil, "rejoining"])
    rejoining.cancel()
    plain.cancel()
    #expect(shared.status.subscribers == [])
  }

  @Test func `connected and ended`() {
    let shared = source.share()
    #expect(!shared.status.isConnected && !shared.status.isEnded)
    let sink = shared.sink { _ in }
    #expect(shared.status.isConnected)
    source.send(completion: .finished)
    #expect(!shared.status.isConnected && shared.status.isEnded)
    sink.cancel()
    let subject = CurrentValueSubject<Int, Never>(1)
    #expect(subject.status.isConnected && subject.replayed == [1])
    subject.send(completion: .finished)
    #expect(subject.status.isEnded && subject.replayed == [])
  }

  @Test func `the number of subscribers, and loops`() async {
    let shared = source.share(replay: .all)
    nonisolated(unsafe) var counts: [Int] = []
    let watching = shared.subscriberCount.sink { counts.append($0) }
    let first = shared.sink { _ in }
    var iterator: SharedSequence<Int, Never>.Iterator? =
      shared.values.makeAsyncIterator()
    let joined = shared.joining(.live).deliveries().sink { _ in }
    withExtendedLifetime(iterator) {}
    iterator = nil
    first.cancel()
    joined.cancel()
    #expect(counts == [0, 1, 2, 3, 2, 1, 0])
    let late = shared.subscriberCount.sink { counts.append($0 + 100) }
    #expect(counts.last == 100)
    watching.cancel()
    late.cancel()
  }

  @Test func `a count that is watched releases its shared publisher`() {
    weak var released: Publishers.Share<PassthroughSubject<Int, Never>>?
    var watching: AnyCancellable?
    do {
      let shared = source.share()
      released = shared
      watching = shared.subscriberCount.sink { _ in }
      shared.sink { _ in }.cancel()
    }
    #expect(released == nil)
    watching?.cancel()
  }

  @Test(arguments: [false, true])
  func `B1: what passes while a sink waits for a keyframe counts as missed`(isLabelled: Bool) {
    let source = PassthroughSubject<Int, Never>()
    let shared = source.share(
      replay: .sinceKeyframe(fromBeginning: false) { $0 % 10 == 0 }, backlog: .unbounded)
    let sink =
      isLabelled ? shared.joining(label: "sink").sink { _ in } : shared.sink { _ in }
    for value in 1...2 { source.send(value) }
    #expect(shared.status.subscribers.map(\.missed) == [2])
    for value in 9...11 { source.send(value) }
    #expect(shared.status.subscribers.map(\.missed) == [3])
    shared.reconnect()
    source.send(12)
    #expect(shared.status.subscribers.map(\.missed) == [4])
    sink.cancel()
  }
}
