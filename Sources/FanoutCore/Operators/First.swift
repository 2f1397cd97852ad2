public import FanoutEngine

extension Publishers {
  /// A publisher of the first value of its upstream.
  public struct First<Upstream: Publisher>: Publisher {
    /// The upstream's values.
    public typealias Output = Upstream.Output
    /// The upstream's failure.
    public typealias Failure = Upstream.Failure

    /// Where the value comes from.
    public let upstream: Upstream

    /// Makes a publisher of the first value of `upstream`.
    public init(upstream: Upstream) { self.upstream = upstream }

    /// Attaches a subscriber.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(subscriber: Inner(Body(downstream: subscriber), name: "First"))
    }
  }
}

extension Publishers.First: Sendable where Upstream: Sendable {}
extension Publishers.First: Equatable where Upstream: Equatable {}

extension Publishers.First {
  @usableFromInline
  final class Body<Downstream: Subscriber>: OperatorBody<Downstream>
  where Downstream.Input == Upstream.Output {
    @inlinable
    override init(downstream: Downstream) {
      super.init(downstream: downstream)
    }
  }

  @usableFromInline
  final class Inner<Downstream: Subscriber>: FinalValueSubscription<Body<Downstream>, Downstream>,
    Subscriber
  where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
    @usableFromInline typealias Input = Upstream.Output
    @usableFromInline typealias Failure = Upstream.Failure

    @usableFromInline
    override init(_ body: Body<Downstream>, name: StaticString?) {
      super.init(body, name: name)
    }

    @usableFromInline
    override func didReceiveSubscription() { stage.request(.unlimited) }

    @usableFromInline
    override func request(_ credit: Credit) {
      if credit != .none { ask() }
    }

    /// Lets go of the upstream at the first value, and holds that until it is asked for.
    @usableFromInline
    func receive(_ input: Input) -> Subscribers.Demand {
      let downstream = finish { body in
        body.adopted?.cancel()
        return body.downstream
      }
      if let downstream { offer(input, to: downstream) }
      return .none
    }
  }
}

extension Publisher {
  /// Delivers the first value, then finishes and cancels its upstream.
  ///
  /// - Returns: a publisher that asks its upstream for everything, cancels it at the first value,
  ///   and delivers that value when it is asked for; it finishes without one if its upstream does.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let first = (7...9).publisher.first().sink(
  ///   receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// first.cancel()
  /// // Prints:
  /// // 7
  /// // finished
  /// ```
  public func first() -> Publishers.First<Self> {
    Publishers.First(upstream: self)
  }
}
