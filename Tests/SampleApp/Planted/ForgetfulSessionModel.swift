public import Fanout

/// A session with the second leak: it subscribes and keeps nothing with which to cancel.
public final class ForgetfulSessionModel: Sendable {
  /// The name of the user who is logged in, or nil.
  public let user = CurrentValueSubject<String?, Never>(nil)

  /// Creates a session without a user.
  public init() {}

  /// Follows the logins until they end.
  public func follow(_ logins: PassthroughSubject<String, Never>) {
    let user = user
    logins.subscribe(
      Subscribers.Sink(receiveCompletion: { _ in }, receiveValue: { user.value = $0 }))
  }
}
