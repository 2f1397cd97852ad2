public import Fanout

/// Knows who is logged in.
public final class SessionModel: Sendable {
  /// Who is logged in.
  public let user = CurrentValueSubject<String?, Never>(nil)

  /// Nobody is.
  public init() {}

  /// Follows the logins for as long as the cancellable is kept.
  public func follow(_ logins: PassthroughSubject<String, Never>) -> AnyCancellable {
    let user = user
    return logins.sink { user.value = $0 }
  }
}
