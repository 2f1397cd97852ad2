import Fanout
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// Loops that fetch and rejoin at keyframes, which are the tens.
struct LoopKeyframeTests {
  private static func share<Source: Publisher<Int, Never>>(
    _ source: Source, _ count: Int = 1
  ) -> Publishers.Share<Source> {
    source.share(
      replay: .sinceKeyframe { $0 % 10 == 0 }, backlog: .size(count, whenFull: .rejoin))
  }

  /// A task that notes the events that it is told.
  private struct Told {
    let executor = HandRunExecutor()
    let events = Notes<Delivery<Int>>()
    let task: Task<Void, Never>

    init(_ deliveries: SharedDeliveries<Int, Never>) {
      task = Task(executorPreference: executor) { [events] in
        for await event in deliveries { events.append(event) }
      }
      executor.runAll()
    }
  }

  @Test func `B4: it is not delayed by a subscriber that is stuck`() async {
    let source = Broadcast<Int, Broken>(
      replay: .sinceKeyframe { $0 % 10 == 0 }, backlog: .size(2, whenFull: .rejoin))
    let stuck = HeldSubscriber(at: 1)
    source.values.publisher.subscribe(stuck.subscriber)
    var loop = source.values.makeAsyncIterator()
    let thread = TestThread { source.yield(1) }
    #expect(stuck.stands())
    for number in [2, 3, 4, 10, 11, 20, 21] { source.yield(number) }
    #expect(source.values.status.subscribers.last?.rejoins == 2)
    #expect((try? await loop.next()) == 20)
    #expect((try? await loop.next()) == 21)
    stuck.letGo()
    #expect(thread.join())
    stuck.subscriber.cancel()
  }

  @Test func `B4, B5: it is told of what it missed behind the value that it has asked for`() {
    let source = PassthroughSubject<Int, Never>()
    let shared = Self.share(source)
    let told = Told(shared.values.deliveries())
    for number in [1, 2, 3] { source.send(number) }
    shared.clearReplay()
    for number in [4, 5, 10] { source.send(number) }
    told.executor.runAll()
    #expect(told.events.all == [.caughtUp, .live(1), .missed(4), .live(10)])
    told.task.cancel()
    told.executor.runAll()
  }

  @Test(arguments: [true, false])
  func `B4, B5, L9: a loop that waits for a keyframe is told what it missed by what ends the wait`(
    reconnects: Bool
  ) {
    let source = PassthroughSubject<Int, Never>()
    let shared = Self.share(source)
    let told = Told(shared.values.deliveries())
    for number in [1, 2, 3] { source.send(number) }
    shared.clearReplay()
    source.send(4)
    told.executor.runAll()
    #expect(told.events.all == [.caughtUp, .live(1), .missed(3)])
    source.send(5)
    told.executor.runAll()
    #expect(told.events.all.count == 3)
    #expect(shared.status.subscribers.last?.missed == 4)
    if reconnects { shared.reconnect() } else { source.send(completion: .finished) }
    told.executor.runAll()
    #expect(told.events.all.suffix(1) == [.missed(1)])
    if reconnects { source.send(6) }
    told.executor.runAll()
    #expect(told.events.all.last == (reconnects ? .live(6) : .missed(1)))
    told.task.cancel()
    told.executor.runAll()
  }

  /// A disconnect beside a clear.
  enum Disconnect: CaseIterable, Sendable {
    case alone, behindClear, beforeClear, betweenClears
  }

  @Test(arguments: Disconnect.allCases, [1, 2])
  func `B4, L9: values of a connection that has closed are owed, also beside a clear`(
    _ disconnect: Disconnect, taken: Int
  ) async {
    let source = PassthroughSubject<Int, Never>()
    let shared = source.multicast(
      replay: .sinceKeyframe { $0 % 10 == 0 }, backlog: .size(2, whenFull: .rejoin))
    let claim = shared.connect()
    let subscriber = TestSubscriber<Delivery<Int>, Never>(initialDemand: .none)
    shared.deliveries().subscribe(subscriber)
    var loop = shared.values.deliveries().makeAsyncIterator()
    for number in 1...4 { source.send(number) }
    if disconnect == .behindClear || disconnect == .betweenClears { shared.clearReplay() }
    claim.cancel()
    if disconnect == .beforeClear || disconnect == .betweenClears { shared.clearReplay() }
    func take(_ count: Int) async {
      for _ in 0..<count {
        let known = subscriber.values.count
        subscriber.request(.max(1))
        #expect(subscriber.values.count == known + 1)
        #expect(await loop.next() == subscriber.values.last)
      }
    }
    await take(1 + taken)
    #expect(subscriber.values.last == .live(taken))
    let other = shared.connect()
    source.send(5)
    source.send(completion: .finished)
    subscriber.request(.unlimited)
    var rest: [Delivery<Int>] = []
    while let event = await loop.next() { rest.append(event) }
    #expect(rest == Array(subscriber.values.suffix(rest.count)))
    #expect(rest.count + 1 + taken == subscriber.values.count)
    other.cancel()
  }

