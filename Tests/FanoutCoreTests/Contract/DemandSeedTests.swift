import FanoutCore
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// The four questions of an article on testing publishers, asked of the subjects.
struct DemandSeedTests {
  @Test(arguments: SubjectKind.allCases)
  func `D8: without limit, every value arrives`(kind: SubjectKind) {
    let subject = kind.make()
    let received = Notes<Int>()
    let sink = subject.sink(receiveCompletion: { _ in }) { received.append($0) }
    (1...5).forEach(subject.send)
    #expect(received.all == kind.replay + [1, 2, 3, 4, 5])
    sink.cancel()
  }

  @Test(arguments: SubjectKind.allCases)
  func `D8: with two asked for, two arrive`(kind: SubjectKind) {
    let subject = kind.make()
    let subscriber = TestSubscriber<Int, Broken>(initialDemand: .max(2))
    subject.subscribe(subscriber)
    (1...5).forEach(subject.send)
    #expect(subscriber.values == Array((kind.replay + [1, 2]).prefix(2)))
    #expect(subscriber.violations == [])
    subscriber.cancel()
  }

  @Test(arguments: SubjectKind.allCases)
  func `D8: with nothing asked for, nothing arrives; what is asked for later does`(
    kind: SubjectKind
  ) {
    let subject = kind.make()
    let subscriber = TestSubscriber<Int, Broken>(initialDemand: .none)
    subject.subscribe(subscriber)
    #expect(subscriber.values == [])
    subscriber.request(.max(5))
    (1...9).forEach(subject.send)
    #expect(subscriber.values == Array((kind.replay + (1...9)).prefix(5)))
    #expect(subscriber.violations == [])
    subscriber.cancel()
  }

  @Test(arguments: SubjectKind.allCases)
  func `D8: with one asked for and another upon the first, two arrive`(kind: SubjectKind) {
    let subject = kind.make()
    let first = kind.replay.first ?? 1
    let subscriber = TestSubscriber<Int, Broken>(initialDemand: .max(1)) { _, value in
      value == first ? .max(1) : .none
    }
    subject.subscribe(subscriber)
    (1...5).forEach(subject.send)
    #expect(subscriber.values == [first, first + 1])
    #expect(subscriber.violations == [])
    subscriber.cancel()
  }
}
