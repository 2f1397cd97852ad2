import FanoutCore
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

struct ColdPublisherTests {
  @Test func `Just delivers its value once to each subscriber that asks`() {
    let just = Just(7)
    #expect(just.output == 7)
    #expect(just == Just(7))
    for _ in 0..<2 {
      let subscriber = TestSubscriber<Int, Never>()
      just.subscribe(subscriber)
      #expect(subscriber.events == [.subscription, .value(7), .completion(.finished)])
      #expect(subscriber.violations == [])
    }
  }

  @Test func `Empty finishes at once or never, and nobody needs to ask`() {
    let at = TestSubscriber<Int, Broken>(initialDemand: .none)
    Empty(outputType: Int.self, failureType: Broken.self).subscribe(at)
    #expect(at.events == [.subscription, .completion(.finished)])
    #expect("\(at.subscription ?? Subscriptions.empty)" == "Empty")
    let never = TestSubscriber<Int, Broken>()
    Empty<Int, Broken>(completeImmediately: false).subscribe(never)
    #expect(never.events == [.subscription])
    never.cancel()
    #expect(Empty<Int, Broken>() != Empty(completeImmediately: false))
  }

  @Test func `Fail fails at once, and nobody needs to ask`() {
    let subscriber = TestSubscriber<Int, Broken>(initialDemand: .none)
    let fail = Fail(outputType: Int.self, failure: Broken())
    #expect(fail == Fail(error: Broken()))
    fail.subscribe(subscriber)
    #expect(subscriber.events == [.subscription, .completion(.failure(Broken()))])
    #expect("\(subscriber.subscription ?? Subscriptions.empty)" == "Empty")
  }

  @Test func `Deferred makes a publisher for each subscriber, when it subscribes`() {
    let made = Shared(0)
    let deferred = Deferred { Just(made.increment()) }
    #expect(made.value == 0)
    for round in 1...3 {
      let subscriber = TestSubscriber<Int, Never>(initialDemand: .none)
      deferred.subscribe(subscriber)
      #expect(made.value == round)
      subscriber.request(.max(1))
      #expect(subscriber.values == [round])
    }
  }

  @Test func `a sequence is delivered from the beginning to each subscriber`() {
    let publisher = ["a", "b"].publisher
    #expect(publisher == Publishers.Sequence(sequence: ["a", "b"]))
    for _ in 0..<2 {
      let subscriber = TestSubscriber<String, Never>()
      publisher.subscribe(subscriber)
      #expect(subscriber.values == ["a", "b"])
      #expect(subscriber.completion == .finished)
    }
  }

  @Test func `a sequence is not run further than was asked for, but for one element`() {
    let taken = Shared(0)
    let numbers = sequence(state: 0) { (_: inout Int) -> Int? in
      taken.increment()
    }
    let subscriber = TestSubscriber<Int, Never>(initialDemand: .max(3))
    numbers.publisher.subscribe(subscriber)
    #expect(subscriber.values == [1, 2, 3])
    #expect(taken.value == 4)
    subscriber.cancel()
    subscriber.request(.max(5))
    #expect(taken.value == 4)
  }

  @Test func `subscriptions describe themselves as Combine's do, until their end`() {
    func descriptions<P: Publisher<Int, Never>>(_ publisher: P) -> [String] {
      let subscriber = TestSubscriber<Int, Never>(initialDemand: .none)
      publisher.subscribe(subscriber)
      let before = "\(subscriber.subscription ?? Subscriptions.empty)"
      subscriber.cancel()
      return [before, "\(subscriber.subscription ?? Subscriptions.empty)"]
    }
    #expect(descriptions(Just(1)) == ["Just", "Just"])
    #expect(descriptions([1, 2].publisher) == ["[1, 2]", "Sequence"])
  }

  @Test func `they are Sendable where what they hold is`() {
    func isSendable<Value>(_: Value) -> Bool { false }
    func isSendable<Value: Sendable>(_: Value) -> Bool { true }
    final class Plain {}
    #expect(isSendable(Just(1)))
    #expect(!isSendable(Just(Plain())))
    #expect(isSendable([1].publisher))
    #expect(!isSendable([Plain()].publisher))
    #expect(isSendable(Empty<Plain, Never>()))
    #expect(isSendable(Deferred { Just(1) }))
    #expect(
      isSendable([1].publisher.unspecialized.map { $0 }.filter { _ in true }.prefix(2).first()))
  }
}
