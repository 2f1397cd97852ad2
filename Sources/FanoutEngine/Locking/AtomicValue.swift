public import Synchronization

// An explored access is sequentially consistent whatever its caller asked for: one thread runs at a
// time, so a schedule never shows what a weaker order would allow. Thread Sanitizer looks for that.

#if FANOUT_EXPLORER
  /// An atomic value whose every access is a point where an explorer may switch threads.
  public struct AtomicValue<Value>: ~Copyable, Sendable {
    private let base: Lock<Value>

    /// Creates an atomic value.
    public init(_ initial: Value) { base = Lock(initial) }

    /// Returns the value.
    public borrowing func load(ordering: AtomicLoadOrdering) -> Value {
      inOneStep(writes: false) { $0 }
    }

    /// Sets the value.
    public borrowing func store(_ desired: Value, ordering: AtomicStoreOrdering) {
      inOneStep { $0 = desired }
    }

    /// Sets the value and returns the old one.
    public borrowing func exchange(_ desired: Value, ordering: AtomicUpdateOrdering) -> Value {
      inOneStep { value in
        let old = value
        value = desired
        return old
      }
    }

    /// Reads and writes the value with no other access in between.
    borrowing func inOneStep<Result>(
      writes: Bool = true, _ body: (inout Value) -> Result
    ) -> Result {
      SchedulePoint.reach(base.identity, writes: writes)
      return base.withLockInOneStep(body)
    }
  }

  extension AtomicValue where Value: Equatable {
    /// Sets the value if the current one equals `expected`.
    public borrowing func compareExchange(
      expected: Value, desired: Value, ordering: AtomicUpdateOrdering
    ) -> (exchanged: Bool, original: Value) {
      inOneStep { value in
        let old = value
        if old == expected { value = desired }
        return (old == expected, old)
      }
    }

    /// Sets the value if the current one equals `expected`.
    public borrowing func compareExchange(
      expected: Value, desired: Value,
      successOrdering: AtomicUpdateOrdering, failureOrdering: AtomicLoadOrdering
    ) -> (exchanged: Bool, original: Value) {
      compareExchange(expected: expected, desired: desired, ordering: successOrdering)
    }
  }

  extension AtomicValue where Value: FixedWidthInteger {
    /// Adds, and returns the old and the new value.
    @discardableResult
    public borrowing func wrappingAdd(
      _ operand: Value, ordering: AtomicUpdateOrdering
    ) -> (oldValue: Value, newValue: Value) { change { $0 &+= operand } }

    /// Subtracts, and returns the old and the new value.
    @discardableResult
    public borrowing func wrappingSubtract(
      _ operand: Value, ordering: AtomicUpdateOrdering
    ) -> (oldValue: Value, newValue: Value) { change { $0 &-= operand } }

    /// Sets bits, and returns the old and the new value.
    @discardableResult
    public borrowing func bitwiseOr(
      _ operand: Value, ordering: AtomicUpdateOrdering
    ) -> (oldValue: Value, newValue: Value) { change { $0 |= operand } }

    /// Clears all other bits, and returns the old and the new value.
    @discardableResult
    public borrowing func bitwiseAnd(
      _ operand: Value, ordering: AtomicUpdateOrdering
    ) -> (oldValue: Value, newValue: Value) { change { $0 &= operand } }

    borrowing func change(_ body: (inout Value) -> Void) -> (oldValue: Value, newValue: Value) {
      inOneStep { value in
        let old = value
        body(&value)
        return (old, value)
      }
    }
  }
#else
  /// The package's atomic value: the standard library's, but for builds that explore interleavings.
  public typealias AtomicValue<Value: AtomicRepresentable> = Atomic<Value>
#endif
