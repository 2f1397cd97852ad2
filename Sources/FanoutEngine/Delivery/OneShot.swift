// `@unchecked Sendable` invariant: everything is under the lock; the value is put in by one thread
// and taken out by one task, which is resumed after that at the earliest. `arrivalIndex` belongs to
// the list that it is in, and is under the lock that guards the list.

/// One value that a task awaits and any thread provides.
///
/// The task passes this object on first and suspends afterwards, so that a value that comes at once
/// is found without a suspension, and a continuation is rarely resumed before its task has
/// suspended: the runtime does not report that order to Thread Sanitizer. So the value also comes
/// by the lock and not by the continuation.
public final class OneShot<Value>: ArrivalListMember, @unchecked Sendable {
  @usableFromInline
  package struct State {
    @usableFromInline package var value: Value?
    @usableFromInline var waiter: UnsafeContinuation<Void, Never>?

    init() {}
  }

  @usableFromInline package let state = Lock(State())
  @usableFromInline @exclusivity(unchecked) package var arrivalIndex = -1

  /// Creates a one-shot without a value.
  public init() { noteCreation(of: self, isPart: true) }

  /// Provides the value; called once.
  @inlinable
  public func give(_ value: Value) { put(value)?.resume() }

  /// Provides the value, and returns the task that waits for it, if one does: the caller resumes
  /// it.
  @inlinable
  func put(_ value: Value) -> UnsafeContinuation<Void, Never>? {
    state.withLock { state in
      defer { state.waiter = nil }
      state.value = value
      return state.waiter
    }
  }

  /// Waits for the value and takes it; called once.
  @inlinable
  public func wait(isolation actor: isolated (any Actor)?) async -> Value {
    if let value = take() { return value }
    await withUnsafeContinuation(isolation: actor) { waiter in
      let isGiven = state.withLock { state in
        if state.value == nil { state.waiter = waiter }
        return state.value != nil
      }
      #if FANOUT_EXPLORER
        // Here the value may come to a task that has not suspended yet.
        SchedulePoint.reach()
      #endif
      if isGiven { waiter.resume() }
    }
    guard let value = take() else {
      preconditionFailure("A one-shot has its value before its task is resumed, and is taken once.")
    }
    return value
  }

  /// Takes the value, if it was provided and not taken.
  @inlinable
  package func take() -> Value? {
    state.withLock { state in
      defer { state.value = nil }
      return state.value
    }
  }
}
