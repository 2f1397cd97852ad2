/// A publisher that starts when ``connect()`` is called, not when a subscriber attaches.
///
/// Subscribers attach first and wait; ``connect()`` starts the upstream for all of them.
public protocol ConnectablePublisher<Output, Failure>: Publisher {
  /// Starts delivering values to the attached subscribers.
  ///
  /// - Returns: A claim on the connection. Cancelling it releases that claim.
  func connect() -> any Cancellable
}
