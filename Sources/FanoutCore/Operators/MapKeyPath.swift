extension Publishers {
  /// A publisher of the upstream's values at a key path.
  @frozen
  public struct MapKeyPath<Upstream: Publisher, Output>: Publisher {
    /// The upstream's failure.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream
    /// The key path of the property.
    @preconcurrency public let keyPath: any KeyPath<Upstream.Output, Output> & Sendable
    @usableFromInline let read: @Sendable (Upstream.Output) -> Output

    /// Creates a publisher of the values of `upstream` at `keyPath`.
    @inlinable
    @preconcurrency
    public init(upstream: Upstream, keyPath: any KeyPath<Upstream.Output, Output> & Sendable) {
      self.upstream = upstream
      self.keyPath = keyPath
      // A closure, because the optimiser replaces the key path in it by a direct access if it sees which
      // one it is. Reading by a key path that is only known at run time takes twenty times as long.
      read = { $0[keyPath: keyPath] }
    }

    /// Attaches the specified subscriber.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(subscriber: StepSubscription(Step(read), downstream: subscriber))
    }
  }

  /// A publisher of the upstream's values at two key paths, as pairs.
  @frozen
  public struct MapKeyPath2<Upstream: Publisher, Output0, Output1>: Publisher {
    /// The values at both key paths.
    public typealias Output = (Output0, Output1)
    /// The upstream's failure.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream
    /// The key path of the first property.
    @preconcurrency public let keyPath0: any KeyPath<Upstream.Output, Output0> & Sendable
    /// The key path of the second property.
    @preconcurrency public let keyPath1: any KeyPath<Upstream.Output, Output1> & Sendable
    @usableFromInline let read: @Sendable (Upstream.Output) -> Output

    /// Creates a publisher of the values of `upstream` at two key paths.
    @inlinable
    @preconcurrency
    public init(
      upstream: Upstream, keyPath0: any KeyPath<Upstream.Output, Output0> & Sendable,
      keyPath1: any KeyPath<Upstream.Output, Output1> & Sendable
    ) {
      self.upstream = upstream
      self.keyPath0 = keyPath0
      self.keyPath1 = keyPath1
      read = { ($0[keyPath: keyPath0], $0[keyPath: keyPath1]) }
    }

    /// Attaches the specified subscriber.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(
        subscriber: StepSubscription(
          MapKeyPath<Upstream, Output>.Step(read), downstream: subscriber))
    }
  }

  /// A publisher of the upstream's values at three key paths, as triples.
  @frozen
  public struct MapKeyPath3<Upstream: Publisher, Output0, Output1, Output2>: Publisher {
    /// The values at all key paths.
    public typealias Output = (Output0, Output1, Output2)
    /// The upstream's failure.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream
    /// The key path of the first property.
    @preconcurrency public let keyPath0: any KeyPath<Upstream.Output, Output0> & Sendable
    /// The key path of the second property.
    @preconcurrency public let keyPath1: any KeyPath<Upstream.Output, Output1> & Sendable
    /// The key path of the third property.
    @preconcurrency public let keyPath2: any KeyPath<Upstream.Output, Output2> & Sendable
    @usableFromInline let read: @Sendable (Upstream.Output) -> Output

    /// Creates a publisher of the values of `upstream` at three key paths.
    @inlinable
    @preconcurrency
    public init(
      upstream: Upstream, keyPath0: any KeyPath<Upstream.Output, Output0> & Sendable,
      keyPath1: any KeyPath<Upstream.Output, Output1> & Sendable,
      keyPath2: any KeyPath<Upstream.Output, Output2> & Sendable
    ) {
      self.upstream = upstream
      self.keyPath0 = keyPath0
      self.keyPath1 = keyPath1
      self.keyPath2 = keyPath2
      read = { ($0[keyPath: keyPath0], $0[keyPath: keyPath1], $0[keyPath: keyPath2]) }
    }

    /// Attaches the specified subscriber.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(
        subscriber: StepSubscription(
          MapKeyPath<Upstream, Output>.Step(read), downstream: subscriber))
    }
  }
}

extension Publishers.MapKeyPath: Sendable where Upstream: Sendable {}
extension Publishers.MapKeyPath2: Sendable where Upstream: Sendable {}
extension Publishers.MapKeyPath3: Sendable where Upstream: Sendable {}

extension Publishers.MapKeyPath {
  /// The step of one, two and three key paths.
  @usableFromInline
  package struct Step: ValueStep {
    @usableFromInline let read: @Sendable (Upstream.Output) -> Output

    @inlinable
    init(_ read: @escaping @Sendable (Upstream.Output) -> Output) { self.read = read }

    @inlinable package static var name: StaticString? { "ValueForKey" }

    @inlinable
    @inline(__always)
    package func step(
      _ value: Upstream.Output, _ state: inout Void
    ) -> StepResult<Output, Upstream.Failure> {
      .value(read(value))
    }
  }
}

extension Publisher {
  /// Delivers each value's property at a key path.
  ///
  /// It works as ``map(_:)-(_)`` with a closure that reads the property.
  ///
  /// - Parameter keyPath: The key path of the property, read once for each value and subscriber on the
  ///   delivering thread. Written as a literal, it costs no more than a closure.
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
    Publishers.MapKeyPath(upstream: self, keyPath: keyPath)
  }

  /// Delivers each value's properties at two key paths, as a pair.
  ///
  /// - Parameters:
  ///   - keyPath0: The key path of the first property.
  ///   - keyPath1: The key path of the second property.
  /// - Returns: A publisher of the pairs. Demand, completion and cancel pass through.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let words = ["one", "three"].publisher.map(\.count, \.first).sink { print($0, $1 ?? "-") }
  /// words.cancel()
  /// // Prints:
  /// // 3 o
  /// // 5 t
  /// ```
  @inlinable
  @preconcurrency
  public func map<T0, T1>(
    _ keyPath0: any KeyPath<Output, T0> & Sendable, _ keyPath1: any KeyPath<Output, T1> & Sendable
  ) -> Publishers.MapKeyPath2<Self, T0, T1> {
    Publishers.MapKeyPath2(upstream: self, keyPath0: keyPath0, keyPath1: keyPath1)
  }

  /// Delivers each value's properties at three key paths, as a triple.
  ///
  /// - Parameters:
  ///   - keyPath0: The key path of the first property.
  ///   - keyPath1: The key path of the second property.
  ///   - keyPath2: The key path of the third property.
  /// - Returns: A publisher of the triples. Demand, completion and cancel pass through.
  @inlinable
  @preconcurrency
  public func map<T0, T1, T2>(
    _ keyPath0: any KeyPath<Output, T0> & Sendable, _ keyPath1: any KeyPath<Output, T1> & Sendable,
    _ keyPath2: any KeyPath<Output, T2> & Sendable
  ) -> Publishers.MapKeyPath3<Self, T0, T1, T2> {
    Publishers.MapKeyPath3(
      upstream: self, keyPath0: keyPath0, keyPath1: keyPath1, keyPath2: keyPath2)
  }
}
