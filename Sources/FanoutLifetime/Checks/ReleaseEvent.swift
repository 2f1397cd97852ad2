public import Fanout

/// What happens to an owner in a check of what it lets go of.
public struct ReleaseEvent<Owner> {
  let name: String
  let act: (inout Owner?) -> Void

  /// The last reference to the owner is dropped.
  public static var ownerReleased: Self {
    Self(name: "the release of its owner") { $0 = nil }
  }

  /// Something is called that ends the owner's work; the owner itself is held meanwhile.
  ///
  /// - Parameters:
  ///   - name: What to call the event in messages, as in "outlived the logout".
  ///   - act: Makes it happen.
  /// - Returns: The event.
  public static func calling(_ name: String, _ act: @escaping (Owner) -> Void) -> Self {
    Self(name: name) { owner in
      if let owner { act(owner) }
    }
  }
}

extension ReleaseEvent where Owner: Cancellable {
  /// The owner is cancelled, and held meanwhile.
  public static var cancel: Self { calling("the cancel") { $0.cancel() } }
}

extension ReleaseEvent where Owner == any Cancellable {
  /// The owner, as `connect()` returns it, is cancelled, and held meanwhile.
  public static var cancel: Self { calling("the cancel") { $0.cancel() } }
}

extension ReleaseEvent where Owner: Subject {
  /// The owner, a subject, finishes, and is held meanwhile.
  public static var completion: Self {
    calling("the completion") { $0.send(completion: .finished) }
  }

  /// The owner, a subject, fails, and is held meanwhile.
  ///
  /// - Parameter error: Why it fails.
  /// - Returns: The event.
  public static func failure(_ error: Owner.Failure) -> Self {
    calling("the failure") { $0.send(completion: .failure(error)) }
  }
}

@available(*, unavailable)
extension ReleaseEvent: Sendable {}