  @Test func `B5: a gap is told when the wait is over, also for one that joins in a delivery`()
    async
  {
    let source = TestPublisher<Int, Never>()
    let shared = source.share(replay: .sinceKeyframe { $0 % 10 == 0 })
    let backlog = Backlog<Int, Never>.size(1, whenFull: .rejoin)
    let subscriber = TestSubscriber<Delivery<Int>, Never>(initialDemand: .none)
    let loops = Shared<[SharedDeliveries<Int, Never>.Iterator]>([])
    let keeping = shared.sink { value in
      guard value == 2 else { return }
      shared.joining(backlog: backlog).deliveries().subscribe(subscriber)
      let made = shared.values.joining(backlog: backlog).deliveries().makeAsyncIterator()
      loops.change { $0.append(made) }
      for number in [3, 4] { source.send(number) }
      shared.clearReplay()
      for number in [5, 6, 7] { source.send(number) }
    }
    for number in [1, 2] { source.send(number) }
    var loop = loops.value[0]
    loops.value = []
    for _ in 0..<2 {
      subscriber.request(.max(1))
      #expect(await loop.next() == subscriber.values.last)
    }
    #expect(subscriber.values == [.missed(5), .caughtUp])
    source.send(10)
    for _ in 0..<2 {
      subscriber.request(.max(1))
      #expect(await loop.next() == subscriber.values.last)
    }
    #expect(subscriber.values.suffix(2) == [.missed(2), .live(10)])
    subscriber.cancel()
    keeping.cancel()
  }

  @Test
  func `B4: the closure is called once a value again when the last loop that rejoins has left`() {
    let source = PassthroughSubject<Int, Never>()
    let asked = Shared(0)
    let shared = source.share(
      replay: .sinceKeyframe {
        asked.increment()
        return $0 % 10 == 0
      }
    ).values
    let plain = shared.makeAsyncIterator()
    source.send(1)
    #expect(asked.value == 1)
    do {
      let loop = shared.joining(backlog: .size(1, whenFull: .rejoin)).makeAsyncIterator()
      source.send(2)
      #expect(asked.value == 3)
      withExtendedLifetime(loop) {}
    }
    source.send(3)
    #expect(asked.value == 4)
    withExtendedLifetime(plain) {}
  }

  @Test func `D11, B4: the closure runs with no lock held`() async {
    let inside = Shared<(@Sendable () -> Void)?>(nil)
    let source = Broadcast<Int, Never>(
      replay: .sinceKeyframe { value in
        if value == 3 {
          let once = inside.change { inside in
            defer { inside = nil }
            return inside
          }
          once?()
        }
        return value % 10 == 0
      }, backlog: .size(2, whenFull: .rejoin))
    let sunk = Notes<Int>()
    let sink = source.values.publisher.sink { sunk.append($0) }
    let joined = Shared<[SharedSequence<Int, Never>.AsyncIterator]>([])
    inside.value = {
      #expect(source.values.status.subscribers.count == 2)
      joined.change { $0.append(source.values.makeAsyncIterator()) }
      source.yield(10)
    }
    var first = source.values.makeAsyncIterator()
    for number in 1...3 { source.yield(number) }
    source.finish()
    var values: [Int] = []
    while let value = await first.next() { values.append(value) }
    // The value that is asked about comes behind what the closure sends.
    #expect(sunk.all == [1, 2, 10, 3])
    #expect(values == [10, 3])
    joined.value = []
    sink.cancel()
  }

  @Test func `B4: a loop joins while others send, and a keyframe is seen by the next value`() async
  {
    for _ in 0..<rounds(30) {
      let source = Broadcast<Int, Never>(
        replay: .sinceKeyframe { $0 % 10 == 0 }, backlog: .size(3, whenFull: .rejoin))
      let thread = TestThread {
        for number in 0..<400 { source.yield(number) }
        source.finish()
      }
      let loops = (0..<3).map { _ in
        Task {
          var (last, isRight) = (-1, true)
          for await value in source.values {
            // What it misses is in front of a keyframe.
            if value <= last || value != last + 1, value % 10 != 0 { isRight = false }
            last = value
            if value % 7 == 0 { await Task.yield() }
          }
          return isRight
        }
      }
      for loop in loops { #expect(await loop.value) }
      #expect(thread.join())
    }
  }
}
