// `@unchecked Sendable` invariant: everything is under the lock; the value is put in by one thread and
// taken out by one task, which is resumed after that at the earliest.

/// One value that a task waits for and any thread gives.
///
/// The task hands this out first and suspends afterwards, so that an answer that comes at once is found
/// without suspending, and hardly ever is a continuation resumed by another thread before its task has
/// suspended: that order is right too, but the runtime does not tell Thread Sanitizer of it. For the
/// same reason the value comes by the lock and not by the continuation.
public final class Answer<Value>: @unchecked Sendable {
  struct State {
    var value: Value?
    var waiter: UnsafeContinuation<Void, Never>?
  }

  let state = Lock(State())

  /// Makes an answer that is not given yet.
  public init() { noteCreation(of: self, isPart: true) }

  /// Gives the answer; called once.
  public func give(_ value: Value) {
    let waiter = state.withLock { state in
      defer { state.waiter = nil }
      state.value = value
      return state.waiter
    }
    waiter?.resume()
  }

  /// Waits for the answer and takes it; called once.
  public func wait(isolation actor: isolated (any Actor)?) async -> Value {
    if let value = take() { return value }
    await withUnsafeContinuation(isolation: actor) { waiter in
      let isGiven = state.withLock { state in
        if state.value == nil { state.waiter = waiter }
        return state.value != nil
      }
      if isGiven { waiter.resume() }
    }
    guard let value = take() else {
      preconditionFailure("An answer is given before its task is resumed, and taken once.")
    }
    return value
  }

  func take() -> Value? {
    state.withLock { state in
      defer { state.value = nil }
      return state.value
    }
  }
}

extension Answer: ReferenceListing {
  package var heldReferences: [HeldReference] {
    state.withLock { $0.value }.map { [.value("state.value", $0)] } ?? []
  }
}
