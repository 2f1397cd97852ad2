extension Publishers {
  /// A publisher of the upstream's values at a key path.
  @frozen
  public struct MapKeyPath<Upstream: Publisher, Output>: Publisher, UpstreamFailure {
    /// The upstream publisher.
    public let upstream: Upstream
    /// The key path of the property.
    @preconcurrency
    public var keyPath: any KeyPath<Upstream.Output, Output> & Sendable { key() }

    // The optimiser replaces a literal key path by a direct access only in a closure, and only if
    // nothing else uses it. So one closure has the key path, and the other one has that closure.
    // Reading by a key path that is only known at run time takes thirty times as long.
    let key: @Sendable () -> any KeyPath<Upstream.Output, Output> & Sendable
    @usableFromInline let read: @Sendable (Upstream.Output) -> Output

    /// Creates a publisher of the values of `upstream` at `keyPath`.
    @preconcurrency
    public init(upstream: Upstream, keyPath: any KeyPath<Upstream.Output, Output> & Sendable) {
      self.init(upstream, { keyPath }) { $0[keyPath: keyPath] }
    }

    @usableFromInline
    init(
      _ upstream: Upstream,
      _ key: @escaping @Sendable () -> any KeyPath<Upstream.Output, Output> & Sendable,
      _ read: @escaping @Sendable (Upstream.Output) -> Output
    ) {
      self.upstream = upstream
      self.key = key
      self.read = read
    }

    /// Attaches the specified subscriber.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let step = MapStep<Self, Upstream.Output, Nonthrowing<Failure>>(read)
      upstream.receive(
        subscriber: StepSubscription(step, (), name: "ValueForKey", downstream: subscriber))
    }
  }
}

extension Publishers.MapKeyPath: Sendable where Upstream: Sendable {}

extension Publisher {
  /// Delivers each value's property at a key path.
  ///
  /// ![Each text is replaced by the number of its letters.](map-key-path)
  ///
  /// It works as `map` with a closure that reads the property.
  ///
  /// - Parameter keyPath: The key path of the property, read once for each value and subscriber on
  ///   the delivering thread. Written as a literal, it costs no more than a closure.
  /// - Returns: A publisher of the properties. Demand, completion and cancel pass through.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let lengths = ["one", "three"].publisher.map(\.count).sink { print($0) }
  /// lengths.cancel()
  /// // Prints:
  /// // 3
  /// // 5
  /// ```
  @inlinable
  @preconcurrency
  public func map<T>(
    _ keyPath: any KeyPath<Output, T> & Sendable
  ) -> Publishers.MapKeyPath<Self, T> {
    let key = { @Sendable in keyPath }
    return Publishers.MapKeyPath(self, key) { $0[keyPath: key()] }
  }
}
