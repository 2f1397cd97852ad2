public import FanoutEngine

extension Publishers {
  /// A publisher that delivers what a closure makes of each value, and fails when that throws.
  @frozen
  public struct TryMap<Upstream: Publisher, Output>: Publisher {
    /// The error that the closure throws, or the upstream's failure.
    public typealias Failure = any Error

    /// Where the values come from.
    public let upstream: Upstream
    /// What is made of each.
    @preconcurrency public let transform: @Sendable (Upstream.Output) throws -> Output

    /// Makes a publisher that delivers what `transform` makes of each value of `upstream`.
    @inlinable
    @preconcurrency
    public init(
      upstream: Upstream, transform: @escaping @Sendable (Upstream.Output) throws -> Output
    ) {
      self.upstream = upstream
      self.transform = transform
    }

    /// Attaches a subscriber.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == any Error {
      upstream.receive(
        subscriber: Inner(Body(downstream: subscriber, transform: transform), name: "TryMap"))
    }
  }
}

extension Publishers.TryMap: Sendable where Upstream: Sendable {}

extension Publishers.TryMap {
  @usableFromInline
  final class Body<Downstream: Subscriber>: OperatorBody<Downstream>
  where Downstream.Input == Output {
    @usableFromInline let transform: @Sendable (Upstream.Output) throws -> Output

    @inlinable
    init(
      downstream: Downstream, transform: @escaping @Sendable (Upstream.Output) throws -> Output
    ) {
      self.transform = transform
      super.init(downstream: downstream)
    }

    package override var heldReferences: [HeldReference] {
      super.heldReferences + [.closure("transform", transform)]
    }
  }

  @usableFromInline
  final class Inner<Downstream: Subscriber>: OperatorSubscription<Body<Downstream>, Downstream>,
    Subscriber
  where Downstream.Input == Output, Downstream.Failure == any Error {
    @usableFromInline typealias Input = Upstream.Output
    @usableFromInline typealias Failure = Upstream.Failure

    @inlinable
    func receive(_ input: Input) -> Subscribers.Demand {
      ending(stage.withBody { pass(input, $0, isGuarded: false) })
    }

    @inlinable
    @inline(__always)
    func _receiveGuarded(_ input: Input) -> Subscribers.Demand {
      ending(
        stage.deliver {
          pass(input, $0, isGuarded: true)
        } otherwise: {
          stage.withBody { pass(input, $0, isGuarded: false) }
        })
    }

    /// Fails after an error was thrown, when nothing uses the body any more.
    @inlinable
    @inline(__always)
    func ending(_ passed: Result<Subscribers.Demand, any Error>?) -> Subscribers.Demand {
      switch passed {
      case .success(let demand): return demand
      case .failure(let error): endEarly(.failure(error))
      case nil: break
      }
      return .none
    }

    @inlinable
    @inline(__always)
    func pass(
      _ input: Input, _ body: Body<Downstream>, isGuarded: Bool
    ) -> Result<Subscribers.Demand, any Error> {
      let result: Output
      do {
        result = try body.transform(input)
      } catch {
        return .failure(error)
      }
      // The closure may have cancelled.
      return .success(
        stage.isClosed ? .none : body.downstream.receive(result, isGuarded: isGuarded))
    }

    @usableFromInline
    func receive(completion: Subscribers.Completion<Upstream.Failure>) {
      switch completion {
      case .finished: end(.finished)
      case .failure(let error): end(.failure(error))
      }
    }
  }
}

extension Publisher {
  /// Delivers what a closure makes of each value, and fails with the first error that it throws.
  ///
  /// - Parameter transform: called once a value and subscriber, on the delivering thread. When it
  ///   throws, the upstream is cancelled and nothing follows the failure.
  /// - Returns: a publisher of the results; demand, completion and cancel pass through, and so does
  ///   the upstream's failure, as `any Error`.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// struct NotANumber: Error {}
  /// let numbers = ["1", "2", "x", "4"].publisher.tryMap { text in
  ///   guard let number = Int(text) else { throw NotANumber() }
  ///   return number
  /// }
  /// let printed = numbers.sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// printed.cancel()
  /// // Prints:
  /// // 1
  /// // 2
  /// // failure(main.NotANumber())
  /// ```
  @inlinable
  @preconcurrency
  public func tryMap<Result>(
    _ transform: @escaping @Sendable (Output) throws -> Result
  ) -> Publishers.TryMap<Self, Result> {
    Publishers.TryMap(upstream: self, transform: transform)
  }
}
