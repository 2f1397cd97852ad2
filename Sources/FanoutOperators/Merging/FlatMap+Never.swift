// Without these overloads a caller would have to write `setFailureType(to:)` if the upstream or the
// created publishers never fail.

public import FanoutCore

/// A method instead of a closure, because a closure would capture the publisher's type, which need
/// not be `Sendable`.
private struct NeverFailing<Value, Made: Publisher, Failure: Error>: Sendable
where Made.Failure == Never {
  let transform: @Sendable (Value) -> Made

  @Sendable
  func make(_ value: Value) -> Publishers.SetFailureType<Made, Failure> {
    Publishers.SetFailureType(upstream: transform(value))
  }
}

extension Publisher {
  /// Transforms each value into a publisher that never fails, and delivers the values of all of
  /// them.
  ///
  /// ![A publisher is made of each value, and everything that these send arrives as it comes.](flat-map)
  ///
  /// It works as the general `flatMap`; only the upstream can fail.
  ///
  /// - Parameters:
  ///   - maxPublishers: The maximum number of publishers subscribed to at a time, 1 or more;
  ///     `.none` traps.
  ///   - transform: The closure that creates a publisher from each value.
  /// - Returns: A publisher of all their values.
  @preconcurrency
  public func flatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited,
    _ transform: @escaping @Sendable (Output) -> P
  ) -> Publishers.FlatMap<Publishers.SetFailureType<P, Failure>, Self>
  where P.Failure == Never {
    let failing = NeverFailing<Output, P, Failure>(transform: transform)
    return flatMap(maxPublishers: maxPublishers, failing.make)
  }
}

extension Publisher where Failure == Never {
  /// Transforms each value of a publisher that never fails into a publisher, and delivers the
  /// values of all of them.
  ///
  /// ![A publisher is made of each value, and everything that these send arrives as it comes.](flat-map)
  ///
  /// It works as the general `flatMap`; only the created publishers can fail.
  ///
  /// - Parameters:
  ///   - maxPublishers: The maximum number of publishers subscribed to at a time, 1 or more;
  ///     `.none` traps.
  ///   - transform: The closure that creates a publisher from each value.
  /// - Returns: A publisher of all their values.
  @preconcurrency
  public func flatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited,
    _ transform: @escaping @Sendable (Output) -> P
  ) -> Publishers.FlatMap<P, Publishers.SetFailureType<Self, P.Failure>> {
    Publishers.FlatMap(
      upstream: Publishers.SetFailureType(upstream: self), maxPublishers: maxPublishers,
      transform: transform)
  }

  /// Transforms each value into a publisher and delivers the values of all of them, where nothing
  /// fails.
  ///
  /// ![A publisher is made of each value, and everything that these send arrives as it comes.](flat-map)
  ///
  /// It works as the general `flatMap`.
  ///
  /// - Parameters:
  ///   - maxPublishers: The maximum number of publishers subscribed to at a time, 1 or more;
  ///     `.none` traps.
  ///   - transform: The closure that creates a publisher from each value.
  /// - Returns: A publisher of all their values.
  @preconcurrency
  public func flatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited,
    _ transform: @escaping @Sendable (Output) -> P
  ) -> Publishers.FlatMap<P, Self> where P.Failure == Never {
    Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers, transform: transform)
  }
}
