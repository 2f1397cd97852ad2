/// The link from one subscriber back to its upstream.
///
/// A subscriber gets its subscription first, through ``Subscriber/receive(subscription:)``, and
/// then calls ``request(_:)`` to allow values. Requests add up. The subscription retains its
/// upstream and its subscriber until it is cancelled or has delivered a terminal; it releases both
/// at that moment, not only when it is deallocated.
///
/// ``request(_:)`` and ``Cancellable/cancel()`` may be called from any thread, also from inside the
/// subscriber's `receive` methods. After `cancel()` on the delivering thread no further call to the
/// subscriber starts. After `cancel()` on another thread at most one call that was already decided
/// still runs. A request after that does nothing.
public protocol Subscription: Cancellable, CustomCombineIdentifierConvertible {
  /// Requests the specified number of further values.
  ///
  /// - Parameter demand: The number to add to the demand so far. ``Subscribers/Demand/none`` adds
  ///   nothing.
  func request(_ demand: Subscribers.Demand)
}
