import Fanout
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

struct JoiningTests {
  /// Up to more values than a chunk of the log holds, because the newest may be the last one of a chunk.
  @Test(arguments: [2...64, 65...300])
  func `B4: one that rejoins before it has its subscription gets the newest value`(
    _ counts: ClosedRange<Int>
  ) {
    for count in counts {
      let source = PassthroughSubject<Int, Never>()
      let shared = source.share(replay: .latest)
      let keeping = shared.sink { _ in }
      let received = Notes<Int>()
      nonisolated(unsafe) var subscription: (any Subscription)?
      shared.joining(backlog: .size(1, whenFull: .rejoin)).subscribe(
        AnySubscriber<Int, Never>(
          receiveSubscription: {
            subscription = $0
            for value in 1...count { source.send(value) }
          },
          receiveValue: {
            received.append($0)
            return .none
          }))
      subscription?.request(.max(1))
      #expect(received.all == [count])
      subscription?.request(.unlimited)
      source.send(count + 1)
      #expect(received.all == [count, count + 1])
      subscription?.cancel()
      keeping.cancel()
    }
  }

  private let source = PassthroughSubject<Int, Never>()

  private func values(_ publisher: some Publisher<Int, Never>) -> [Int] {
    let subscriber = TestSubscriber<Int, Never>()
    publisher.subscribe(subscriber)
    defer { subscriber.cancel() }
    return subscriber.values
  }

  @Test func `a subscriber joins at the place that it says`() {
    let expected: [(Replay<Int>, last: [Int], after: [Int])] = [
      (.none, [], []), (.latest, [9], []), (.all, [8, 9], [7, 8, 9]),
      (.last(5), [8, 9], [7, 8, 9]),
      (.last(2), [8, 9], []), (.sinceKeyframe { $0 % 5 == 0 }, [8, 9], [7, 8, 9]),
      (.custom { Everything() }, [8, 9], [7, 8, 9]),
    ]
    for (replay, last, after) in expected {
      let shared = source.share(replay: replay)
      let keeping = shared.sink { _ in }
      for value in 1...9 { source.send(value) }
      #expect(values(shared.joining(.live)) == [])
      #expect(values(shared.joining(.last(2))) == last)
      #expect(values(shared.joining(.after { $0 == 6 })) == after)
      #expect(values(shared.joining()) == values(shared))
      keeping.cancel()
    }
  }

  private struct Everything: ReplayCache {
    var contents: [Int] = []
    mutating func record(_ value: Int) { contents.append(value) }
  }

  @Test func `a subscriber joins at the next keyframe`() {
    for replay: Replay<Int> in [
      .sinceKeyframe { $0 % 5 == 0 }, .sinceKeyframe(limit: .count(9)) { $0 % 5 == 0 },
    ] {
      let shared = source.share(replay: replay)
      let keeping = shared.sink { _ in }
      for value in 1...7 { source.send(value) }
      let subscriber = TestSubscriber<Int, Never>()
      shared.joining(.nextKeyframe).subscribe(subscriber)
      for value in 8...11 { source.send(value) }
      #expect(subscriber.values == [10, 11])
      subscriber.cancel()
      keeping.cancel()
    }
  }

  @Test(arguments: [Policy.none, .latest, .all, .last, .sinceKeyframe, .custom])
  func `B2, B3: each has the backlog that it says, and the others have theirs`(policy: Policy) {
    let shared = source.share(replay: policy.replay)
    let plain = TestSubscriber<Int, Never>(initialDemand: .none)
    let all = TestSubscriber<Int, Never>(initialDemand: .none)
    let newest = TestSubscriber<Int, Never>(initialDemand: .none)
    let oldest = TestSubscriber<Int, Never>(initialDemand: .none)
    shared.subscribe(plain)
    shared.joining(backlog: .unbounded).subscribe(all)
    shared.joining(backlog: .size(2, whenFull: .dropOldest)).subscribe(newest)
    shared.joining(backlog: .size(2, whenFull: .dropNewest)).subscribe(oldest)
    for value in 1...6 { source.send(value) }
    for subscriber in [plain, all, newest, oldest] {
      subscriber.request(.max(1))
      subscriber.request(.unlimited)
    }
    source.send(7)
    let expected: [Int] =
      switch policy {
      case .none: [7]
      case .latest: [6, 7]
      default: Array(1...7)
      }
    #expect(plain.values == expected)
    #expect(all.values == Array(1...7))
    #expect(newest.values == [5, 6, 7])
    #expect(oldest.values == [1, 2, 7])
    source.send(completion: .finished)
    for subscriber in [plain, all, newest, oldest] {
      #expect(subscriber.completion == .finished && subscriber.violations == [])
    }
  }

