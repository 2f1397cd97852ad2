extension Publishers {
  /// A publisher of the last value of its upstream that a closure accepts.
  @frozen
  public struct LastWhere<Upstream: Publisher>: Publisher, UpstreamTypes {
    /// The upstream publisher.
    public let upstream: Upstream
    /// The closure that returns whether it accepts a value.
    @preconcurrency public let predicate: @Sendable (Upstream.Output) -> Bool

    /// Creates a publisher of the last value of `upstream` that `predicate` accepts.
    @preconcurrency
    public init(upstream: Upstream, predicate: @escaping @Sendable (Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    /// Attaches the specified subscriber.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Upstream.Output, S.Failure == Failure {
      let step = ClosureStep<Self, Upstream.Output, Upstream.Output?, Nonthrowing<Failure>>(
        findingLast: predicate)
      upstream.receive(
        subscriber: FinalStepSubscription(step, nil, name: "LastWhere", downstream: subscriber) {
          $0
        })
    }
  }
}

extension Publishers.LastWhere: Sendable where Upstream: Sendable {}

extension Publishers {
  /// A publisher of the last value of its upstream that a closure accepts; it fails when the
  /// closure throws.
  @frozen
  public struct TryLastWhere<Upstream: Publisher>: Publisher, UpstreamOutput, ErrorFailure {
    /// The upstream publisher.
    public let upstream: Upstream
    /// The closure that returns whether it accepts a value.
    @preconcurrency public let predicate: @Sendable (Upstream.Output) throws -> Bool

    /// Creates a publisher of the last value of `upstream` that `predicate` accepts.
    @preconcurrency
    public init(upstream: Upstream, predicate: @escaping @Sendable (Upstream.Output) throws -> Bool)
    {
      self.upstream = upstream
      self.predicate = predicate
    }

    /// Attaches the specified subscriber.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Upstream.Output, S.Failure == Failure {
      let step = ClosureStep<Self, Upstream.Output, Upstream.Output?, Throwing<Upstream.Failure>>(
        findingLast: predicate)
      upstream.receive(
        subscriber: FinalStepSubscription(step, nil, name: "TryLastWhere", downstream: subscriber) {
          $0
        })
    }
  }
}

extension Publishers.TryLastWhere: Sendable where Upstream: Sendable {}

extension ClosureStep where Operator.Output == Input, State == Input? {
  /// Creates the step of `last(where:)` and `tryLast(where:)`; its state is the last value that was accepted.
  @inlinable
  init(findingLast predicate: @escaping @Sendable (Input) throws -> Bool) {
    self.init { value, last in
      if try predicate(value) { last = value }
      return .ignore
    }
  }
}

extension Publisher {
  /// Delivers the last value that a closure accepts, once the upstream has finished.
  ///
  /// ![When the upstream finishes, the subscriber receives the last value that is smaller than 3, and finishes.](last-where)
  ///
  /// - Parameter predicate: The closure, called once for each value and subscriber on the
  ///   delivering thread.
  /// - Returns: A publisher that requests everything from its upstream, and delivers the value when
  ///   its subscriber requests it. It finishes without a value if the closure has accepted none. A
  ///   failure passes without a value.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let printed = (1...9).publisher.last { $0 < 5 }.sink(
  ///   receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// printed.cancel()
  /// // Prints:
  /// // 4
  /// // finished
  /// ```
  @preconcurrency
  public func last(where predicate: @escaping @Sendable (Output) -> Bool)
    -> Publishers.LastWhere<Self>
  {
    Publishers.LastWhere(upstream: self, predicate: predicate)
  }

  /// Delivers the last value that a closure accepts, once the upstream has finished, or fails when
  /// the closure throws.
  ///
  /// ![For -1 the closure throws: the subscriber fails without a value, and the upstream is cancelled.](try-last)
  ///
  /// - Parameter predicate: The closure, called once for each value and subscriber on the
  ///   delivering thread. When it throws, the upstream is cancelled and the subscriber fails with
  ///   the error.
  /// - Returns: A publisher that requests everything from its upstream, and delivers the value when
  ///   its subscriber requests it. It finishes without a value if the closure has accepted none. A
  ///   failure passes without a value.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// struct Negative: Error {}
  /// let printed = [1, -1, 5].publisher.tryLast { number in
  ///   if number < 0 { throw Negative() }
  ///   return number > 3
  /// }.sink(
  ///   receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// printed.cancel()
  /// // Prints:
  /// // failure(main.Negative())
  /// ```
  @preconcurrency
  public func tryLast(where predicate: @escaping @Sendable (Output) throws -> Bool)
    -> Publishers.TryLastWhere<Self>
  {
    Publishers.TryLastWhere(upstream: self, predicate: predicate)
  }
}
