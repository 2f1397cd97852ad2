import FanoutCore
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

struct D7CancelTests {
  @Test(arguments: ColdSource.allCases)
  func `D7: after a cancel inside receive nothing more starts`(source: ColdSource) {
    let subscriber = TestSubscriber<Int, Never> { subscriber, _ in
      subscriber.cancel()
      return .unlimited
    }
    source.publisher.subscribe(subscriber)
    subscriber.request(.unlimited)
    #expect(subscriber.events == [.subscription, .value(1)])
    #expect(subscriber.violations == [])
  }

  @Test(arguments: ColdSource.allCases)
  func `D7: after a cancel while being told of the subscription nothing starts`(
    source: ColdSource
  ) {
    let subscriber = TestSubscriber<Int, Never>(whenSubscribed: { $0.cancel() })
    source.publisher.subscribe(subscriber)
    subscriber.request(.unlimited)
    #expect(subscriber.events == [.subscription])
    #expect(subscriber.violations == [])
  }

  @Test func `D7: nor does a terminal that needs no value`() {
    let subscriber = TestSubscriber<Int, Never>(whenSubscribed: { $0.cancel() })
    [Int]().publisher.subscribe(subscriber)
    #expect(subscriber.events == [.subscription])
  }

  @Test(arguments: SubjectKind.allCases)
  func `D7: after a cancel inside receive, what waits in the subject is not delivered`(
    kind: SubjectKind
  ) {
    let subject = kind.make()
    let subscriber = TestSubscriber<Int, Broken> { subscriber, value in
      if value == 1 {
        subject.send(2)
        subject.send(completion: .finished)
        subscriber.cancel()
        subscriber.cancel()
      }
      return .none
    }
    subject.subscribe(subscriber)
    subject.send(1)
    subject.send(3)
    subscriber.cancel()
    #expect(subscriber.values == kind.replay + [1])
    #expect(subscriber.completion == nil)
    #expect(subscriber.violations == [])
  }

  @Test(arguments: SubjectKind.allCases)
  func `D7: a cancel while being told of the subscription, with values waiting`(kind: SubjectKind) {
    let subject = kind.make()
    let subscriber = TestSubscriber<Int, Broken>(whenSubscribed: { subscriber in
      subject.send(1)
      subscriber.cancel()
      subject.send(2)
    })
    subject.subscribe(subscriber)
    subject.send(3)
    #expect(subscriber.events == [.subscription])
    #expect(subscriber.violations == [])
  }

  @Test(arguments: SubjectKind.allCases, [Subscribers.Demand.unlimited, .max(9)])
  func `D7: who is cancelled by an earlier one during a value does not get that value`(
    kind: SubjectKind, demand: Subscribers.Demand
  ) {
    let subject = kind.make()
    let later = (0..<3).map { _ in TestSubscriber<Int, Broken>(initialDemand: demand) }
    let earlier = TestSubscriber<Int, Broken> { _, value in
      if value == 1 {
        later[0].cancel()
        later[2].cancel()
      }
      return .none
    }
    subject.subscribe(earlier)
    for subscriber in later { subject.subscribe(subscriber) }
    subject.send(1)
    subject.send(2)
    #expect(earlier.values == kind.replay + [1, 2])
    #expect(later[0].values == kind.replay)
    #expect(later[1].values == kind.replay + [1, 2])
    #expect(later[2].values == kind.replay)
    subject.send(completion: .finished)
    #expect(later.map(\.completion) == [nil, .finished, nil])
  }

  @Test(arguments: SubjectKind.allCases)
  func `D7: who is cancelled by an earlier one during the terminal does not get the terminal`(
    kind: SubjectKind
  ) {
    let subject = kind.make()
    let later = TestSubscriber<Int, Broken>()
    let earlier = TestSubscriber<Int, Broken>(whenCompleted: { _ in later.cancel() })
    subject.subscribe(earlier)
    subject.subscribe(later)
    subject.send(completion: .finished)
    #expect(earlier.completion == .finished)
    #expect(later.completion == nil)
  }

  @Test(arguments: SubjectKind.allCases)
  func `D7: a cancel inside the completion is harmless`(kind: SubjectKind) {
    let subject = kind.make()
    let subscriber = TestSubscriber<Int, Broken>(whenCompleted: { $0.cancel() })
    subject.subscribe(subscriber)
    subject.send(completion: .finished)
    subscriber.cancel()
    #expect(subscriber.completion == .finished)
    #expect(subscriber.violations == [])
  }

  @Test func `D7: a sink that was cancelled before it subscribes cancels what arrives`() {
    let upstream = TestPublisher<Int, Never>()
    let received = Notes<String>()
    let sink = Subscribers.Sink<Int, Never>(
      receiveCompletion: { received.append("\($0)") }, receiveValue: { received.append("\($0)") })
    sink.cancel()
    upstream.subscribe(sink)
    (1...3).publisher.subscribe(sink)
    #expect(upstream.cancelCount == 1)
    #expect(upstream.requests == [])
    #expect(received.all == [])
  }

  @Test func `D7: a cancel inside the sequence's own iterator`() {
    let held = Shared<TestSubscriber<Int, Never>?>(nil)
    let numbers = sequence(state: 0) { (number: inout Int) -> Int? in
      number += 1
      if number == 3 { held.value?.cancel() }
      return number
    }
    let subscriber = TestSubscriber<Int, Never>()
    held.value = subscriber
    numbers.publisher.subscribe(subscriber)
    // The third number is taken one ahead, before the second is delivered.
    #expect(subscriber.values == [1])
    #expect(subscriber.violations == [])
    held.value = nil
  }
}
