import FanoutCore
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// Each outcome of a step, from a source that fuses with its subscribers and from one that does not.
struct StepTests {
  enum Outcome: CaseIterable {
    case value, skip, ignore, last, finished, failure

    func result(for value: Int) -> StepResult<Int, Broken> {
      switch self {
      case .value: .value(value)
      case .skip: .skip
      case .ignore: .ignore
      case .last: .last(value)
      case .finished: .finished
      case .failure: .failure(Broken())
      }
    }

    var isEnd: Bool { [.last, .finished, .failure].contains(self) }

    /// The events after the subscription.
    var events: [RecordedEvent<Int, Broken>] {
      switch self {
      case .value: [.value(1)]
      case .skip, .ignore: []
      case .last: [.value(1), .completion(.finished)]
      case .finished: [.completion(.finished)]
      case .failure: [.completion(.failure(Broken()))]
      }
    }

    /// The demand that the upstream gets back, of a subscriber that returns two for each value.
    var demand: Subscribers.Demand {
      switch self {
      case .value: .max(2)
      case .skip: .max(1)
      case .ignore, .last, .finished, .failure: .none
      }
    }
  }

  private struct Stepping<Upstream: Publisher<Int, Broken>>: Publisher {
    typealias Output = Int
    typealias Failure = Broken

    struct Step: ThrowingStep {
      typealias Operator = Stepping
      typealias Errors = Nonthrowing<Broken>

      let decide: @Sendable (Int) -> Outcome

      func step(_ value: Int, _ state: inout Void) -> StepResult<Int, Broken> {
        decide(value).result(for: value)
      }
    }

    let upstream: Upstream
    let decide: @Sendable (Int) -> Outcome

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Broken {
      upstream.receive(
        subscriber: StepSubscription(Step(decide: decide), (), downstream: subscriber))
    }
  }

  private struct FailingAtTwo: ThrowingStep {
    typealias Operator = Publishers.TryMap<TestPublisher<Int, NumberedError>, Int>
    typealias Errors = Throwing<NumberedError>

    func step(_ value: Int, _ state: inout Void) throws -> StepResult<Int, any Error> {
      if value == 2 { throw Broken() }
      return .value(value)
    }
  }

  @Test func `D9: an error that a step throws is the failure, and cancels the upstream`() {
    let upstream = TestPublisher<Int, NumberedError>()
    let subscriber = TestSubscriber<Int, any Error>()
    upstream.receive(subscriber: StepSubscription(FailingAtTwo(), (), downstream: subscriber))
    (1...3).forEach { upstream.send($0) }
    #expect(subscriber.values == [1])
    #expect(error(of: subscriber) is Broken)
    #expect(upstream.cancelCount == 1)
    #expect(subscriber.violations == [])
  }

  @Test func `D9: the upstream's failure passes a step that throws another`() {
    let upstream = TestPublisher<Int, NumberedError>()
    let subscriber = TestSubscriber<Int, any Error>()
    upstream.receive(subscriber: StepSubscription(FailingAtTwo(), (), downstream: subscriber))
    upstream.send(completion: .failure(NumberedError(7)))
    #expect(error(of: subscriber) as? NumberedError == NumberedError(7))
    #expect(upstream.cancelCount == 0)
    #expect(subscriber.violations == [])
  }

  private func error(of subscriber: TestSubscriber<Int, any Error>) -> (any Error)? {
    guard case .failure(let error) = subscriber.completion else { return nil }
    return error
  }

  private func subscriber() -> TestSubscriber<Int, Broken> {
    TestSubscriber(initialDemand: .max(5)) { _, _ in .max(2) }
  }

  @Test(arguments: Outcome.allCases)
  func `D8, D9: an outcome is delivered, ends early and requests as it says`(outcome: Outcome) {
    let upstream = TestPublisher<Int, Broken>()
    let subscriber = subscriber()
    Stepping(upstream: upstream) { _ in outcome }.subscribe(subscriber)
    #expect(upstream.subscriptions[0].send(1) == outcome.demand)
    #expect(subscriber.events == [.subscription] + outcome.events)
    #expect(upstream.cancelCount == (outcome.isEnd ? 1 : 0))
    subscriber.cancel()
  }

  @Test(arguments: Outcome.allCases)
  func `D9: a fused subscriber receives the same`(outcome: Outcome) {
    let subject = PassthroughSubject<Int, Broken>()
    let notes = Notes<String>()
    let sink = Stepping(upstream: subject) { $0 == 1 ? outcome : .value }.sink(
      receiveCompletion: { notes.append("\($0)") }, receiveValue: { notes.append("\($0)") })
    (1...2).forEach(subject.send)
    let first = outcome.events.map { event in
      switch event {
      case .subscription: "subscription"
      case .value(let value): "\(value)"
      case .completion(let completion): "\(completion)"
      }
    }
    #expect(notes.all == first + (outcome.isEnd ? [] : ["2"]))
    sink.cancel()
  }

  @Test(arguments: Outcome.allCases)
  func `D7: after a cancel in a step, its outcome is not delivered`(outcome: Outcome) {
    let upstream = TestPublisher<Int, Broken>()
    let subscriber = subscriber()
    let held = Shared<TestSubscriber<Int, Broken>?>(subscriber)
    Stepping(upstream: upstream) { _ in
      held.value?.cancel()
      return outcome
    }.subscribe(subscriber)
    #expect(upstream.subscriptions[0].send(1) == .none)
    #expect(subscriber.events == [.subscription])
    #expect(upstream.cancelCount == 1)
    held.value = nil
  }

  @Test(arguments: Outcome.allCases)
  func `D7: after a cancel in a step, a fused subscriber receives nothing`(outcome: Outcome) {
    let subject = PassthroughSubject<Int, Broken>()
    let notes = Notes<String>()
    let held = Shared<AnyCancellable?>(nil)
    held.value = Stepping(upstream: subject) { _ in
      held.value?.cancel()
      return outcome
    }.sink(receiveCompletion: { notes.append("\($0)") }, receiveValue: { notes.append("\($0)") })
    (1...2).forEach(subject.send)
    #expect(notes.all == [])
    held.value = nil
  }

  @Test(arguments: Outcome.allCases)
  func `D3: a value sent in a step follows its outcome`(outcome: Outcome) {
    let subject = PassthroughSubject<Int, Broken>()
    let notes = Notes<String>()
    let sink = Stepping(upstream: subject) { value in
      notes.append("step \(value)")
      if value == 1 { subject.send(2) }
      return value == 1 ? outcome : .value
    }.sink(
      receiveCompletion: { _ in notes.append("end") }, receiveValue: { notes.append("\($0)") })
    subject.send(1)
    let first = outcome.events.map { if case .value = $0 { "1" } else { "end" } }
    #expect(notes.all == ["step 1"] + first + (outcome.isEnd ? [] : ["step 2", "2"]))
    sink.cancel()
  }
}
