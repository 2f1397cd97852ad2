/// Where deliveries to one receiver come from: it can be asked for more and stopped.
open class DeliverySource {
  /// Makes a source.
  @inlinable public init() { noteCreation(of: self) }

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
  open func cancel(thenRelease receiver: (any GuardedReceiver)?) {}

  /// Stops for good.
  public final func cancel() { cancel(thenRelease: nil) }

  /// Runs a closure while nothing is being delivered from here, for who wants to look at what
  /// deliveries change.
  ///
  /// Returns false, without running it, if that cannot be had now.
  open func whileIdle(_ body: () -> Void) -> Bool { false }
}

/// A receiver that lets its source tell when none of its deliveries is running.
///
/// A receiver that may be stopped from another thread must not let go of what a running delivery
/// uses. The drain above it knows when that is safe, once for a whole run of values; a receiver
/// that is guarded by it needs no protection of its own per value. Only receivers that use up a
/// value within the call may be guarded, and only they pass the guard on: a receiver that is not
/// known here, and may deliver later or elsewhere, ends the chain.
public protocol GuardedReceiver: AnyObject {
  /// Lets go of what deliveries use: the source it is guarded by runs none any more.
  func releaseFromGuard()
}

@available(*, unavailable)
extension DeliverySource: Sendable {}
