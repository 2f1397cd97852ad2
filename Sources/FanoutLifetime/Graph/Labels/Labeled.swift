// Unsafe pointer: invariant: the address that is read lies in memory that holds a publisher of this
// type, which the caller keeps alive; a copy is made of it.

public import Fanout

extension Publishers {
  /// A publisher that passes everything through, and has a name in ownership graphs.
  ///
  /// Demand, values, completion and cancel are its upstream's. The publisher retains its upstream;
  /// its subscription retains the subscriber until cancel or completion.
  public struct Labeled<Upstream: Publisher>: Publisher {
    /// The type of the upstream's values.
    public typealias Output = Upstream.Output
    /// The type of the upstream's failure.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream
    @usableFromInline let mark: PublisherLabel

    /// The name.
    public var label: String { mark.name }

    /// Makes a publisher that gives `upstream` the name `label`.
    public init(upstream: Upstream, label: String) {
      self.upstream = upstream
      mark = PublisherLabel(label)
    }

    /// Attaches a subscriber, which receives the upstream's subscription.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(subscriber: LabeledSubscription(subscriber, mark: mark))
    }
  }
}

extension Publishers.Labeled: Sendable where Upstream: Sendable {}

extension Publishers.Labeled: LabeledPublisher {
  static func read(at address: UnsafeRawPointer) -> (PublisherLabel, Any) {
    let publisher = address.assumingMemoryBound(to: Self.self).pointee
    return (publisher.mark, publisher.upstream)
  }
}
