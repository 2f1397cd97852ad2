// Invariant: `last` is reached only inside `receive(_:)`, which a publisher never calls twice at the
// same time.
//
// `nonisolated(unsafe)`: `==` is a function without state.

public import FanoutEngine

extension Publishers {
  /// A publisher that leaves out the values that are the same as the one before.
  @frozen
  public struct RemoveDuplicates<Upstream: Publisher>: Publisher {
    /// The upstream's values.
    public typealias Output = Upstream.Output
    /// The upstream's failure.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream
    /// Says whether a value is the same as the one before.
    @preconcurrency public let predicate: @Sendable (Output, Output) -> Bool

    /// Makes a publisher that leaves out the values of `upstream` for which `predicate` holds.
    @inlinable
    @preconcurrency
    public init(upstream: Upstream, predicate: @escaping @Sendable (Output, Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    /// Attaches a subscriber.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(
        subscriber: Inner(
          Body(downstream: subscriber, predicate: predicate), name: "RemoveDuplicates"))
    }
  }
}

extension Publishers.RemoveDuplicates: Sendable where Upstream: Sendable {}

extension Publishers.RemoveDuplicates {
  @usableFromInline
  final class Body<Downstream: Subscriber>: OperatorBody<Downstream>
  where Downstream.Input == Upstream.Output {
    @usableFromInline let predicate: @Sendable (Output, Output) -> Bool
    @exclusivity(unchecked) @usableFromInline var last: Output?

    @inlinable
    init(downstream: Downstream, predicate: @escaping @Sendable (Output, Output) -> Bool) {
      self.predicate = predicate
      super.init(downstream: downstream)
    }

    /// Notes a value; returns whether it is the same as the one before, which is released.
    @inlinable
    @inline(__always)
    func repeats(_ input: Output) -> Bool {
      let known = last
      last = input
      return known.map { predicate($0, input) } ?? false
    }

    package override var heldReferences: [HeldReference] {
      super.heldReferences
        + [.closure("predicate", predicate), quietly("last") { last as Any }]
    }
  }

  @usableFromInline
  final class Inner<Downstream: Subscriber>: OperatorSubscription<Body<Downstream>, Downstream>,
    Subscriber
  where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
    @usableFromInline typealias Input = Upstream.Output
    @usableFromInline typealias Failure = Upstream.Failure

    @inlinable
    func receive(_ input: Input) -> Subscribers.Demand {
      stage.withBody { pass(input, $0, isGuarded: false) } ?? .none
    }

    @inlinable
    @inline(__always)
    func _receiveGuarded(_ input: Input) -> Subscribers.Demand {
      stage.deliver {
        pass(input, $0, isGuarded: true)
      } otherwise: {
        receive(input)
      }
    }

    @inlinable
    @inline(__always)
    func pass(
      _ input: Input, _ body: Body<Downstream>, isGuarded: Bool
    ) -> Subscribers.Demand {
      let isSame = body.repeats(input)
      // The closure and the end of the value before may have cancelled.
      guard !stage.isClosed else { return .none }
      // A value that is left out was not delivered, so another is asked for in its place.
      return isSame ? .max(1) : body.downstream.receive(input, isGuarded: isGuarded)
    }
  }
}

extension Publisher {
  /// Leaves out the values that a closure says are the same as the one before.
  ///
  /// - Parameter predicate: called with the value before, delivered or left out, and the new one;
  ///   once a value and subscriber but the first, on the delivering thread.
  /// - Returns: a publisher of the others; what is left out is not counted against demand. It
  ///   retains one value for each subscriber.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let tens = [11, 14, 25, 21, 30].publisher.removeDuplicates { $0 / 10 == $1 / 10 }
  ///   .sink { print($0) }
  /// tens.cancel()
  /// // Prints:
  /// // 11
  /// // 25
  /// // 30
  /// ```
  @inlinable
  @preconcurrency
  public func removeDuplicates(
    by predicate: @escaping @Sendable (Output, Output) -> Bool
  ) -> Publishers.RemoveDuplicates<Self> {
    Publishers.RemoveDuplicates(upstream: self, predicate: predicate)
  }
}

extension Publisher where Output: Equatable {
  /// Leaves out the values that equal the one before.
  ///
  /// - Returns: a publisher of the others; what is left out is not counted against demand. It
  ///   retains one value for each subscriber.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let changes = [1, 1, 2, 2, 1].publisher.removeDuplicates().sink { print($0) }
  /// changes.cancel()
  /// // Prints:
  /// // 1
  /// // 2
  /// // 1
  /// ```
  @inlinable
  public func removeDuplicates() -> Publishers.RemoveDuplicates<Self> {
    removeDuplicates(by: stateless(==))
  }
}

/// A function without state, which may be called on any thread.
@inlinable
func stateless<Value>(
  _ isEqual: @escaping (Value, Value) -> Bool
) -> @Sendable (Value, Value) -> Bool {
  nonisolated(unsafe) let isEqual = isEqual
  return { isEqual($0, $1) }
}
