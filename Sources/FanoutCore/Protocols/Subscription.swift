/// The link from one subscriber back to what it is subscribed to.
///
/// A subscriber gets its subscription first, by ``Subscriber/receive(subscription:)``, and then says
/// with ``request(_:)`` how many values it can take. Requests add up. The subscription retains its
/// upstream and its subscriber until it is cancelled or has delivered a terminal; it lets go of both
/// then, and not only when it dies.
///
/// ``request(_:)`` and ``Cancellable/cancel()`` may be called from any thread, also from inside the
/// subscriber's `receive` methods. After `cancel()` on the delivering thread nothing more starts on
/// the subscriber; after `cancel()` on another thread at most one call that was already decided
/// still runs. A request after that does nothing.
public protocol Subscription: Cancellable, CustomCombineIdentifierConvertible {
  /// Allows that many more values.
  ///
  /// - Parameter demand: What is added to the demand so far. ``Subscribers/Demand/none`` adds
  ///   nothing.
  func request(_ demand: Subscribers.Demand)
}
