// Invariant: `holder` is the number of the thread that is inside `withLock`. A thread that reads
// its own number there has written it itself, so that a relaxed order is enough.

internal import Synchronization

/// A lock under which code of the user's runs that only computes: `hash(into:)` and `==` of a key,
/// or the closure that reduces a state.
///
/// If that code comes back here, on the thread that holds the lock, it traps with a message of the
/// owner.
package struct KeyLock<State>: ~Copyable, Sendable {
  private let lock: Lock<State>
  private let holder = AtomicValue<UInt>(0)
  private let misuse: StaticString

  /// Creates a lock that guards a state, with the message for a call inside a call.
  package init(_ state: State, misuse: StaticString) {
    lock = Lock(state)
    self.misuse = misuse
  }

  /// Whether this thread holds the lock, as far as threads have numbers.
  package var isHeldHere: Bool {
    let thread = ThreadMark.number
    return thread != 0 && holder.load(ordering: .relaxed) == thread
  }

  /// Runs `body` with exclusive access to the state.
  package borrowing func withLock<Value>(_ body: (inout State) -> Value) -> Value {
    trap(unless: !isHeldHere, "\(misuse)")
    return lock.withLock { state in
      holder.store(ThreadMark.number, ordering: .relaxed)
      defer { holder.store(0, ordering: .relaxed) }
      return body(&state)
    }
  }
}
