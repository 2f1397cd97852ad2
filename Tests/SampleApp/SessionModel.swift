public import Fanout

/// Notes who is logged in.
public final class SessionModel: Sendable {
  /// Who is logged in.
  public let user = CurrentValueSubject<String?, Never>(nil)

  /// Nobody is.
  public init() {}

  /// Listens to logins as it should: for as long as the cancellable is kept.
  public func follow(_ logins: PassthroughSubject<String, Never>) -> AnyCancellable {
    let user = user
    return logins.sink { user.value = $0 }
  }

  /// Listens to logins with a sink of its own, which nobody can cancel.
  public func followForever(_ logins: PassthroughSubject<String, Never>) {
    logins.subscribe(
      Subscribers.Sink<String, Never>(
        receiveCompletion: { _ in }, receiveValue: { self.user.value = $0 }))
  }
}
