/// Where deliveries to one receiver come from: it can be asked for more and stopped.
open class DeliverySource: Link {
  /// Makes a source.
  @inlinable public init() { super.init() }

  /// Whether these sources are made while a lock of the package is held.
  open class var isMadeUnderLock: Bool { false }

  /// Whether nothing can come from here any more, so that lists of sources may forget it.
  open var isOver: Bool { false }

  /// Allows more values.
  open func request(_ credit: Credit) {}

  /// Stops for good.
  ///
  /// If the source guards `receiver`, that is told to release before this returns when no delivery
  /// is running, otherwise by the delivering thread before the next delivery.
  open func cancel(thenRelease receiver: Link?) {}

  /// Stops for good.
  public final override func cancel() { cancel(thenRelease: nil) }

  /// Runs a closure while nothing is being delivered from here, for who wants to look at what
  /// deliveries change.
  ///
  /// Returns false, without running it, if that cannot be had now.
  open func whileIdle(_ body: () -> Void) -> Bool { false }
}

@available(*, unavailable)
extension DeliverySource: Sendable {}
