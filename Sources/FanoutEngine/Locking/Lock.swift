// `@unchecked Sendable` invariant: the state is reached only inside `withLock`, one thread at a
// time, and nothing that is called inside is user code. What leaves the critical section leaves as
// a value that the caller alone owns. Clients inline this, so the invariant also needs that a
// reference which leaves is retained before the unlock. The optimiser moves a retain behind an
// atomic store, but not behind what unlocks a `Mutex`: a compare-exchange on Linux, a call into the
// system elsewhere.

public import Synchronization

/// The package's lock: it guards a state, and no thread holds it while user code runs.
///
/// Unlike a bare `Mutex` it accepts state that is not `Sendable`, such as users' values, and
/// touches an atomic inside the critical section: on Linux the slow path of `Mutex` lives in a
/// library that Thread Sanitizer does not see, so that without the tag every contended lock would
/// be reported as a race.
@frozen
public struct Lock<State>: ~Copyable, @unchecked Sendable {
  @usableFromInline let mutex: Mutex<UnsafeTransfer<State>>
  @usableFromInline let tag = Atomic<Bool>(false)

  #if FANOUT_EXPLORER
    @usableFromInline let identity =
      SchedulePoint.controller?.makeIdentity() ?? SchedulePoint.everywhere
  #endif

  /// Creates a lock that guards `state`.
  @inlinable
  public init(_ state: State) {
    mutex = Mutex(UnsafeTransfer(state))
  }

  /// Runs `body` with exclusive access to the state.
  ///
  /// `body` only decides. The caller acts and releases objects after this returns.
  @inlinable
  public borrowing func withLock<Value>(_ body: (inout State) -> Value) -> Value {
    #if FANOUT_EXPLORER
      SchedulePoint.reach(identity)
      defer { SchedulePoint.controller?.unlocked(identity) }
      repeat {
        let result = mutex.withLockIfAvailable { guarded in
          SchedulePoint.controller?.locked(identity)
          return tagged { body(&guarded.value) }
        }
        if let result { return result.value }
      } while SchedulePoint.controller?.wait(forLock: identity) ?? false
    #endif
    return mutex.withLock { guarded in tagged { body(&guarded.value) } }.value
  }

  #if FANOUT_EXPLORER
    /// Runs `body` with exclusive access to the state, as one step of an explored thread.
    borrowing func withLockInOneStep<Value>(_ body: (inout State) -> Value) -> Value {
      mutex.withLock { guarded in tagged { body(&guarded.value) } }.value
    }
  #endif

  // The state is touched inside only: a reference to it that was made before the tag is read would
  // look like a race.
  @inlinable
  @inline(__always)
  borrowing func tagged<Value>(_ body: () -> Value) -> UnsafeTransfer<Value> {
    _ = tag.load(ordering: .acquiring)
    defer { tag.store(true, ordering: .releasing) }
    return UnsafeTransfer(body())
  }
}

extension Lock {
  /// Takes the value out, so that the caller releases it outside the lock.
  @inlinable
  package borrowing func take<Wrapped>() -> Wrapped? where State == Wrapped? {
    withLock { state in
      defer { state = nil }
      return state
    }
  }
}
