// It does not say whether it is `Sendable`, as one of few: some nodes are, most are not, and a
// class that said that it is not could have no subclass that is.

/// A node of a chain of deliveries, from a drain down to a subscriber.
///
/// A node that another thread cancels must not release what a running delivery uses. The drain
/// above knows when that is safe, once for a whole run of values, so a node that is *fused* with
/// the drain needs no protection of its own for each value. Only a node that consumes a value
/// within the call is fused, and fuses its own subscriber.
open class ChainNode {
  /// Creates a node.
  ///
  /// - Parameter isPart: Whether only others of the package's objects refer to it.
  public init(isPart: Bool = false) { noteCreation(of: self, isPart: isPart) }

  /// Cancels the deliveries.
  open func cancel() {}

  /// Releases what deliveries use: the source that guards the node runs none any more.
  open func _sourceDidQuiesce() {}
}

/// The source of the deliveries to one receiver, which accepts requests and a cancel.
open class DeliverySource: ChainNode {
  /// Whether sources of this class are created while a lock of the package is held.
  open class var isMadeUnderLock: Bool { false }

  /// Whether the source can deliver nothing more, so that a list of sources may drop it.
  open var isOver: Bool { false }

  /// Whether a request involves no other source and no other subscriber, so that it returns before
  /// long or passes its work on to a task (`BoundedDelivery`).
  open var isSelfContained: Bool { false }

  /// Whether more waits for the receiver behind what is being delivered to it; asked within a
  /// delivery only.
  open var hasMore: Bool { false }

  /// Requests more values.
  open func request(_ credit: Credit) {}

  /// Returns whether the source drops what is not requested, as a subject does, so that the caller
  /// has to request everything.
  ///
  /// An operator asks its upstreams, also those that come later. If it keeps what its subscriber
  /// has not requested, it requests everything itself from those that drop, and returns false.
  open func disallowDrops() -> Bool { false }

  /// Cancels the deliveries.
  ///
  /// If the source guards `receiver`, it notifies the receiver when its deliveries have quiesced:
  /// before this returns if no delivery runs, otherwise on the delivering thread before the next
  /// delivery.
  open func cancel(thenRelease receiver: ChainNode?) {}

  /// Cancels the deliveries.
  public final override func cancel() { cancel(thenRelease: nil) }
}

/// A box for a receiver that is not an object, because a cursor retains objects.
public final class ReceiverBox<Receiver> {
  /// The receiver in the box.
  public let receiver: Receiver

  /// Creates a box.
  public init(_ receiver: Receiver) {
    self.receiver = receiver
    noteCreation(of: self, isPart: true)
  }
}

@available(*, unavailable)
extension DeliverySource: Sendable {}

@available(*, unavailable)
extension ReceiverBox: Sendable {}
