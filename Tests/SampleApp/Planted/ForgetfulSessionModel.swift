public import Fanout

/// A session with the second leak: it subscribes and keeps nothing with which to cancel.
public final class ForgetfulSessionModel: Sendable {
  /// Who is logged in.
  public let user = CurrentValueSubject<String?, Never>(nil)

  /// Nobody is.
  public init() {}

  /// Follows the logins until they end.
  public func follow(_ logins: PassthroughSubject<String, Never>) {
    let user = user
    logins.subscribe(
      Subscribers.Sink(receiveCompletion: { _ in }, receiveValue: { user.value = $0 }))
  }
}
