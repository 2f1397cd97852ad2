/// A publisher that starts when it is told to, and not when it is subscribed to.
///
/// Subscribers attach first and wait; ``connect()`` starts the upstream for all of them.
public protocol ConnectablePublisher<Output, Failure>: Publisher {
  /// Starts delivering to the subscribers.
  ///
  /// - Returns: A claim on the connection. Cancelling it lets go of that claim.
  func connect() -> any Cancellable
}
