extension Publishers {
  /// A publisher that leaves out each value that equals the one before it, and fails when the
  /// comparison throws.
  @frozen
  public struct TryRemoveDuplicates<Upstream: Publisher>: Publisher {
    /// The upstream's values.
    public typealias Output = Upstream.Output
    /// The error that the closure throws, or the upstream's failure.
    public typealias Failure = any Error

    /// The upstream publisher.
    public let upstream: Upstream
    /// The closure that returns whether two successive values are the same.
    @preconcurrency public let predicate:
      @Sendable (Upstream.Output, Upstream.Output) throws -> Bool

    /// Creates a publisher that leaves out each value of `upstream` that `predicate` finds the
    /// same.
    @inlinable
    @preconcurrency
    public init(
      upstream: Upstream,
      predicate: @escaping @Sendable (Upstream.Output, Upstream.Output) throws -> Bool
    ) {
      self.upstream = upstream
      self.predicate = predicate
    }

    /// Attaches the specified subscriber.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(subscriber: StepSubscription(Step(predicate), nil, downstream: subscriber))
    }
  }
}

extension Publishers.TryRemoveDuplicates: Sendable where Upstream: Sendable {}

extension Publishers.TryRemoveDuplicates {
  /// The state is the last value.
  @usableFromInline
  package struct Step: ValueStep {
    @usableFromInline let predicate: @Sendable (Upstream.Output, Upstream.Output) throws -> Bool

    @inlinable
    init(_ predicate: @escaping @Sendable (Upstream.Output, Upstream.Output) throws -> Bool) {
      self.predicate = predicate
    }

    @inlinable package static var name: StaticString? { "TryRemoveDuplicates" }

    @inlinable
    @inline(__always)
    package func step(
      _ value: Upstream.Output, _ state: inout Upstream.Output?
    ) -> StepResult<Upstream.Output, any Error> {
      do {
        let known = state
        state = value
        let isSame = try known.map { try predicate($0, value) } ?? false
        return isSame ? .skip : .value(value)
      } catch {
        return .failure(error)
      }
    }

    @inlinable
    package func failure(_ error: Upstream.Failure) -> any Error { error }
  }
}

extension Publisher {
  /// Leaves out each value that a closure finds the same as the one before it, and fails when the
  /// closure throws.
  ///
  /// ![The second 1 is left out; for -1 the closure throws: the subscriber fails, and the upstream is cancelled.](try-remove-duplicates)
  ///
  /// - Parameter predicate: The closure, called with the value before, delivered or left out, and
  ///   the new value. When it throws, the upstream is cancelled and the subscriber fails with the
  ///   error.
  /// - Returns: A publisher of the other values. A value that is left out does not count against
  ///   demand. The publisher retains one value for each subscriber.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// struct Negative: Error {}
  /// let printed = [1, 1, 2, -1].publisher.tryRemoveDuplicates { one, other in
  ///   if other < 0 { throw Negative() }
  ///   return one == other
  /// }.sink(
  ///   receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// printed.cancel()
  /// // Prints:
  /// // 1
  /// // 2
  /// // failure(main.Negative())
  /// ```
  @inlinable
  @preconcurrency
  public func tryRemoveDuplicates(by predicate: @escaping @Sendable (Output, Output) throws -> Bool)
    -> Publishers.TryRemoveDuplicates<Self>
  {
    Publishers.TryRemoveDuplicates(upstream: self, predicate: predicate)
  }
}
