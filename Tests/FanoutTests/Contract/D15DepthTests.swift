import Fanout
import FanoutTestSupport
import Synchronization
import TestFixtures
import TestThreads
import Testing

/// A subscriber that only counts, and requests one value at a time in the given way.
private final class Counting: Subscriber, Sendable {
  typealias Input = Int
  typealias Failure = Never

  private let asksInside: Bool
  private let subscription = Shared<(any Subscription)?>(nil)
  private let counted = Atomic<Int>(0)
  private let finished = Atomic<Bool>(false)

  init(asksInside: Bool) { self.asksInside = asksInside }

  var count: Int { counted.load(ordering: .relaxed) }
  var isFinished: Bool { finished.load(ordering: .relaxed) }

  func receive(subscription: any Subscription) {
    self.subscription.value = subscription
    subscription.request(.max(1))
  }

  func receive(_ input: Int) -> Subscribers.Demand {
    // In order and without gaps.
    guard counted.wrappingAdd(1, ordering: .relaxed).oldValue == input else { return .none }
    guard asksInside else { return .max(1) }
    subscription.value?.request(.max(1))
    return .none
  }

  func receive(completion: Subscribers.Completion<Never>) {
    finished.store(true, ordering: .relaxed)
    subscription.value = nil
  }
}

private final class Alive: Sendable {
  private let counted = Atomic<Int>(0)
  var count: Int { counted.load(ordering: .relaxed) }
  func add(_ change: Int) { counted.wrappingAdd(change, ordering: .relaxed) }
}

/// A value that is an object, as small as can be.
private final class Counted: Sendable {
  let alive: Alive
  let isKeyframe: Bool

  init(_ alive: Alive, isKeyframe: Bool = false) {
    self.alive = alive
    self.isKeyframe = isKeyframe
    alive.add(1)
  }

  deinit { alive.add(-1) }
}

struct D15DepthTests {
  /// Little enough that a frame or two for each value would not fit.
  private static let smallStack = 512 * 1024

  @Test func `D15: a million values out of .all, one by one, do not grow the stack`() {
    let isDone = finishes(stackSize: Self.smallStack) {
      let subject = ReplaySubject<Int, Never>(.all)
      for value in 0..<million { subject.send(value) }
      subject.send(completion: .finished)
      let late = Counting(asksInside: false)
      subject.subscribe(late)
      #expect(late.count == million)
      #expect(late.isFinished)
    }
    #expect(isDone)
  }

  @Test(arguments: Policy.lossless)
  func `D15: a long replay of a share, asked for inside receive, does not grow the stack`(
    policy: Policy
  ) {
    let isDone = finishes(stackSize: Self.smallStack) {
      let count = 50_000
      let replay: Replay<Int> =
        switch policy {
        case .last: .last(count)
        case .sinceKeyframe: .sinceKeyframe { $0 == 0 }
        case .custom: .custom { SpyCache() }
        default: .all
        }
      let share = (0..<count).publisher.share(replay: replay)
      for asksInside in [false, true] {
        let subscriber = Counting(asksInside: asksInside)
        share.subscribe(subscriber)
        #expect(subscriber.count == count)
        #expect(subscriber.isFinished)
      }
    }
    #expect(isDone)
  }

  @Test(arguments: [Policy.all, .last])
  func `D15: many values left to one who lags, taken one by one`(policy: Policy) {
    let isDone = finishes(stackSize: Self.smallStack) {
      let upstream = PassthroughSubject<Int, Never>()
      let share = upstream.share(replay: policy.replay)
      let fast = share.sink { _ in }
      let lagging = TestSubscriber<Int, Never>(initialDemand: .none)
      let taken = Counting(asksInside: true)
      share.subscribe(lagging)
      upstream.send(0)
      share.subscribe(taken)
      for value in 1..<50_000 { upstream.send(value) }
      upstream.send(completion: .finished)
      #expect(taken.count == 50_000)
      lagging.request(.max(49_999))
      #expect(lagging.completion == nil)
      lagging.request(.max(1))
      #expect(lagging.values.count == 50_000)
      #expect(lagging.completion == .finished)
      fast.cancel()
    }
    #expect(isDone)
  }

  @Test(arguments: Policy.allCases)
  func `D15: a chain of re-entrant sends through a share does not grow the stack`(policy: Policy) {
    let isDone = finishes(stackSize: Self.smallStack) {
      let upstream = PassthroughSubject<Int, Never>()
      let share = upstream.map { $0 }.share(replay: policy == .all ? .last(9) : policy.replay)
      let seen = Atomic<Int>(0)
      let sink = share.sink { value in
        seen.store(value, ordering: .relaxed)
        if value < 50_000 { upstream.send(value + 1) }
      }
      upstream.send(0)
      #expect(seen.load(ordering: .relaxed) == 50_000)
      sink.cancel()
    }
    #expect(isDone)
  }

  @Test func `D15: a million cached objects are released without growing the stack`() {
    let isDone = finishes(stackSize: Self.smallStack) {
      var subject: ReplaySubject? = ReplaySubject<Counted, Never>(.all)
      let alive = Alive()
      for _ in 0..<million { subject?.send(Counted(alive)) }
      #expect(alive.count == million)
      subject = nil
      #expect(alive.count == 0)
    }
    #expect(isDone)
  }

  @Test(arguments: [true, false])
  func `D15: so are those of a share, at the close of its connection and at its own end`(
    closes: Bool
  ) {
    let isDone = finishes(stackSize: Self.smallStack) {
      let alive = Alive()
      let upstream = PassthroughSubject<Counted, Never>()
      var share: Publishers.Share? = upstream.share(replay: .all)
      let sink = share?.sink { _ in }
      for _ in 0..<50_000 { upstream.send(Counted(alive)) }
      if closes {
        sink?.cancel()
      } else {
        upstream.send(completion: .finished)
        #expect(alive.count == 50_000)
        share = nil
      }
      #expect(alive.count == 0)
      withExtendedLifetime((share, sink)) {}
    }
    #expect(isDone)
  }

  @Test func `D15: a keyframe lets go of many values at once without growing the stack`() {
    let isDone = finishes(stackSize: Self.smallStack) {
      let alive = Alive()
      let subject = ReplaySubject<Counted, Never>(.sinceKeyframe { $0.isKeyframe })
      for _ in 0..<100_000 { subject.send(Counted(alive)) }
      #expect(alive.count == 100_000)
      subject.send(Counted(alive, isKeyframe: true))
      #expect(alive.count == 1)
    }
    #expect(isDone)
  }

  @Test func `D15: reconnecting again and again inside receive does not grow the stack`() {
    let isDone = finishes(stackSize: Self.smallStack) {
      let upstream = PassthroughSubject<Int, Never>()
      let multicast = upstream.multicast(replay: .latest)
      let claim = Shared<AnyCancellable?>(AnyCancellable(multicast.connect()))
      let seen = Atomic<Int>(0)
      let sink = multicast.sink { value in
        seen.store(value, ordering: .relaxed)
        guard value < 5000 else { return }
        claim.value = nil
        claim.value = AnyCancellable(multicast.connect())
        upstream.send(value + 1)
      }
      upstream.send(0)
      #expect(seen.load(ordering: .relaxed) == 5000)
      sink.cancel()
      claim.value = nil
    }
    #expect(isDone)
  }
}
