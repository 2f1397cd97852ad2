extension Publishers {
  /// A publisher of the last value of its upstream.
  public struct Last<Upstream: Publisher>: Publisher {
    /// The upstream's values.
    public typealias Output = Upstream.Output
    /// The upstream's failure.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream

    /// Creates a publisher of the last value of `upstream`.
    @inlinable
    public init(upstream: Upstream) {
      self.upstream = upstream
    }

    /// Attaches the specified subscriber.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(subscriber: FinalStepSubscription(Step(), nil, downstream: subscriber))
    }
  }
}

extension Publishers.Last: Sendable where Upstream: Sendable {}
extension Publishers.Last: Equatable where Upstream: Equatable {}

extension Publishers.Last {
  /// The state is the last value so far.
  @usableFromInline
  package struct Step: FinalStep {
    @inlinable
    init() {}

    @inlinable package static var name: StaticString? { "Last" }

    @inlinable
    @inline(__always)
    package func step(
      _ value: Upstream.Output, _ state: inout Upstream.Output?
    ) -> StepResult<Upstream.Output, Upstream.Failure> {
      state = value
      return .ignore
    }

    @inlinable
    package func result(_ state: Upstream.Output?) -> Upstream.Output? { state }
  }
}

extension Publishers {
  /// A publisher of the last value of its upstream that a closure accepts.
  @frozen
  public struct LastWhere<Upstream: Publisher>: Publisher {
    /// The upstream's values.
    public typealias Output = Upstream.Output
    /// The upstream's failure.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream
    /// The closure that returns whether it accepts a value.
    @preconcurrency public let predicate: @Sendable (Upstream.Output) -> Bool

    /// Creates a publisher of the last value of `upstream` that `predicate` accepts.
    @inlinable
    @preconcurrency
    public init(upstream: Upstream, predicate: @escaping @Sendable (Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    /// Attaches the specified subscriber.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(
        subscriber: FinalStepSubscription(Step(predicate), nil, downstream: subscriber))
    }
  }
}

extension Publishers.LastWhere: Sendable where Upstream: Sendable {}

extension Publishers.LastWhere {
  /// The state is the last value that was accepted so far.
  @usableFromInline
  package struct Step: FinalStep {
    @usableFromInline let predicate: @Sendable (Upstream.Output) -> Bool

    @inlinable
    init(_ predicate: @escaping @Sendable (Upstream.Output) -> Bool) {
      self.predicate = predicate
    }

    @inlinable package static var name: StaticString? { "LastWhere" }

    @inlinable
    @inline(__always)
    package func step(
      _ value: Upstream.Output, _ state: inout Upstream.Output?
    ) -> StepResult<Upstream.Output, Upstream.Failure> {
      if predicate(value) { state = value }
      return .ignore
    }

    @inlinable
    package func result(_ state: Upstream.Output?) -> Upstream.Output? { state }
  }
}

extension Publishers {
  /// A publisher of the last value of its upstream that a closure accepts; it fails when the
  /// closure throws.
  @frozen
  public struct TryLastWhere<Upstream: Publisher>: Publisher {
    /// The upstream's values.
    public typealias Output = Upstream.Output
    /// The error that the closure throws, or the upstream's failure.
    public typealias Failure = any Error

    /// The upstream publisher.
    public let upstream: Upstream
    /// The closure that returns whether it accepts a value.
    @preconcurrency public let predicate: @Sendable (Upstream.Output) throws -> Bool

    /// Creates a publisher of the last value of `upstream` that `predicate` accepts.
    @inlinable
    @preconcurrency
    public init(upstream: Upstream, predicate: @escaping @Sendable (Upstream.Output) throws -> Bool)
    {
      self.upstream = upstream
      self.predicate = predicate
    }

    /// Attaches the specified subscriber.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(
        subscriber: FinalStepSubscription(Step(predicate), nil, downstream: subscriber))
    }
  }
}

extension Publishers.TryLastWhere: Sendable where Upstream: Sendable {}

extension Publishers.TryLastWhere {
  /// The state is the last value that was accepted so far.
  @usableFromInline
  package struct Step: FinalStep {
    @usableFromInline let predicate: @Sendable (Upstream.Output) throws -> Bool

    @inlinable
    init(_ predicate: @escaping @Sendable (Upstream.Output) throws -> Bool) {
      self.predicate = predicate
    }

    @inlinable package static var name: StaticString? { "TryLastWhere" }

    @inlinable
    @inline(__always)
    package func step(
      _ value: Upstream.Output, _ state: inout Upstream.Output?
    ) -> StepResult<Upstream.Output, any Error> {
      do {
        if try predicate(value) { state = value }
        return .ignore
      } catch {
        return .failure(error)
      }
    }

    @inlinable
    package func result(_ state: Upstream.Output?) -> Upstream.Output? { state }

    @inlinable
    package func failure(_ error: Upstream.Failure) -> any Error { error }
  }
}

extension Publisher {
  /// Delivers the last value once the upstream has finished.
  ///
  /// ![When the upstream finishes, the subscriber receives its last value, and finishes.](last)
  ///
  /// - Returns: A publisher that requests everything from its upstream, retains the last value, and
  ///   delivers it when its subscriber requests it. It finishes without a value if there was none.
  ///   A failure passes without a value.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let printed = (1...3).publisher.last().sink(
  ///   receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// printed.cancel()
  /// // Prints:
  /// // 3
  /// // finished
  /// ```
  @inlinable
  public func last() -> Publishers.Last<Self> {
    Publishers.Last(upstream: self)
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
  @inlinable
  @preconcurrency
  public func last(where predicate: @escaping @Sendable (Output) -> Bool)
    -> Publishers.LastWhere<Self>
  {
    Publishers.LastWhere(upstream: self, predicate: predicate)
  }
}

extension Publisher {
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
  @inlinable
  @preconcurrency
  public func tryLast(where predicate: @escaping @Sendable (Output) throws -> Bool)
    -> Publishers.TryLastWhere<Self>
  {
    Publishers.TryLastWhere(upstream: self, predicate: predicate)
  }
}
