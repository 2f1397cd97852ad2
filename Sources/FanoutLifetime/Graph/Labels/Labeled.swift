// Unsafe pointer: invariant: `read(at:)` is called with the address of a living value of the type
// it is called on, which the caller keeps alive, and keeps only a copy of it.

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
    /// The name.
    public var label: String { mark.name }
    let mark: PublisherLabel

    /// Makes a publisher that gives `upstream` the name `label`.
    public init(upstream: Upstream, label: String) {
      self.upstream = upstream
      mark = PublisherLabel(label)
    }

    /// Attaches a subscriber, which receives the upstream's subscription.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(subscriber: LabeledSubscription(subscriber, of: self))
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

extension Publisher {
  /// Names this publisher in ownership graphs.
  ///
  /// An ``OwnershipGraph`` shows the name with the subject or shared publisher that this publisher
  /// is, or with the objects that stand for it if it consists of operators. Values pass through
  /// unchanged.
  ///
  /// - Parameter label: The name.
  /// - Returns: A publisher that adds the name to this one; demand, completion and cancel pass
  ///   through. If an object receives two names, the first one counts.
  ///
  /// ```swift
  /// import Fanout
  /// import FanoutLifetime
  ///
  /// let taps = PassthroughSubject<Int, Never>()
  /// print(OwnershipGraph(of: taps.labeled("taps")))
  /// // Prints:
  /// // PassthroughSubject 'taps'
  /// ```
  public func labeled(_ label: String) -> Publishers.Labeled<Self> {
    Publishers.Labeled(upstream: self, label: label)
  }
}

/// A name that a user gave to a publisher; an object, so that copies of the publisher are
/// recognised as the same.
final class PublisherLabel: Sendable {
  let name: String

  init(_ name: String) { self.name = name }
}

/// A publisher that is a value and carries a label.
protocol LabeledPublisher {
  /// Reads such a publisher at its address.
  static func read(at address: UnsafeRawPointer) -> (PublisherLabel, Any)
}

/// A subscription to a publisher with a label.
protocol PublisherLabeling: AnyObject {
  var mark: PublisherLabel { get }
  /// The object that the label names: the subject or shared publisher above, or the subscription to
  /// a publisher that is a value.
  var labeledObject: AnyObject? { get }
}
