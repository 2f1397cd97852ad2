import FanoutCore
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// A newcomer, and the known limits of the time at which it joined.
private struct Newcomer: Sendable {
  let subscriber: TestSubscriber<Int, Broken>
  /// The last value whose `send` had returned when `subscribe` began.
  let sentBefore: Int
  /// The last value whose `send` had begun when `subscribe` returned.
  let begunAfter: Int
}

struct D6JoinRaceTests {
  private static let last = 3000

  @Test(arguments: SubjectKind.allCases)
  func `D6: joins from other threads in mid-send leave no gap, no duplicate and no doubt`(
    kind: SubjectKind
  ) {
    let subject = kind.make()
    let begun = Shared(0)
    let sent = Shared(0)
    let newcomers = Notes<Newcomer>()
    let send: @Sendable () -> Void = {
      for value in 1...Self.last {
        begun.value = value
        subject.send(value)
        sent.value = value
      }
    }
    let join: @Sendable () -> Void = {
      for _ in 0..<rounds(40) {
        let subscriber = TestSubscriber<Int, Broken>()
        let sentBefore = sent.value
        subject.subscribe(subscriber)
        newcomers.append(
          Newcomer(subscriber: subscriber, sentBefore: sentBefore, begunAfter: begun.value))
      }
    }
    #expect(race(send, join, join))
    subject.send(completion: .finished)
    for newcomer in newcomers.all {
      let values = newcomer.subscriber.values
      #expect(values.isWindow(of: Array(0...Self.last)))
      #expect(newcomer.subscriber.violations == [])
      #expect(newcomer.subscriber.completion == .finished)
      guard let first = values.first else {
        #expect(kind == .passthrough && newcomer.begunAfter == Self.last)
        continue
      }
      #expect(values.last == Self.last)
      #expect(first <= newcomer.begunAfter + 1)
      #expect(kind == .passthrough ? first > newcomer.sentBefore : first >= newcomer.sentBefore)
    }
  }
}
