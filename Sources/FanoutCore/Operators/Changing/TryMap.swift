extension Publishers {
  /// A publisher that transforms each value with a closure, and fails when the closure throws.
  @frozen
  public struct TryMap<Upstream: Publisher, Output>: Publisher {
    /// The error that the closure throws, or the upstream's failure.
    public typealias Failure = any Error

    /// The upstream publisher.
    public let upstream: Upstream
    /// The closure that transforms each value.
    @preconcurrency public let transform: @Sendable (Upstream.Output) throws -> Output

    /// Creates a publisher that transforms each value of `upstream` with `transform`.
    @inlinable
    @preconcurrency
    public init(
      upstream: Upstream, transform: @escaping @Sendable (Upstream.Output) throws -> Output
    ) {
      self.upstream = upstream
      self.transform = transform
    }

    /// Attaches the specified subscriber.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == any Error {
      upstream.receive(subscriber: StepSubscription(Step(transform), downstream: subscriber))
    }
  }
}

extension Publishers.TryMap: Sendable where Upstream: Sendable {}

extension Publishers.TryMap {
  @usableFromInline
  package struct Step: ValueStep {
    @usableFromInline let transform: @Sendable (Upstream.Output) throws -> Output

    @inlinable
    init(_ transform: @escaping @Sendable (Upstream.Output) throws -> Output) {
      self.transform = transform
    }

    @inlinable package static var name: StaticString? { "TryMap" }

    @inlinable
    @inline(__always)
    package func step(
      _ value: Upstream.Output, _ state: inout Void
    ) -> StepResult<Output, any Error> {
      do {
        return .value(try transform(value))
      } catch {
        return .failure(error)
      }
    }

    @inlinable
    package func failure(_ error: Upstream.Failure) -> any Error { error }
  }
}

extension Publisher {
  /// Transforms each value with a closure, and fails with the first error that it throws.
  ///
  /// ![For -1 the closure throws: the subscriber fails, and the upstream is cancelled.](try-map)
  ///
  /// - Parameter transform: The closure, called once for each value and subscriber on the delivering thread.
  ///   When it throws, the upstream is cancelled and nothing follows the failure.
  /// - Returns: A publisher of the results. Demand, completion and cancel pass through, and so does the
  ///   upstream's failure, as `any Error`.
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
