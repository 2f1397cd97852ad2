import FanoutCore
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

struct D9TerminalTests {
  @Test(arguments: SubjectKind.allCases, [true, false])
  func `D9: one terminal, once, and nothing after it`(kind: SubjectKind, fails: Bool) {
    let subject = kind.make()
    let terminal: Subscribers.Completion<Broken> = fails ? .failure(Broken()) : .finished
    let subscribers = (0..<3).map { _ in TestSubscriber<Int, Broken>() }
    for subscriber in subscribers { subject.subscribe(subscriber) }
    subject.send(1)
    subject.send(completion: terminal)
    subject.send(2)
    subject.send(completion: .finished)
    subject.send(completion: .failure(Broken()))
    for subscriber in subscribers {
      #expect(subscriber.values == kind.replay + [1])
      #expect(subscriber.events.last == .completion(terminal))
      #expect(subscriber.violations == [])
    }
  }

  @Test(arguments: SubjectKind.allCases)
  func `D9: it needs no demand`(kind: SubjectKind) {
    let subject = kind.make()
    let subscriber = TestSubscriber<Int, Broken>(initialDemand: .none)
    subject.subscribe(subscriber)
    subject.send(completion: .finished)
    #expect(subscriber.events == [.subscription, .completion(.finished)])
  }

  @Test(arguments: ColdSource.allCases)
  func `D9: it follows the last value directly`(source: ColdSource) {
    let subscriber = TestSubscriber<Int, Never>(initialDemand: .max(source.values.count - 1))
    source.publisher.subscribe(subscriber)
    #expect(subscriber.completion == nil)
    subscriber.request(.max(1))
    #expect(subscriber.values == source.values)
    #expect(subscriber.events.last == .completion(.finished))
    subscriber.request(.unlimited)
    #expect(subscriber.violations == [])
  }

  @Test(arguments: SubjectKind.allCases)
  func `D9: what is owed to who is still being told comes before the terminal`(kind: SubjectKind) {
    let subject = kind.make()
    let subscriber = TestSubscriber<Int, Broken>(whenSubscribed: { _ in
      subject.send(1)
      subject.send(completion: .finished)
      subject.send(2)
    })
    subject.subscribe(subscriber)
    #expect(subscriber.values == kind.replay + [1])
    #expect(subscriber.events.last == .completion(.finished))
    #expect(subscriber.violations == [])
  }

  @Test func `D9: so does the replay that it has asked for`() {
    let subject = CurrentValueSubject<Int, Broken>(0)
    let asking = TestSubscriber<Int, Broken>(
      whenSubscribed: { _ in subject.send(completion: .finished) })
    subject.subscribe(asking)
    #expect(asking.events == [.subscription, .value(0), .completion(.finished)])
    #expect(asking.violations == [])
  }

  @Test func `D9: but what it has not asked for the terminal overtakes there too`() {
    let subject = CurrentValueSubject<Int, Broken>(0)
    let silent = TestSubscriber<Int, Broken>(
      initialDemand: .none,
      whenSubscribed: {
        subject.send(1)
        subject.send(completion: .finished)
        $0.request(.unlimited)
      })
    subject.subscribe(silent)
    #expect(silent.events == [.subscription, .completion(.finished)])
  }

  @Test(arguments: SubjectKind.allCases)
  func `D10: a late subscriber of an ended subject gets the terminal alone`(kind: SubjectKind) {
    let subject = kind.make()
    subject.send(1)
    subject.send(completion: .failure(Broken()))
    for demand in [Subscribers.Demand.none, .max(1), .unlimited] {
      let late = TestSubscriber<Int, Broken>(initialDemand: demand)
      subject.subscribe(late)
      #expect(late.events == [.subscription, .completion(.failure(Broken()))])
      #expect(late.violations == [])
      #expect("\(late.subscription ?? Subscriptions.empty)" == "Empty")
    }
  }

  @Test func `D10: the terminal of a current value subject overtakes what was not asked for`() {
    let subject = CurrentValueSubject<Int, Broken>(0)
    let subscriber = TestSubscriber<Int, Broken>(initialDemand: .max(1))
    subject.subscribe(subscriber)
    subject.send(1)
    subject.send(completion: .finished)
    subscriber.request(.unlimited)
    #expect(subscriber.events == [.subscription, .value(0), .completion(.finished)])
    #expect(subject.value == 1)
  }
}

struct D9TerminalRaceTests {
  @Test(arguments: SubjectKind.allCases)
  func `D9: of several threads that end a subject, one does`(kind: SubjectKind) {
    for _ in 0..<200 {
      let subject = kind.make()
      let subscribers = (0..<2).map { _ in TestSubscriber<Int, Broken>() }
      for subscriber in subscribers { subject.subscribe(subscriber) }
      let late = TestSubscriber<Int, Broken>()
      let isOver = race(
        { subject.send(completion: .finished) },
        { subject.send(completion: .failure(Broken())) },
        { (1...5).forEach(subject.send) },
        { subject.subscribe(late) })
      #expect(isOver)
      for subscriber in subscribers {
        #expect(subscriber.events == subscribers[0].events)
        #expect(subscriber.violations == [])
      }
      #expect(subscribers[0].completion != nil)
      #expect(late.completion == subscribers[0].completion)
      #expect(late.violations == [])
    }
  }
}
