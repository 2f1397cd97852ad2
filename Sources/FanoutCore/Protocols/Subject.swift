/// A publisher that is told from outside what to deliver.
///
/// Every method may be called from any thread, also from inside a subscriber of the same subject.
/// After a terminal has been sent, sending does nothing. A subject retains its subscribers until
/// they are cancelled or have received the terminal.
public protocol Subject<Output, Failure>: AnyObject, Publisher {
  /// Delivers a value to the subscribers.
  ///
  /// - Parameter value: The value.
  func send(_ value: Output)

  /// Delivers a terminal to the subscribers and ends the subject.
  ///
  /// - Parameter completion: Whether it finished or failed.
  func send(completion: Subscribers.Completion<Failure>)

  /// Takes over a subscription to an upstream, whose values will be sent into this subject.
  ///
  /// The subject asks it for as much as it wants, and cancels it when the subject ends or dies.
  ///
  /// - Parameter subscription: The link to the upstream.
  func send(subscription: any Subscription)
}

extension Subject where Output == Void {
  /// Delivers a value that says nothing but that it came.
  @inlinable
  public func send() { send(()) }
}
