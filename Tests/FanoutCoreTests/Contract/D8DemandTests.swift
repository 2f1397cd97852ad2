import FanoutCore
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

struct D8DemandTests {
  @Test(arguments: ColdSource.allCases)
  func `D8: never more than asked for, and requests add up`(source: ColdSource) {
    let subscriber = TestSubscriber<Int, Never>(initialDemand: .none)
    source.publisher.subscribe(subscriber)
    #expect(subscriber.events == [.subscription])
    subscriber.request(.none)
    #expect(subscriber.events == [.subscription])
    subscriber.request(.max(1))
    #expect(subscriber.values == [1])
    subscriber.request(.max(1))
    subscriber.request(.max(2))
    #expect(subscriber.values == Array(source.values.prefix(4)))
    subscriber.request(.max(Int.max))
    subscriber.request(.max(Int.max))
    subscriber.request(.unlimited)
    subscriber.request(.unlimited)
    #expect(subscriber.values == source.values)
    #expect(subscriber.completion == .finished)
    #expect(subscriber.violations == [])
  }

  @Test func `D8: what receive returns is added to what was asked for`() {
    // Two requested, two more with the first value and one more with the second: five.
    let subscriber = TestSubscriber<Int, Never>(initialDemand: .max(2)) { _, value in
      .max(value == 1 ? 2 : value == 2 ? 1 : 0)
    }
    (1...9).publisher.subscribe(subscriber)
    #expect(subscriber.values == [1, 2, 3, 4, 5])
    #expect(subscriber.outstandingDemand == .none)
    subscriber.request(.max(1))
    #expect(subscriber.values == [1, 2, 3, 4, 5, 6])
    #expect(subscriber.violations == [])
    subscriber.cancel()
  }

  @Test(arguments: SubjectKind.allCases)
  func `D8: what is asked for inside receive and what it returns add up`(kind: SubjectKind) {
    let subject = kind.make()
    let subscriber = TestSubscriber<Int, Broken>(initialDemand: .max(1)) { subscriber, value in
      guard value == kind.replay.first ?? 1 else { return .none }
      subscriber.request(.max(2))
      subscriber.request(.none)
      return .max(1)
    }
    subject.subscribe(subscriber)
    (1...9).forEach(subject.send)
    #expect(subscriber.values == Array((kind.replay + (1...9)).prefix(4)))
    #expect(subscriber.outstandingDemand == .none)
    #expect(subscriber.violations == [])
    subscriber.cancel()
  }

  @Test(arguments: SubjectKind.allCases)
  func `D8: demand saturates, and unlimited stays whatever receive returns`(kind: SubjectKind) {
    let subject = kind.make()
    let subscriber = TestSubscriber<Int, Broken>(initialDemand: .max(Int.max)) { _, value in
      value.isMultiple(of: 2) ? .max(Int.max) : .unlimited
    }
    subject.subscribe(subscriber)
    subscriber.request(.max(1))
    subscriber.request(.unlimited)
    subscriber.request(.max(Int.max))
    (1...20).forEach(subject.send)
    subscriber.request(.unlimited)
    (21...40).forEach(subject.send)
    #expect(subscriber.values == kind.replay + (1...40))
    #expect(subscriber.violations == [])
    subscriber.cancel()
  }

  @Test(arguments: SubjectKind.allCases)
  func `D8: asking after a cancel or after the terminal does nothing`(kind: SubjectKind) {
    let subject = kind.make()
    let cancelled = TestSubscriber<Int, Broken>(initialDemand: .none)
    let completed = TestSubscriber<Int, Broken>(
      initialDemand: .none, whenCompleted: { $0.request(.unlimited) })
    subject.subscribe(cancelled)
    subject.subscribe(completed)
    cancelled.cancel()
    cancelled.request(.unlimited)
    subject.send(1)
    #expect(cancelled.events == [.subscription])
    subject.send(completion: .finished)
    completed.request(.unlimited)
    #expect(completed.events == [.subscription, .completion(.finished)])
  }

  @Test func `D8: a value that filter drops is not counted`() {
    let subscriber = TestSubscriber<Int, Never>(initialDemand: .max(2))
    (1...20).publisher.unspecialized.filter { $0.isMultiple(of: 5) }.subscribe(subscriber)
    #expect(subscriber.values == [5, 10])
    subscriber.request(.max(1))
    #expect(subscriber.values == [5, 10, 15])
    #expect(subscriber.completion == nil)
    subscriber.request(.max(1))
    #expect(subscriber.values == [5, 10, 15, 20])
    #expect(subscriber.completion == .finished)
    #expect(subscriber.violations == [])
  }

  @Test func `D8: operators ask their upstream for exactly what they are asked for`() {
    let upstream = TestPublisher<Int, Never>()
    let subscriber = TestSubscriber<Int, Never>(initialDemand: .max(3)) { _, _ in .max(2) }
    upstream.filter { $0 > 0 }.map { $0 }.scan(0) { $1 }.prefix(9).subscribe(subscriber)
    #expect(upstream.requests == [.max(3)])
    #expect(upstream.subscriptions[0].send(1) == .max(2))
    #expect(upstream.subscriptions[0].send(-1) == .max(1))
    subscriber.request(.max(7))
    subscriber.request(.none)
    subscriber.request(.unlimited)
    #expect(upstream.requests.filter { $0 != .none } == [.max(3), .max(7), .unlimited])
    subscriber.cancel()
  }
}
