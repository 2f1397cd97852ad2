public import FanoutCore
internal import FanoutEngine

extension Publishers {
  /// A publisher of the results of a throwing asynchronous closure for its upstream's values, in
  /// the order of the upstream; `asyncMap` creates it.
  @frozen
  public struct TryAsyncMap<Upstream: Publisher, Output>: Publisher, ErrorFailure
  where Upstream.Output: Sendable {
    /// The upstream publisher.
    @usableFromInline package let upstream: Upstream
    /// The maximum number of tasks that run at a time.
    package let maxConcurrent: Int
    /// The asynchronous closure that transforms each value.
    package let transform: @Sendable (Upstream.Output) async throws -> Output

    /// Creates a publisher that transforms each value of the specified upstream.
    ///
    /// - Parameters:
    ///   - upstream: The upstream publisher.
    ///   - maxConcurrent: The maximum number of tasks that run at a time, 1 or more; a smaller
    ///     number traps.
    ///   - transform: The closure that transforms a value. It is called once a value and
    ///     subscriber, in a task.
    package init(
      upstream: Upstream, maxConcurrent: Int,
      transform: @escaping @Sendable (Upstream.Output) async throws -> Output
    ) {
      requireConcurrency(maxConcurrent)
      self.upstream = upstream
      self.maxConcurrent = maxConcurrent
      self.transform = transform
    }

    /// Attaches the specified subscriber, with tasks of its own.
    ///
    /// - Parameter subscriber: The subscriber to attach.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(subscriber: makeInner(ErasedSubscriber(subscriber)))
    }
  }
}

extension Publishers.TryAsyncMap: Sendable where Upstream: Sendable {}

extension Publishers.TryAsyncMap {
  /// Returns the subscriber to the upstream.
  @usableFromInline
  func makeInner(
    _ downstream: ErasedSubscriber<Output, Failure>
  ) -> SubscribedSource<Upstream.Output, Upstream.Failure> {
    AsyncMapSubscription(
      downstream: downstream, name: "TryAsyncMap", maxConcurrent: maxConcurrent,
      transform: transform, failure: { $0 })
  }
}

extension Publisher where Output: Sendable {
  /// Transforms each value with an asynchronous closure and delivers the results, in the order of
  /// the values, until the closure throws.
  ///
  /// Everything else is as in ``asyncMap(maxConcurrent:_:)``.
  ///
  /// - Completion: when the closure throws, the upstream and the tasks of all later values are
  ///   cancelled at once. The failure arrives behind the results of the earlier values. If the
  ///   closure throws for one of those too, that error counts.
  ///
  /// - Parameters:
  ///   - maxConcurrent: The maximum number of tasks that run at a time, 1 or more; a smaller number
  ///     traps.
  ///   - transform: The closure that transforms a value. It is called once a value and subscriber.
  /// - Returns: A publisher of the results.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// struct Odd: Error {}
  /// let halves = (2...9).publisher.asyncMap(maxConcurrent: 2) { number in
  ///   guard number.isMultiple(of: 2) else { throw Odd() }
  ///   return number / 2
  /// }
  /// do {
  ///   for try await half in halves.values { print(half) }
  /// } catch {
  ///   print(error)
  /// }
  /// // Prints:
  /// // 1
  /// // Odd()
  /// ```
  @preconcurrency
  public func asyncMap<Result>(
    maxConcurrent: Int, _ transform: @escaping @Sendable (Output) async throws -> Result
  ) -> Publishers.TryAsyncMap<Self, Result> {
    Publishers.TryAsyncMap(upstream: self, maxConcurrent: maxConcurrent, transform: transform)
  }
}
