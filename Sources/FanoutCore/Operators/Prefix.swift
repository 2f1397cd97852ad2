// Invariant: `position` is reached only inside `receive(_:)`, which a publisher never calls twice at
// the same time.

public import FanoutEngine

extension Publishers {
  /// A publisher of the values of its upstream whose positions lie in a range.
  public struct Output<Upstream: Publisher>: Publisher {
    /// The upstream's values.
    public typealias Output = Upstream.Output
    /// The upstream's failure.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream
    /// The positions of the values that are delivered; the first value has position 0.
    public let range: CountableRange<Int>

    /// Makes a publisher of the values whose positions lie in `range`.
    public init(upstream: Upstream, range: CountableRange<Int>) {
      precondition(range.lowerBound >= 0, "The range of positions must not begin below 0.")
      self.upstream = upstream
      self.range = range
    }

    /// Attaches a subscriber; an empty range finishes without asking the upstream.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      guard !range.isEmpty else {
        return Empty<Output, Failure>().receive(subscriber: subscriber)
      }
      upstream.receive(
        subscriber: Inner(Body(downstream: subscriber, range: range), name: "Output"))
    }
  }
}

extension Publishers.Output: Sendable where Upstream: Sendable {}
extension Publishers.Output: Equatable where Upstream: Equatable {}

extension Publishers.Output {
  @usableFromInline
  final class Body<Downstream: Subscriber>: OperatorBody<Downstream>
  where Downstream.Input == Upstream.Output {
    @usableFromInline let range: CountableRange<Int>
    @exclusivity(unchecked) @usableFromInline var position = 0

    @inlinable
    init(downstream: Downstream, range: CountableRange<Int>) {
      self.range = range
      super.init(downstream: downstream)
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
      finishing(stage.withBody { pass(input, $0, isGuarded: false) })
    }

    @inlinable
    @inline(__always)
    func _receiveGuarded(_ input: Input) -> Subscribers.Demand {
      finishing(
        stage.deliver {
          pass(input, $0, isGuarded: true)
        } otherwise: {
          stage.withBody { pass(input, $0, isGuarded: false) }
        })
    }

    /// Finishes after the last value, when nothing uses the body any more.
    @inlinable
    @inline(__always)
    func finishing(
      _ passed: (demand: Subscribers.Demand, isLast: Bool)?
    ) -> Subscribers.Demand {
      guard let passed else { return .none }
      if passed.isLast { endEarly(.finished) }
      return passed.isLast ? .none : passed.demand
    }

    @inlinable
    @inline(__always)
    func pass(
      _ input: Input, _ body: Body<Downstream>, isGuarded: Bool
    ) -> (demand: Subscribers.Demand, isLast: Bool) {
      let position = body.position
      body.position = position + 1
      guard position >= body.range.lowerBound else { return (.max(1), false) }
      guard position < body.range.upperBound else { return (.none, false) }
      let demand = body.downstream.receive(input, isGuarded: isGuarded)
      return (demand, position == body.range.upperBound - 1)
    }
  }
}

extension Publisher {
  /// Delivers the first values, then finishes and cancels its upstream.
  ///
  /// - Parameter maxLength: how many values at most, from 0 up; a negative number traps.
  /// - Returns: a publisher that finishes with the last of them; with 0, at once.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let two = (1...9).publisher.prefix(2).sink(
  ///   receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// two.cancel()
  /// // Prints:
  /// // 1
  /// // 2
  /// // finished
  /// ```
  public func prefix(_ maxLength: Int) -> Publishers.Output<Self> {
    precondition(maxLength >= 0, "prefix(_:) needs a length of 0 or more, not \(maxLength).")
    return Publishers.Output(upstream: self, range: 0..<maxLength)
  }
}
