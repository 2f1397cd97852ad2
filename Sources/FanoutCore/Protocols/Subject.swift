/// A publisher whose values are sent from outside, through its `send` methods.
///
/// Every method may be called from any thread, also from inside a subscriber of the same subject.
/// After a terminal has been sent, sending does nothing. A subject retains its subscribers until
/// they are cancelled or have received the terminal.
public protocol Subject<Output, Failure>: AnyObject, Publisher {
  /// Delivers a value to the subscribers.
  ///
  /// - Parameter value: The value to deliver.
  func send(_ value: Output)

  /// Delivers a terminal to the subscribers and ends the subject.
  ///
  /// - Parameter completion: The terminal: whether the subject finished or failed.
  func send(completion: Subscribers.Completion<Failure>)

  /// Accepts a subscription to an upstream, whose values will be sent into this subject.
  ///
  /// The subject requests as many values as it wants, and cancels the subscription when the subject
  /// ends or is deallocated.
  ///
  /// - Parameter subscription: The link to the upstream.
  func send(subscription: any Subscription)
}

extension Subject where Output == Void {
  /// Delivers a value without content to the subscribers.
  @inlinable
  public func send() { send(()) }
}
