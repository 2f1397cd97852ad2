public import Fanout

/// A session, which knows the user who is logged in.
public final class SessionModel: Sendable {
  /// The name of the user who is logged in, or nil.
  public let user = CurrentValueSubject<String?, Never>(nil)

  /// Creates a session without a user.
  public init() {}

  /// Follows the logins for as long as the cancellable is kept.
  public func follow(_ logins: PassthroughSubject<String, Never>) -> AnyCancellable {
    let user = user
    return logins.sink { user.value = $0 }
  }
}
