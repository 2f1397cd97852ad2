import FanoutCore
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

struct D1SerialTests {
  @Test(arguments: ColdSource.allCases)
  func `D1: what is asked for while being told of the subscription comes after that`(
    source: ColdSource
  ) {
    let subscriber = TestSubscriber<Int, Never>(
      initialDemand: .max(1), whenSubscribed: { $0.request(.unlimited) })
    source.publisher.subscribe(subscriber)
    #expect(subscriber.violations == [])
    #expect(subscriber.values == source.values)
    #expect(subscriber.events.first == .subscription)
    #expect(subscriber.events.last == .completion(.finished))
  }

  @Test(arguments: ColdSource.allCases)
  func `D1: what is asked for inside receive comes after that has returned`(source: ColdSource) {
    let subscriber = TestSubscriber<Int, Never>(initialDemand: .max(1)) { subscriber, _ in
      subscriber.request(.max(1))
      return .none
    }
    source.publisher.subscribe(subscriber)
    #expect(subscriber.violations == [])
    #expect(subscriber.values == source.values)
    #expect(subscriber.completion == .finished)
  }

  @Test func `D1: a terminal does not overtake the call that tells of the subscription`() {
    let empty = TestSubscriber<Int, Broken>()
    Empty<Int, Broken>().subscribe(empty)
    let fail = TestSubscriber<Int, Broken>()
    Fail<Int, Broken>(error: Broken()).subscribe(fail)
    let none = TestSubscriber<Int, Never>()
    [Int]().publisher.subscribe(none)
    #expect(empty.events == [.subscription, .completion(.finished)])
    #expect(fail.events == [.subscription, .completion(.failure(Broken()))])
    #expect(none.events == [.subscription, .completion(.finished)])
    #expect(empty.violations + fail.violations + none.violations == [])
  }

  @Test(arguments: SubjectKind.allCases)
  func `D1: what is sent while being told of the subscription comes after that`(kind: SubjectKind) {
    let subject = kind.make()
    let subscriber = TestSubscriber<Int, Broken>(whenSubscribed: { _ in
      subject.send(1)
      subject.send(completion: .finished)
    })
    subject.subscribe(subscriber)
    #expect(subscriber.violations == [])
    #expect(subscriber.events.last == .completion(.finished))
  }

  @Test(arguments: SubjectKind.allCases)
  func `D1: a terminal waits for the value that another thread delivers`(kind: SubjectKind) {
    let subject = kind.make()
    let held = HeldSubscriber(at: 1)
    let subscriber = held.subscriber
    subject.subscribe(subscriber)
    let sender = TestThread { subject.send(1) }
    #expect(held.stands())
    subject.send(completion: .failure(Broken()))
    #expect(subscriber.completion == nil)
    held.letGo()
    #expect(sender.join())
    #expect(subscriber.completion == .failure(Broken()))
    #expect(subscriber.values == kind.replay + [1])
    #expect(subscriber.violations == [])
  }
}

struct D1SerialRaceTests {
  @Test(arguments: SubjectKind.allCases)
  func `D1: calls never overlap and see each other's effects, whoever sends or asks`(
    kind: SubjectKind
  ) {
    let subject = kind.make()
    // Deliberately without any protection: Thread Sanitizer sees if two calls are unordered.
    nonisolated(unsafe) var sum = 0
    let subscriber = TestSubscriber<Int, Broken>(initialDemand: .none) { _, value in
      sum += value
      return .none
    }
    subject.subscribe(subscriber)
    let send: @Sendable () -> Void = { for _ in 0..<300 { subject.send(1) } }
    let ask: @Sendable () -> Void = { for _ in 0..<300 { subscriber.request(.max(2)) } }
    #expect(race(send, ask, send, ask, send))
    subject.send(completion: .finished)
    #expect(subscriber.violations == [])
    #expect(sum == subscriber.values.reduce(0, +))
    #expect(subscriber.completion == .finished)
  }

  @Test func `D1: many threads that ask one sequence are served one at a time, in order`() {
    let subscriber = TestSubscriber<Int, Never>(initialDemand: .none)
    (1...2000).publisher.unspecialized.map { $0 }.filter { _ in true }.subscribe(subscriber)
    let ask: @Sendable () -> Void = { for _ in 0..<500 { subscriber.request(.max(1)) } }
    #expect(race(ask, ask, ask, ask))
    #expect(subscriber.values == Array(1...2000))
    #expect(subscriber.completion == .finished)
    #expect(subscriber.violations == [])
  }
}
