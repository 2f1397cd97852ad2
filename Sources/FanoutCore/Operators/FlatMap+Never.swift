// Without these a closure that makes a publisher which never fails, or an upstream which never
// fails, would have to say `setFailureType(to:)`.

/// A method and no closure: that would capture the publisher's type, which need not be `Sendable`.
private struct NeverFailing<Value, Made: Publisher, Failure: Error>: Sendable
where Made.Failure == Never {
  let transform: @Sendable (Value) -> Made

  @Sendable
  func make(_ value: Value) -> Publishers.SetFailureType<Made, Failure> {
    Publishers.SetFailureType(upstream: transform(value))
  }
}

extension Publisher {
  /// Delivers the values of all publishers that a closure makes, none of which fails.
  ///
  /// It is as the other `flatMap`; only the upstream can fail.
  ///
  /// - Parameters:
  ///   - maxPublishers: How many publishers are subscribed to at a time, from 1 up; `.none` traps.
  ///   - transform: What makes a publisher.
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
  /// Delivers the values of all publishers that a closure makes of values that never fail.
  ///
  /// It is as the other `flatMap`; only the publishers that are made can fail.
  ///
  /// - Parameters:
  ///   - maxPublishers: How many publishers are subscribed to at a time, from 1 up; `.none` traps.
  ///   - transform: What makes a publisher.
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

  /// Delivers the values of all publishers that a closure makes, where nothing fails.
  ///
  /// It is as the other `flatMap`.
  ///
  /// - Parameters:
  ///   - maxPublishers: How many publishers are subscribed to at a time, from 1 up; `.none` traps.
  ///   - transform: What makes a publisher.
  /// - Returns: A publisher of all their values.
  @preconcurrency
  public func flatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited,
    _ transform: @escaping @Sendable (Output) -> P
  ) -> Publishers.FlatMap<P, Self> where P.Failure == Never {
    Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers, transform: transform)
  }
}