  @Test(arguments: [Policy.none, .latest, .last])
  func `B3: a failure of its own ends only the subscriber that asked for it`(policy: Policy) {
    let source = PassthroughSubject<Int, NumberedError>()
    let shared = source.share(replay: policy.replay)
    let slow = TestSubscriber<Int, NumberedError>(initialDemand: .none)
    let other = TestSubscriber<Int, NumberedError>()
    shared.joining(backlog: .size(2, whenFull: .customError { NumberedError(1) })).subscribe(slow)
    shared.subscribe(other)
    for value in 1...4 { source.send(value) }
    #expect(slow.completion == nil)
    slow.request(.unlimited)
    #expect(slow.values == [1, 2] && slow.completion == .failure(NumberedError(1)))
    source.send(5)
    #expect(other.values == Array(1...5))
    other.cancel()
  }

  @Test func `D16: of a current value it gets the newest, and with a backlog every change`() {
    let subject = CurrentValueSubject<Int, Never>(0)
    let plain = TestSubscriber<Int, Never>(initialDemand: .none)
    let all = TestSubscriber<Int, Never>(initialDemand: .none)
    let live = TestSubscriber<Int, Never>()
    subject.subscribe(plain)
    subject.joining(backlog: .unbounded).subscribe(all)
    subject.joining(.live).subscribe(live)
    for value in 1...3 { subject.value = value }
    all.request(.max(2))
    plain.request(.max(1))
    #expect(plain.values == [3] && all.values == [0, 1] && live.values == [1, 2, 3])
    subject.send(completion: .finished)
    #expect(plain.completion == .finished && all.completion == nil)
    all.request(.unlimited)
    #expect(all.values == [0, 1, 2, 3] && all.completion == .finished)
    let late = TestSubscriber<Int, Never>()
    subject.joining(backlog: .unbounded).subscribe(late)
    #expect(late.values == [] && late.completion == .finished)
  }

  @Test func `L1: it keeps the connection as any other subscriber does`() {
    let upstream = TestPublisher<Int, Never>()
    let shared = upstream.share(replay: .all, disconnect: .whenIdle)
    let joined = shared.joining(.live, label: "viewer")
    let first = joined.sink { _ in }
    #expect(upstream.subscriptions.count == 1)
    let second = shared.sink { _ in }
    first.cancel()
    #expect(upstream.subscriptions[0].isCancelled == false)
    second.cancel()
    #expect(upstream.subscriptions[0].isCancelled)
    let told = joined.deliveries().sink { _ in }
    #expect(upstream.subscriptions.count == 2)
    told.cancel()
    #expect(upstream.subscriptions[1].isCancelled)
  }

  @Test func `L8: after an end in restart it joins the new connection`() {
    let upstream = TestPublisher<Int, Never>()
    let shared = upstream.share(replay: .all, restart: .afterFinish)
    let joined = shared.joining(backlog: .unbounded)
    let first = TestSubscriber<Int, Never>()
    joined.subscribe(first)
    upstream.subscriptions[0].send(1)
    upstream.subscriptions[0].send(completion: .finished)
    let second = TestSubscriber<Int, Never>()
    joined.subscribe(second)
    #expect(upstream.subscriptions.count == 2)
    upstream.subscriptions[1].send(2)
    #expect(first.values == [1] && second.values == [2])
    second.cancel()
  }

  @Test func `O2: a subscription retains the source until it is cancelled`() {
    weak var released: Publishers.Share<PassthroughSubject<Int, Never>>?
    var subscriptions: [AnyCancellable] = []
    do {
      let shared = source.share()
      released = shared
      let joined = shared.joining(.live, backlog: .unbounded)
      subscriptions = [joined.sink { _ in }, joined.deliveries().sink { _ in }]
    }
    #expect(released != nil)
    subscriptions[0].cancel()
    #expect(released != nil)
    subscriptions[1].cancel()
    #expect(released == nil)
  }

