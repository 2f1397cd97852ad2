import Fanout
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// Backlogs while threads send, request and cancel at the same time.
struct BacklogRaceTests {
  private static let count = rounds(800)

  enum Kind: CaseIterable, Sendable {
    case unbounded, dropOldest, dropNewest, customError, rejoin

    var backlog: Backlog<Int, Broken> {
      switch self {
      case .unbounded: .unbounded
      case .dropOldest: .size(3, whenFull: .dropOldest)
      case .dropNewest: .size(3, whenFull: .dropNewest)
      case .customError: .size(3, whenFull: .customError { Broken() })
      case .rejoin: .size(3, whenFull: .rejoin)
      }
    }
  }

  @Test(arguments: [Policy.none, .latest, .last, .sinceKeyframe, .custom], Kind.allCases)
  func `B1 B2 B3 B4 D2: slow subscribers that ask on other threads get parts of one order`(
    policy: Policy, kind: Kind
  ) {
    let source = PassthroughSubject<Int, Broken>()
    let shared = source.share(replay: policy.replay, backlog: kind.backlog)
    let fast = TestSubscriber<Int, Broken>()
    shared.subscribe(fast)
    let slow = (0..<3).map { _ in TestSubscriber<Int, Broken>(initialDemand: .none) }
    slow.forEach { shared.subscribe($0) }
    let asking = slow.enumerated().map { index, subscriber -> @Sendable () -> Void in
      {
        for step in 0..<Self.count / 2 {
          subscriber.request(.max(1 + step % 3))
          // One leaves in the middle.
          if index == 2, step == 200 { subscriber.cancel() }
        }
      }
    }
    together([{ for value in 0..<Self.count { source.send(value) } }] + asking)
    source.send(completion: .finished)
    #expect(fast.values == Array(0..<Self.count))
    #expect(fast.completion == .finished)
    for (index, subscriber) in slow.enumerated() {
      let values = subscriber.values
      #expect(zip(values, values.dropFirst()).allSatisfy { $0 < $1 })
      #expect(subscriber.violations == [])
      if kind == .unbounded, index < 2 {
        subscriber.request(.unlimited)
        #expect(subscriber.values == Array(0..<Self.count))
      }
      if kind == .customError { #expect(values == Array(0..<values.count)) }
      if kind == .rejoin, policy == .sinceKeyframe {
        for (value, next) in zip(values, values.dropFirst()) where next != value + 1 {
          #expect(Policy.isKeyframe(next), "a run begins at \(next)")
        }
      }
      subscriber.cancel()
    }
    fast.cancel()
  }

  @Test(arguments: [Policy.none, .latest, .all, .sinceKeyframe])
  func `B6: with threads that ask and leave the slowest sets the pace, and nothing is lost`(
    policy: Policy
  ) {
    for round in 0..<rounds(20) {
      let shared = (0..<200).publisher.setFailureType(to: Broken.self)
        .multicast(replay: policy.replay, backlog: .size(2, whenFull: .wait))
      let stay = (0..<2).map { _ in TestSubscriber<Int, Broken>(initialDemand: .none) }
      let leaves = TestSubscriber<Int, Broken>(initialDemand: .max(round))
      (stay + [leaves]).forEach { shared.subscribe($0) }
      let claim = Shared<(any Cancellable)?>(nil)
      let asking = stay.map { subscriber -> @Sendable () -> Void in
        { for _ in 0..<200 { subscriber.request(.max(1)) } }
      }
      together([{ claim.change { $0 = shared.connect() } }, { leaves.cancel() }] + asking)
      for subscriber in stay {
        #expect(subscriber.values == Array(0..<200))
        #expect(subscriber.completion == .finished)
        #expect(subscriber.violations == [])
      }
      claim.value?.cancel()
    }
  }
}
