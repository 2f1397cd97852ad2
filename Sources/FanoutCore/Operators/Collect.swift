// Invariant: `values` is reached only inside `receive(_:)` and `receive(completion:)`, which a
// publisher never calls at the same time.

public import FanoutEngine

extension Publishers {
  /// A publisher of one array: all values of its upstream.
  public struct Collect<Upstream: Publisher>: Publisher {
    /// An array of the upstream's values.
    public typealias Output = [Upstream.Output]
    /// The upstream's failure.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream

    /// Makes a publisher of one array of all values of `upstream`.
    public init(upstream: Upstream) { self.upstream = upstream }

    /// Attaches a subscriber.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(subscriber: Inner(Body(downstream: subscriber), name: "Collect"))
    }
  }
}

extension Publishers.Collect: Sendable where Upstream: Sendable {}
extension Publishers.Collect: Equatable where Upstream: Equatable {}

extension Publishers.Collect {
  @usableFromInline
  final class Body<Downstream: Subscriber>: OperatorBody<Downstream>
  where Downstream.Input == Output {
    @exclusivity(unchecked) @usableFromInline var values: [Upstream.Output] = []

    @inlinable
    override init(downstream: Downstream) {
      super.init(downstream: downstream)
    }

    package override var heldReferences: [HeldReference] {
      super.heldReferences + [quietly("values") { values }]
    }
  }

  @usableFromInline
  final class Inner<Downstream: Subscriber>: FinalValueSubscription<Body<Downstream>, Downstream>,
    Subscriber
  where Downstream.Input == Output, Downstream.Failure == Upstream.Failure {
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

    @inlinable
    func receive(_ input: Input) -> Subscribers.Demand {
      _ = stage.withBody { $0.values.append(input) }
      return .none
    }

    @usableFromInline
    override func receive(completion: Subscribers.Completion<Downstream.Failure>) {
      guard case .finished = completion else { return end(completion) }
      if let (downstream, values) = finish(taking: { ($0.downstream, $0.values) }) {
        offer(values, to: downstream)
      }
    }
  }
}

extension Publisher {
  /// Delivers one array of all values, when the upstream has finished.
  ///
  /// - Returns: a publisher that asks its upstream for everything, and delivers the array when it is
  ///   asked for; an empty one if there was no value. A failure passes at once, and the values are
  ///   let go then, as at a cancel. They are retained until the array is delivered, however many
  ///   there are.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let all = (1...3).publisher.collect().sink { print($0) }
  /// all.cancel()
  /// // Prints:
  /// // [1, 2, 3]
  /// ```
  public func collect() -> Publishers.Collect<Self> {
    Publishers.Collect(upstream: self)
  }
}
