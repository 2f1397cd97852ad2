// Invariant: `result` is reached only inside `receive(_:)`, which a publisher never calls twice at
// the same time.

public import FanoutEngine

extension Publishers {
  /// A publisher that delivers, for each value, what a closure makes of the last result and it.
  @frozen
  public struct Scan<Upstream: Publisher, Output>: Publisher {
    /// The upstream's failure.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream
    /// What the first value is combined with, for each subscriber.
    public let initialResult: Output
    /// What is made of the last result and a value.
    @preconcurrency public let nextPartialResult: @Sendable (Output, Upstream.Output) -> Output

    /// Makes a publisher of running results.
    @inlinable
    @preconcurrency
    public init(
      upstream: Upstream, initialResult: Output,
      nextPartialResult: @escaping @Sendable (Output, Upstream.Output) -> Output
    ) {
      self.upstream = upstream
      self.initialResult = initialResult
      self.nextPartialResult = nextPartialResult
    }

    /// Attaches a subscriber, which sees the upstream's subscription.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(subscriber: Inner(Body(downstream: subscriber, parent: self), name: nil))
    }
  }
}

extension Publishers.Scan: Sendable where Upstream: Sendable, Output: Sendable {}

extension Publishers.Scan {
  @usableFromInline
  final class Body<Downstream: Subscriber>: OperatorBody<Downstream>
  where Downstream.Input == Output {
    @usableFromInline let nextPartialResult: @Sendable (Output, Upstream.Output) -> Output
    @exclusivity(unchecked) @usableFromInline var result: Output

    @inlinable
    init(downstream: Downstream, parent: Publishers.Scan<Upstream, Output>) {
      nextPartialResult = parent.nextPartialResult
      result = parent.initialResult
      super.init(downstream: downstream)
    }

    package override var heldReferences: [HeldReference] {
      super.heldReferences
        + [.closure("nextPartialResult", nextPartialResult), quietly("result") { result }]
    }
  }

  @usableFromInline
  final class Inner<Downstream: Subscriber>: OperatorSubscription<Body<Downstream>, Downstream>,
    Subscriber
  where Downstream.Input == Output, Downstream.Failure == Upstream.Failure {
    @usableFromInline typealias Input = Upstream.Output
    @usableFromInline typealias Failure = Upstream.Failure

    @inlinable
    func receive(_ input: Input) -> Subscribers.Demand {
      stage.withBody { pass(input, $0, isGuarded: false) } ?? .none
    }

    @inlinable
    @inline(__always)
    func _receiveGuarded(_ input: Input) -> Subscribers.Demand {
      stage.deliver {
        pass(input, $0, isGuarded: true)
      } otherwise: {
        receive(input)
      }
    }

    @inlinable
    @inline(__always)
    func pass(
      _ input: Input, _ body: Body<Downstream>, isGuarded: Bool
    ) -> Subscribers.Demand {
      let result = body.nextPartialResult(body.result, input)
      body.result = result
      // The closure may have cancelled.
      return stage.isClosed ? .none : body.downstream.receive(result, isGuarded: isGuarded)
    }
  }
}

extension Publisher {
  /// Delivers, for each value, what a closure makes of the last result and the value.
  ///
  /// - Parameters:
  ///   - initialResult: what the first value is combined with; each subscriber starts with it.
  ///   - nextPartialResult: called once a value and subscriber, on the delivering thread.
  /// - Returns: a publisher of the results; demand, completion and cancel pass through.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let sums = (1...4).publisher.scan(10) { $0 + $1 }.sink { print($0) }
  /// sums.cancel()
  /// // Prints:
  /// // 11
  /// // 13
  /// // 16
  /// // 20
  /// ```
  @inlinable
  @preconcurrency
  public func scan<Result>(
    _ initialResult: Result,
    _ nextPartialResult: @escaping @Sendable (Result, Output) -> Result
  ) -> Publishers.Scan<Self, Result> {
    Publishers.Scan(
      upstream: self, initialResult: initialResult, nextPartialResult: nextPartialResult)
  }
}