  @Test(arguments: ["nextKeyframe", "after", "rejoin", "wait", "last"])
  func `terms that cannot be kept trap`(form: String) async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [form] in
      let shared = PassthroughSubject<Int, Never>().share(replay: .all)
      switch form {
      case "nextKeyframe": _ = shared.joining(.nextKeyframe)
      case "after": _ = shared.joining(.after(where: { $0 == 1 }, ifUnknown: .nextKeyframe))
      case "rejoin": _ = shared.joining(backlog: .size(1, whenFull: .rejoin))
      case "wait": _ = shared.joining(backlog: .size(1, whenFull: .wait))
      default: _ = shared.joining(.last(0))
      }
    }
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(
      ["use .live", "use another backlog", "to share or multicast"].contains { text.contains($0) })
  }

  private func requested(of upstream: TestPublisher<Int, Never>) -> Subscribers.Demand {
    upstream.subscriptions[0].requests.reduce(.none, +)
  }

  @Test func `B6: a joined subscriber waits only if it says so`() {
    let upstream = TestPublisher<Int, Never>()
    let shared = upstream.share(backlog: .size(2, whenFull: .wait))
    let lossy = TestSubscriber<Int, Never>(initialDemand: .none)
    shared.joining(backlog: .size(1, whenFull: .dropOldest)).subscribe(lossy)
    let waiting = TestSubscriber<Int, Never>(initialDemand: .none)
    shared.subscribe(waiting)
    var sent = 0
    while requested(of: upstream) > .max(sent), sent < 100 {
      sent += 1
      upstream.subscriptions[0].send(sent)
    }
    #expect(sent == 2)
    waiting.request(.unlimited)
    while requested(of: upstream) > .max(sent), sent < 100 {
      sent += 1
      upstream.subscriptions[0].send(sent)
    }
    #expect(sent == 100 && waiting.values == Array(1...100))
    lossy.request(.unlimited)
    #expect(lossy.values == [100])
    lossy.cancel()
    waiting.cancel()
  }

  @Test(arguments: [0, 1])
  func `D9, D16: a joined subscriber that is told of its subscription late gets the end`(
    demand: Int
  ) {
    let source = PassthroughSubject<Int, Never>()
    let shared = source.share()
    let keeping = shared.sink { _ in }
    let subscriber = TestSubscriber<Int, Never>(
      initialDemand: .max(demand),
      whenSubscribed: { _ in
        for value in 1...3 { source.send(value) }
        source.send(completion: .finished)
      })
    shared.joining(label: "late").subscribe(subscriber)
    #expect(subscriber.values == Array([1].prefix(demand)))
    #expect(subscriber.completion == .finished)
    keeping.cancel()
  }

  @Test(arguments: [Backlog<Int, Never>.unbounded, .size(1, whenFull: .dropNewest)])
  func `B6: who joined with a backlog that does not wait makes no window smaller`(
    backlog: Backlog<Int, Never>
  ) {
    let upstream = TestPublisher<Int, Never>()
    let shared = upstream.share(backlog: .size(1, whenFull: .wait))
    let waiting = TestSubscriber<Int, Never>(initialDemand: .none)
    shared.joining(backlog: .size(3, whenFull: .wait)).subscribe(waiting)
    #expect(requested(of: upstream) == .max(3))
    let other = TestSubscriber<Int, Never>()
    shared.joining(backlog: backlog).subscribe(other)
    for value in 1...3 { upstream.send(value) }
    #expect(requested(of: upstream) == .max(3))
    waiting.request(.max(2))
    #expect(requested(of: upstream) == .max(5))
    // Alone, it gets values one by one: the publisher's own backlog says so.
    waiting.cancel()
    for value in 4...6 { upstream.send(value) }
    #expect(requested(of: upstream) == .max(7))
    other.cancel()
  }

  @Test func `B6: when a sink leaves, the window is that of who is left`() {
    let upstream = TestPublisher<Int, Never>()
    let shared = upstream.share(backlog: .size(1, whenFull: .wait))
    let sink = shared.sink { _ in }
    let waiting = TestSubscriber<Int, Never>(initialDemand: .none)
    shared.joining(backlog: .size(3, whenFull: .wait)).subscribe(waiting)
    #expect(requested(of: upstream) == .max(1))
    sink.cancel()
    #expect(requested(of: upstream) == .max(3))
    waiting.cancel()
  }
}
