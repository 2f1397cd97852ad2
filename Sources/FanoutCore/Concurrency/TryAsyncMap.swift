internal import FanoutEngine

extension Publishers {
  /// A publisher of what an asynchronous closure that can throw makes of each value of its upstream, in
  /// the order of the upstream; `asyncMap` makes it.
  public struct TryAsyncMap<Upstream: Publisher, Output>: Publisher
  where Upstream.Output: Sendable {
    /// What the closure throws, and the upstream's failure.
    public typealias Failure = any Error

    /// Where the values come from.
    public let upstream: Upstream
    /// How many values are worked on at most at one time.
    public let maxConcurrent: Int
    /// What is made of each value.
    @preconcurrency public let transform: @Sendable (Upstream.Output) async throws -> Output

    /// Makes a publisher that delivers what `transform` makes of each value of `upstream`.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - maxConcurrent: How many tasks run at most at one time, from 1 up; less traps.
    ///   - transform: Called once a value and subscriber, in a task of its own.
    @preconcurrency
    public init(
      upstream: Upstream, maxConcurrent: Int,
      transform: @escaping @Sendable (Upstream.Output) async throws -> Output
    ) {
      requireConcurrency(maxConcurrent)
      self.upstream = upstream
      self.maxConcurrent = maxConcurrent
      self.transform = transform
    }

    /// Attaches a subscriber, with tasks of its own.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(
        subscriber: AsyncMapSubscription<Upstream.Output, Upstream.Failure, S>(
          downstream: subscriber, name: "TryAsyncMap", maxConcurrent: maxConcurrent,
          transform: { [transform] input in
            do { return .success(try await transform(input)) } catch { return .failure(error) }
          }, failure: { $0 }))
    }
  }
}

extension Publishers.TryAsyncMap: Sendable where Upstream: Sendable {}

extension Publisher where Output: Sendable {
  /// Delivers what an asynchronous closure makes of each value, in the order of the values, and fails
  /// when it throws.
  ///
  /// Everything else is as in ``asyncMap(maxConcurrent:_:)``.
  ///
  /// - Completion: when the closure throws, the upstream and the tasks of all later values are cancelled
  ///   at once; the failure comes behind the results of the values before. If one of those throws too,
  ///   its error counts.
  ///
  /// - Parameters:
  ///   - maxConcurrent: How many tasks run at most at one time, from 1 up; less traps.
  ///   - transform: Called once a value and subscriber.
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
