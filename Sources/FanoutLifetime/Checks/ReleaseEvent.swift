public import Fanout

/// An event of an owner that must release the objects it holds.
public struct ReleaseEvent<Owner> {
  let name: String
  let act: (inout Owner?) -> Void

  /// The release of the last reference to the owner.
  public static var ownerReleased: Self {
    Self(name: "the release of its owner") { $0 = nil }
  }

  /// Makes an event that calls a closure to end the owner's work; the check holds the owner
  /// meanwhile.
  ///
  /// - Parameters:
  ///   - name: The event's name in messages, as in "outlived the logout".
  ///   - act: The closure that makes it happen.
  /// - Returns: The event.
  public static func calling(_ name: String, _ act: @escaping (Owner) -> Void) -> Self {
    Self(name: name) { owner in
      if let owner { act(owner) }
    }
  }
}

extension ReleaseEvent where Owner: Cancellable {
  /// The cancel of the owner, which the check holds meanwhile.
  public static var cancel: Self { calling("the cancel") { $0.cancel() } }
}

extension ReleaseEvent where Owner == any Cancellable {
  /// The cancel of the owner, as `connect()` returns it, which the check holds meanwhile.
  public static var cancel: Self { calling("the cancel") { $0.cancel() } }
}

extension ReleaseEvent where Owner: Subject {
  /// The completion of the owner, a subject, which the check holds meanwhile.
  public static var completion: Self {
    calling("the completion") { $0.send(completion: .finished) }
  }

  /// Makes an event in which the owner, a subject, fails; the check holds it meanwhile.
  ///
  /// - Parameter error: The error with which it fails.
  /// - Returns: The event.
  public static func failure(_ error: Owner.Failure) -> Self {
    calling("the failure") { $0.send(completion: .failure(error)) }
  }
}

@available(*, unavailable)
extension ReleaseEvent: Sendable {}
