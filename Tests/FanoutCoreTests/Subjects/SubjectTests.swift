import FanoutCore
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

struct SubjectTests {
  @Test(arguments: SubjectKind.allCases)
  func `passes values and the terminal on`(kind: SubjectKind) {
    let subject = kind.make()
    let received = Notes<String>()
    let sink = Subscribers.Sink<Int, Broken>(
      receiveCompletion: { received.append("\($0)") }, receiveValue: { received.append("\($0)") })
    subject.subscribe(sink)
    (1...3).forEach(subject.send)
    subject.send(completion: .finished)
    #expect(received.all == kind.replay.map { "\($0)" } + ["1", "2", "3", "finished"])
  }

  @Test func `a value that says nothing needs no argument`() {
    let subject = PassthroughSubject<Void, Never>()
    let count = Shared(0)
    let sink = subject.sink { count.increment() }
    subject.send()
    subject.send(())
    #expect(count.value == 2)
    sink.cancel()
  }

  @Test(arguments: SubjectKind.allCases)
  func `the same subscriber may be attached many times`(kind: SubjectKind) {
    let subject = kind.make()
    let received = Notes<Int>()
    let subscriptions = Shared<[any Subscription]>([])
    let subscriber = AnySubscriber<Int, Broken>(
      receiveSubscription: { subscription in
        subscription.request(.unlimited)
        subscriptions.change { $0.append(subscription) }
      },
      receiveValue: { value in
        received.append(value)
        return .none
      })
    for _ in 0..<11 { subject.receive(subscriber: subscriber) }
    subject.send(1)
    #expect(received.all.filter { $0 == 1 }.count == 11)
    #expect(received.count == 11 * (1 + kind.replay.count))
    subscriptions.value[4].cancel()
    subject.send(2)
    #expect(received.all.filter { $0 == 2 }.count == 10)
    subject.send(completion: .finished)
    subscriptions.value = []
  }

  @Test func `subscriptions describe themselves as Combine's do`() {
    let passthrough = TestSubscriber<Int, Never>()
    let current = TestSubscriber<Int, Never>()
    let subject = PassthroughSubject<Int, Never>()
    let valueSubject = CurrentValueSubject<Int, Never>(0)
    subject.subscribe(passthrough)
    valueSubject.subscribe(current)
    #expect("\(passthrough.subscription ?? Subscriptions.empty)" == "PassthroughSubject")
    #expect("\(current.subscription ?? Subscriptions.empty)" == "CurrentValueSubject")
    let playground = passthrough.subscription as? any CustomPlaygroundDisplayConvertible
    #expect(playground?.playgroundDescription as? String == "PassthroughSubject")
    let first = passthrough.subscription?.combineIdentifier
    #expect(first != nil)
    #expect(first == passthrough.subscription?.combineIdentifier)
    #expect(first != current.subscription?.combineIdentifier)
    subject.send(completion: .finished)
    valueSubject.send(completion: .finished)
  }

  @Test func `are Sendable where their output is`() {
    func isSendable<Value>(_: Value.Type) -> Bool { false }
    func isSendable<Value: Sendable>(_: Value.Type) -> Bool { true }
    final class Plain {}
    #expect(isSendable(PassthroughSubject<Int, Never>.self))
    #expect(isSendable(CurrentValueSubject<Int, Never>.self))
    #expect(!isSendable(PassthroughSubject<Plain, Never>.self))
    #expect(!isSendable(CurrentValueSubject<Plain, Never>.self))
  }

  @Test(arguments: SubjectKind.allCases)
  func `hundreds of subscribers that come and go are all served`(kind: SubjectKind) {
    let subject = kind.make()
    var attached: [TestSubscriber<Int, Broken>] = []
    var generator = SeededChance(seed: 7)
    for round in 1...200 {
      for _ in 0..<Int.random(in: 0...6, using: &generator) {
        attached.append(TestSubscriber())
        subject.subscribe(attached[attached.count - 1])
      }
      for _ in 0..<Int.random(in: 0...6, using: &generator) where !attached.isEmpty {
        let index = Int.random(in: attached.indices, using: &generator)
        let leaving = attached.remove(at: index)
        leaving.cancel()
        #expect(leaving.violations == [])
        #expect(leaving.values.last ?? (round - 1) == round - 1)
      }
      subject.send(round)
      #expect(attached.allSatisfy { $0.values.last == round })
    }
    subject.send(completion: .finished)
    #expect(attached.allSatisfy { $0.completion == .finished && $0.violations == [] })
  }
}
