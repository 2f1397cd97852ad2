extension Publishers {
  /// A publisher of its upstream's values that a closure accepts, which fails when the closure
  /// throws.
  @frozen
  public struct TryFilter<Upstream: Publisher>: Publisher {
    /// The upstream's values.
    public typealias Output = Upstream.Output
    /// The error that the closure throws, or the upstream's failure.
    public typealias Failure = any Error

    /// The upstream publisher.
    public let upstream: Upstream
    /// The closure that returns whether a value is delivered.
    @preconcurrency public let isIncluded: @Sendable (Upstream.Output) throws -> Bool

    /// Creates a publisher of the values of `upstream` that `isIncluded` accepts.
    @inlinable
    @preconcurrency
    public init(
      upstream: Upstream, isIncluded: @escaping @Sendable (Upstream.Output) throws -> Bool
    ) {
      self.upstream = upstream
      self.isIncluded = isIncluded
    }

    /// Attaches the specified subscriber.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(subscriber: StepSubscription(Step(isIncluded), (), downstream: subscriber))
    }
  }
}

extension Publishers.TryFilter: Sendable where Upstream: Sendable {}

extension Publishers.TryFilter {
  @usableFromInline
  package struct Step: ValueStep {
    @usableFromInline let isIncluded: @Sendable (Upstream.Output) throws -> Bool

    @inlinable
    init(_ isIncluded: @escaping @Sendable (Upstream.Output) throws -> Bool) {
      self.isIncluded = isIncluded
    }

    @inlinable package static var name: StaticString? { "TryFilter" }

    @inlinable
    @inline(__always)
    package func step(
      _ value: Upstream.Output, _ state: inout Void
    ) -> StepResult<Upstream.Output, any Error> {
      do {
        return try isIncluded(value) ? .value(value) : .skip
      } catch {
        return .failure(error)
      }
    }

    @inlinable
    package func failure(_ error: Upstream.Failure) -> any Error { error }
  }
}

extension Publishers {
  /// A publisher of the results of a closure that are not nil, which fails when the closure throws.
  @frozen
  public struct TryCompactMap<Upstream: Publisher, Output>: Publisher {
    /// The error that the closure throws, or the upstream's failure.
    public typealias Failure = any Error

    /// The upstream publisher.
    public let upstream: Upstream
    /// The closure that transforms each value.
    @preconcurrency public let transform: @Sendable (Upstream.Output) throws -> Output?

    /// Creates a publisher of the results of `transform` that are not nil.
    @inlinable
    @preconcurrency
    public init(
      upstream: Upstream, transform: @escaping @Sendable (Upstream.Output) throws -> Output?
    ) {
      self.upstream = upstream
      self.transform = transform
    }

    /// Attaches the specified subscriber.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(subscriber: StepSubscription(Step(transform), (), downstream: subscriber))
    }
  }
}

extension Publishers.TryCompactMap: Sendable where Upstream: Sendable {}

extension Publishers.TryCompactMap {
  @usableFromInline
  package struct Step: ValueStep {
    @usableFromInline let transform: @Sendable (Upstream.Output) throws -> Output?

    @inlinable
    init(_ transform: @escaping @Sendable (Upstream.Output) throws -> Output?) {
      self.transform = transform
    }

    @inlinable package static var name: StaticString? { "TryCompactMap" }

    @inlinable
    @inline(__always)
    package func step(
      _ value: Upstream.Output, _ state: inout Void
    ) -> StepResult<Output, any Error> {
      do {
        return try transform(value).map { .value($0) } ?? .skip
      } catch {
        return .failure(error)
      }
    }

    @inlinable
    package func failure(_ error: Upstream.Failure) -> any Error { error }
  }
}

extension Publisher {
  /// Delivers the values that a closure accepts, and fails when the closure throws.
  ///
  /// ![1 is left out; for -1 the closure throws: the subscriber fails, and the upstream is cancelled.](try-filter)
  ///
  /// - Parameter isIncluded: The closure, called once for each value and subscriber on the
  ///   delivering thread. When it throws, the upstream is cancelled and the subscriber fails with
  ///   the error.
  /// - Returns: A publisher of those values. A value that is left out does not count against
  ///   demand.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// struct Negative: Error {}
  /// let printed = [1, 5, -1, 7].publisher.tryFilter { number in
  ///   if number < 0 { throw Negative() }
  ///   return number > 3
  /// }.sink(
  ///   receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// printed.cancel()
  /// // Prints:
  /// // 5
  /// // failure(main.Negative())
  /// ```
  @inlinable
  @preconcurrency
  public func tryFilter(_ isIncluded: @escaping @Sendable (Output) throws -> Bool)
    -> Publishers.TryFilter<Self>
  {
    Publishers.TryFilter(upstream: self, isIncluded: isIncluded)
  }
}

extension Publisher {
  /// Transforms each value with a closure, leaves out nil, and fails when the closure throws.
  ///
  /// ![2 is left out; for -1 the closure throws: the subscriber fails, and the upstream is cancelled.](try-compact-map)
  ///
  /// - Parameter transform: The closure, called once for each value and subscriber on the
  ///   delivering thread. When it throws, the upstream is cancelled and the subscriber fails with
  ///   the error.
  /// - Returns: A publisher of the results. A result of nil does not count against demand.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// struct Negative: Error {}
  /// let printed = [1, 5, -1, 7].publisher.tryCompactMap { number in
  ///   if number < 0 { throw Negative() }
  ///   return number > 3 ? number * 10 : nil
  /// }.sink(
  ///   receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// printed.cancel()
  /// // Prints:
  /// // 50
  /// // failure(main.Negative())
  /// ```
  @inlinable
  @preconcurrency
  public func tryCompactMap<Result>(_ transform: @escaping @Sendable (Output) throws -> Result?)
    -> Publishers.TryCompactMap<Self, Result>
  {
    Publishers.TryCompactMap(upstream: self, transform: transform)
  }
}
