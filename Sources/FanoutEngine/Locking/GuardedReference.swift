// `@unchecked Sendable` invariant: the object is released exactly once, by whoever sets `released`,
// and `released` is set only when the reference is closed, nobody is inside `withObject`, and, if a
// source guards it, that source has said that none of its deliveries is running.

public import Synchronization

/// A strong reference that can be let go at once from any thread, while others may be using it.
///
/// Users are counted in and out; the last one out of a closed reference releases the object. A
/// source that knows when its deliveries run can take the counting over (`guardIfUntouched()`): then
/// a delivery costs one load, and the source says when it is safe to release.
///
/// It is not generic: code that is not specialised would look its type up at each use.
public struct GuardedReference: ~Copyable, @unchecked Sendable {
  @usableFromInline static var closed: UInt32 { 1 }
  @usableFromInline static var guarded: UInt32 { 2 }
  @usableFromInline static var released: UInt32 { 4 }
  @usableFromInline static var cancelled: UInt32 { 8 }
  @usableFromInline static var sourced: UInt32 { 16 }
  @usableFromInline static var user: UInt32 { 32 }

  /// What does not matter to when it is released.
  @usableFromInline static var notes: UInt32 { cancelled | sourced }

  @usableFromInline let object: Unmanaged<AnyObject>
  @usableFromInline let word = AtomicValue<UInt32>(0)

  /// Holds an object that comes retained, until the reference is closed and unused.
  @inlinable
  public init(_ object: Unmanaged<AnyObject>) { self.object = object }

  @inlinable
  deinit {
    if word.load(ordering: .acquiring) & Self.released == 0 { object.release() }
  }

  /// Whether `close` has been called.
  @inlinable
  public var isClosed: Bool { word.load(ordering: .sequentiallyConsistent) & Self.closed != 0 }

  /// Whether a source guards the object: it is then used without counting, and released by word
  /// of the source.
  @inlinable
  public var isGuarded: Bool { word.load(ordering: .sequentiallyConsistent) & Self.guarded != 0 }

  /// Whether the object is to be used without counting: a source guards it, it is open, and nobody
  /// is counted in just now.
  @inlinable
  public var isGuardedAndOpen: Bool { word.load(ordering: .relaxed) == Self.guarded | Self.sourced }

  /// Runs `body` with the object, which stays alive that long; returns nil if it was let go.
  @inlinable
  @inline(__always)
  public borrowing func withObject<Result>(_ body: (AnyObject) -> Result) -> Result? {
    let isOpen = enter()
    defer { leave() }
    return isOpen ? object._withUnsafeGuaranteedRef(body) : nil
  }

  /// Counts the caller in; returns whether the object may be used until it leaves.
  @inlinable
  borrowing func enter() -> Bool {
    word.wrappingAdd(Self.user, ordering: .acquiring).oldValue & Self.closed == 0
  }

  /// Closes the reference and, if it was open, runs `body` with the object.
  ///
  /// A cancel is noted also if it is closed already: nothing may follow any more.
  @inlinable
  @inline(__always)
  public borrowing func closing<Result>(
    isCancel: Bool, _ body: (AnyObject) -> Result
  ) -> Result? {
    let isFirst = enterClosing(isCancel ? Self.closed | Self.cancelled : Self.closed)
    defer { leave() }
    return isFirst ? object._withUnsafeGuaranteedRef(body) : nil
  }

  /// Counts the caller in and closes in one step; returns whether the reference was open.
  @inlinable
  borrowing func enterClosing(_ bits: UInt32) -> Bool {
    var known = word.load(ordering: .relaxed)
    while true {
      let (isDone, found) = word.compareExchange(
        expected: known, desired: (known | bits) &+ Self.user, ordering: .sequentiallyConsistent)
      if isDone { return known & Self.closed == 0 }
      known = found
    }
  }

  /// Whether it was closed by a cancel.
  @inlinable
  public var isCancelled: Bool {
    word.load(ordering: .sequentiallyConsistent) & Self.cancelled != 0
  }

  /// Lets go: at once if nobody is inside and no source guards, otherwise as soon as both are true.
  ///
  /// Returns whether this call was the one that closed it.
  @discardableResult
  @inlinable
  public borrowing func close() -> Bool {
    let result = word.bitwiseOr(Self.closed, ordering: .sequentiallyConsistent)
    releaseIfUnused(result.newValue)
    return result.oldValue & Self.closed == 0
  }

  /// Notes the only source there will be, and hands the counting to it: it tells when none of its
  /// deliveries is running.
  ///
  /// Returns false if the reference is in use or closed, or has a source.
  @inlinable
  public borrowing func guardIfUntouched() -> Bool {
    word.compareExchange(
      expected: 0, desired: Self.guarded | Self.sourced, ordering: .sequentiallyConsistent
    ).exchanged
  }

  /// Notes the only source there will be; returns false if there is one.
  @inlinable
  public borrowing func noteSource() -> Bool {
    word.bitwiseOr(Self.sourced, ordering: .sequentiallyConsistent).oldValue & Self.sourced == 0
  }

  /// Says that the guarding source runs no delivery any more.
  @inlinable
  public borrowing func release() {
    releaseIfUnused(word.bitwiseAnd(~Self.guarded, ordering: .sequentiallyConsistent).newValue)
  }

  /// The object, unless it was let go, as a reference of the one that has this.
  package func heldReferences(_ name: String) -> [HeldReference] {
    withObject { [.value(name, $0)] } ?? []
  }

  /// Counts the caller out.
  ///
  /// Never inlined: a caller that has copied something out of the object has retained it before this
  /// call, while the optimiser moves a retain behind an atomic operation that it sees.
  @usableFromInline
  @inline(never)
  borrowing func leave() {
    let known = word.load(ordering: .relaxed)
    // The last one out of a closed reference leaves and releases in one step.
    if known & ~Self.notes == Self.closed | Self.user,
      word.compareExchange(
        expected: known, desired: (known &- Self.user) | Self.released,
        ordering: .acquiringAndReleasing
      ).exchanged
    {
      return object.release()
    }
    releaseIfUnused(
      word.wrappingSubtract(Self.user, ordering: .acquiringAndReleasing).newValue)
  }

  @inlinable
  borrowing func releaseIfUnused(_ value: UInt32) {
    var value = value
    // Only a note may come in between; whatever else does sees to the release itself.
    while value & ~Self.notes == Self.closed {
      let (isDone, found) = word.compareExchange(
        expected: value, desired: value | Self.released, ordering: .acquiringAndReleasing)
      if isDone { return object.release() }
      value = found
    }
  }
}
