/// The source of the deliveries to one receiver, which accepts requests and a cancel.
open class DeliverySource: ChainNode {
  /// Creates a source.
  @inlinable public init() { super.init() }

  /// Whether sources of this class are created while a lock of the package is held.
  open class var isMadeUnderLock: Bool { false }

  /// Whether the source can deliver nothing more, so that a list of sources may drop it.
  open var isOver: Bool { false }

  /// Whether a request involves no other source and no other subscriber, so that it returns before long or
  /// passes its work on to a task (`BoundedDelivery`).
  open var isSelfContained: Bool { false }

  /// Requests more values.
  open func request(_ credit: Credit) {}

  /// Cancels the deliveries.
  ///
  /// If the source guards `receiver`, it notifies the receiver when its deliveries have quiesced: before
  /// this returns if no delivery runs, otherwise on the delivering thread before the next delivery.
  open func cancel(thenRelease receiver: ChainNode?) {}

  /// Cancels the deliveries.
  public final override func cancel() { cancel(thenRelease: nil) }
}

@available(*, unavailable)
extension DeliverySource: Sendable {}
