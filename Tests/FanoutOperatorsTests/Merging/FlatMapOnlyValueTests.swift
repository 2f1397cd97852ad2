import FanoutCore
import FanoutOperators
import FanoutTestSupport
import TestFixtures
import Testing

/// `flatMap` takes the value of a publisher that has only one without a subscription.
@Suite(.noLeaks) struct FlatMapOnlyValueTests {
  /// A publisher of one value: each way but `sequence` is taken without a subscription.
  enum Way: CaseIterable, Sendable {
    case sequence, just, optional, result

    func publisher(_ value: Int) -> AnyPublisher<Int, Never> {
      switch self {
      case .sequence: [value].publisher.eraseToAnyPublisher()
      case .just: Just(value).eraseToAnyPublisher()
      case .optional: Optional(value).publisher.eraseToAnyPublisher()
      case .result: Result<Int, Never>.success(value).publisher.eraseToAnyPublisher()
      }
    }
  }

  private struct Run {
    let upstream = TestPublisher<Int, Never>()
    let subscriber: TestSubscriber<Int, Never>

    init(
      _ way: Way, _ maxPublishers: Subscribers.Demand,
      demandFor: @escaping @Sendable (TestSubscriber<Int, Never>, Int) -> Subscribers.Demand = {
        _, _ in .none
      }
    ) {
      subscriber = TestSubscriber(initialDemand: .none, demandFor: demandFor)
      upstream.flatMap(maxPublishers: maxPublishers) { way.publisher($0) }.subscribe(subscriber)
    }
  }

  @Test func `only a publisher of one value has it at hand`() {
    #expect(Way.allCases.map { $0.publisher(7)._onlyValue } == [nil, 7, 7, 7])
    #expect(Optional<Int>.none.publisher._onlyValue == nil)
    #expect(Result<Int, Broken>.failure(Broken()).publisher._onlyValue == nil)
    #expect(Just(7).print()._onlyValue == nil)
  }

  @Test(arguments: Way.allCases)
  func `D8: the upstream is asked for one more with each value, and a value waits for its request`(
    _ way: Way
  ) {
    let run = Run(way, .max(2))
    #expect(run.upstream.requests == [.max(2)])
    run.upstream.send(1)
    run.upstream.send(2)
    #expect(run.upstream.requests == [.max(2), .max(1), .max(1)])
    #expect(run.subscriber.events == [.subscription])
    run.subscriber.request(.max(1))
    run.upstream.send(3)
    run.upstream.send(completion: .finished)
    #expect(run.subscriber.events == [.subscription, .value(1)])
    run.subscriber.request(.unlimited)
    #expect(
      run.subscriber.events == [
        .subscription, .value(1), .value(2), .value(3), .completion(.finished),
      ])
  }

  @Test(arguments: Way.allCases)
  func `D1, D7: a value within a delivery waits, and after a cancel comes nothing`(_ way: Way) {
    let run = Run(way, .unlimited) { subscriber, value in
      if value == 3 { subscriber.cancel() }
      return .none
    }
    run.subscriber.request(.unlimited)
    run.upstream.send(1)
    run.upstream.send(3)
    run.upstream.send(4)
    #expect(run.subscriber.events == [.subscription, .value(1), .value(3)])
    #expect(run.upstream.cancelCount == 1)
  }

  @Test(arguments: Way.allCases)
  func `D7: if the closure cancels, its publisher is not accepted`(_ way: Way) {
    let upstream = TestPublisher<Int, Never>()
    let subscriber = TestSubscriber<Int, Never>(initialDemand: .unlimited)
    upstream.flatMap { value in
      if value == 2 { subscriber.cancel() }
      return way.publisher(value)
    }
    .subscribe(subscriber)
    upstream.send(1)
    upstream.send(2)
    #expect(subscriber.events == [.subscription, .value(1)])
  }
}
