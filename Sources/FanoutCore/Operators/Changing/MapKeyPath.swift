/// A closure that returns a key path.
@usableFromInline
typealias KeyPathSource<Root, Value> = @Sendable () -> any KeyPath<Root, Value> & Sendable

extension Publishers {
  /// A publisher of the upstream's values at a key path.
  @frozen
  public struct MapKeyPath<Upstream: Publisher, Output>: Publisher {
    /// The upstream's failure.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream
    /// The key path of the property.
    @inlinable @preconcurrency
    public var keyPath: any KeyPath<Upstream.Output, Output> & Sendable { key() }

    // The optimiser replaces a literal key path by a direct access only in a closure, and only if nothing
    // else uses it. So one closure has the key path, and the other one has that closure. Reading by a key
    // path that is only known at run time takes thirty times as long.
    @usableFromInline let key: KeyPathSource<Upstream.Output, Output>
    @usableFromInline let read: @Sendable (Upstream.Output) -> Output

    /// Creates a publisher of the values of `upstream` at `keyPath`.
    @inlinable
    @preconcurrency
    public init(upstream: Upstream, keyPath: any KeyPath<Upstream.Output, Output> & Sendable) {
      self.upstream = upstream
      let key: KeyPathSource<Upstream.Output, Output> = { keyPath }
      self.key = key
      read = { $0[keyPath: key()] }
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
    @inlinable @preconcurrency
    public var keyPath0: any KeyPath<Upstream.Output, Output0> & Sendable { key0() }
    /// The key path of the second property.
    @inlinable @preconcurrency
    public var keyPath1: any KeyPath<Upstream.Output, Output1> & Sendable { key1() }

    @usableFromInline let key0: KeyPathSource<Upstream.Output, Output0>
    @usableFromInline let key1: KeyPathSource<Upstream.Output, Output1>
    @usableFromInline let read: @Sendable (Upstream.Output) -> Output

    /// Creates a publisher of the values of `upstream` at two key paths.
    @inlinable
    @preconcurrency
    public init(
      upstream: Upstream, keyPath0: any KeyPath<Upstream.Output, Output0> & Sendable,
      keyPath1: any KeyPath<Upstream.Output, Output1> & Sendable
    ) {
      self.upstream = upstream
      let key0: KeyPathSource<Upstream.Output, Output0> = { keyPath0 }
      let key1: KeyPathSource<Upstream.Output, Output1> = { keyPath1 }
      (self.key0, self.key1) = (key0, key1)
      read = { ($0[keyPath: key0()], $0[keyPath: key1()]) }
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
    @inlinable @preconcurrency
    public var keyPath0: any KeyPath<Upstream.Output, Output0> & Sendable { key0() }
    /// The key path of the second property.
    @inlinable @preconcurrency
    public var keyPath1: any KeyPath<Upstream.Output, Output1> & Sendable { key1() }
    /// The key path of the third property.
    @inlinable @preconcurrency
    public var keyPath2: any KeyPath<Upstream.Output, Output2> & Sendable { key2() }

    @usableFromInline let key0: KeyPathSource<Upstream.Output, Output0>
    @usableFromInline let key1: KeyPathSource<Upstream.Output, Output1>
    @usableFromInline let key2: KeyPathSource<Upstream.Output, Output2>
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
      let key0: KeyPathSource<Upstream.Output, Output0> = { keyPath0 }
      let key1: KeyPathSource<Upstream.Output, Output1> = { keyPath1 }
      let key2: KeyPathSource<Upstream.Output, Output2> = { keyPath2 }
      (self.key0, self.key1, self.key2) = (key0, key1, key2)
      read = { ($0[keyPath: key0()], $0[keyPath: key1()], $0[keyPath: key2()]) }
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
  /// ![Each text is replaced by the number of its letters.](map-key-path)
  ///
  /// It works as `map` with a closure that reads the property.
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
  /// ![Each text is replaced by its first and its last letter.](map-two-key-paths)
  ///
  /// - Parameters:
  ///   - keyPath0: The key path of the first property.
  ///   - keyPath1: The key path of the second property.
  /// - Returns: A publisher of the pairs. Demand, completion and cancel pass through.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let words = ["one", "three"].publisher.map(\.count, \.isEmpty).sink { print($0, $1) }
  /// words.cancel()
  /// // Prints:
  /// // 3 false
  /// // 5 false
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
  /// ![Each text is replaced by its length, its first and its last letter.](map-three-key-paths)
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
