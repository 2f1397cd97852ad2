// `@unchecked Sendable` invariant: the object is released exactly once, by or for the caller that
// sets `released`. `released` is set only when the reference is closed, no call of `withObject` is
// running, and, if a source guards it, that source has said that none of its deliveries is running.
// Relaxed loads are first guesses of a compare-exchange, or made by the source that guards the
// object.

public import Synchronization

/// A strong reference that any thread can close while other threads use the object.
///
/// Users are counted in and out, and the last user to leave a closed reference releases the object
/// (Windows' *run-down protection*). A source that knows when its deliveries run can take over the
/// counting (`guardIfUntouched()`): a delivery then costs one load, and the source says when the
/// release is safe.
///
/// It is not generic: code that is not specialised would look up its type at each use.
@frozen
public struct RundownReference: ~Copyable, @unchecked Sendable {
  static var closed: UInt32 { 1 }
  static var guarded: UInt32 { 2 }
  static var released: UInt32 { 4 }
  static var cancelled: UInt32 { 8 }
  static var sourced: UInt32 { 16 }
  static var told: UInt32 { 32 }
  static var user: UInt32 { 64 }

  /// The bits that have no influence on the release.
  static var notes: UInt32 { cancelled | sourced | told }

  @usableFromInline let object: Unmanaged<AnyObject>
  let word = AtomicValue<UInt32>(0)

  /// Creates a reference to an object that comes retained, and keeps it until it is closed and
  /// unused.
  public init(_ object: Unmanaged<AnyObject>) { self.object = object }

  deinit {
    if word.load(ordering: .acquiring) & Self.released == 0 { object.release() }
  }

  /// Whether `close` has been called.
  public var isClosed: Bool { word.load(ordering: .sequentiallyConsistent) & Self.closed != 0 }

  /// Whether a source guards the object: users are not counted then, and the source releases it.
  public var isGuarded: Bool { word.load(ordering: .sequentiallyConsistent) & Self.guarded != 0 }

  /// Whether a delivery may use the object without counting: a source guards it, it is open, and no
  /// user is counted.
  public var isGuardedAndOpen: Bool { word.load(ordering: .relaxed) == Self.guarded | Self.sourced }

  /// Runs `body` with the object, which stays alive meanwhile; returns nil if the reference is
  /// closed.
  @inlinable
  @inline(__always)
  public borrowing func withObject<Result>(_ body: (AnyObject) -> Result) -> Result? {
    let isOpen = enter()
    defer { leave() }
    return isOpen ? object._withUnsafeGuaranteedRef(body) : nil
  }

  /// Counts a user; returns whether that user may use the object until it leaves.
  @usableFromInline
  borrowing func enter() -> Bool {
    word.wrappingAdd(Self.user, ordering: .acquiring).oldValue & Self.closed == 0
  }

  /// Closes the reference and, if it was open, runs `body` with the object.
  ///
  /// A cancel is noted even if the reference is closed already: no signal may follow it.
  @inlinable
  @inline(__always)
  public borrowing func closing<Result>(
    isCancel: Bool, _ body: (AnyObject) -> Result
  ) -> Result? {
    guard enterClosing(isCancel: isCancel) else { return nil }
    defer { leave() }
    return object._withUnsafeGuaranteedRef(body)
  }

  /// Closes the reference and passes its retain to the caller, if it is open and unused; returns
  /// whether it did.
  ///
  /// The caller ends with `releaseTaken()`.
  borrowing func take() -> Bool {
    word.compareExchange(
      expected: 0, desired: Self.closed | Self.released, ordering: .sequentiallyConsistent
    ).exchanged
  }

  /// Releases the object whose retain `take()` has passed to the caller.
  ///
  /// Never inlined, as `leave()`.
  @inline(never)
  borrowing func releaseTaken() { object.release() }

  /// Closes the reference and counts the caller as a user, in one step, if the reference was open;
  /// returns whether it was.
  ///
  /// A later caller is not counted: it would delay the release that the first one has promised.
  @usableFromInline
  borrowing func enterClosing(isCancel: Bool) -> Bool {
    let bits = isCancel ? Self.closed | Self.cancelled : Self.closed
    var known = word.load(ordering: .relaxed)
    while true {
      let isOpen = known & Self.closed == 0
      let (isDone, found) = word.compareExchange(
        expected: known, desired: isOpen ? (known | bits) &+ Self.user : known | bits,
        ordering: .sequentiallyConsistent)
      if isDone { return isOpen }
      known = found
    }
  }

  /// Whether it was closed by a cancel.
  public var isCancelled: Bool {
    word.load(ordering: .sequentiallyConsistent) & Self.cancelled != 0
  }

  /// Closes the reference, and releases the object as soon as it has no user and no guarding
  /// source; returns whether this call closed it.
  @discardableResult
  public borrowing func close() -> Bool {
    // The one that closed it has promised the release.
    if isClosed { return false }
    let result = word.bitwiseOr(Self.closed, ordering: .sequentiallyConsistent)
    releaseIfUnused(result.newValue)
    return result.oldValue & Self.closed == 0
  }

  /// Notes the reference's only source, which takes over the counting and reports when none of its
  /// deliveries runs; returns false if the reference is in use or closed, or has a source.
  public borrowing func guardIfUntouched() -> Bool {
    word.compareExchange(
      expected: 0, desired: Self.guarded | Self.sourced, ordering: .sequentiallyConsistent
    ).exchanged
  }

  /// Notes the reference's only source; returns false if it has one.
  public borrowing func noteSource() -> Bool {
    word.bitwiseOr(Self.sourced, ordering: .sequentiallyConsistent).oldValue & Self.sourced == 0
  }

  /// Returns whether the caller, a user of a closed reference, is the one to cancel the source.
  ///
  /// A cancel and an attaching of the source call it, as each may have seen what the other did. The
  /// attaching one is then still counted, or has left a note.
  borrowing func isFirstToTell() -> Bool {
    let known = word.load(ordering: .sequentiallyConsistent)
    if known & Self.told != 0 { return false }
    if known < 2 &* Self.user { return true }
    return word.bitwiseOr(Self.told, ordering: .sequentiallyConsistent).oldValue & Self.told == 0
  }

  /// Notes that no source comes any more; returns false if there is one.
  public borrowing func refuseSource() -> Bool {
    word.load(ordering: .acquiring) & Self.sourced == 0 && noteSource()
  }

  /// Ends the guard: the source runs no delivery any more.
  public borrowing func release() {
    releaseIfUnused(word.bitwiseAnd(~Self.guarded, ordering: .sequentiallyConsistent).newValue)
  }

  /// Counts a user out.
  ///
  /// Never inlined: a caller that has copied something out of the object has retained it before
  /// this call, while the optimiser moves a retain behind an atomic operation that it sees.
  @usableFromInline
  @inline(never)
  borrowing func leave() {
    let known = word.load(ordering: .relaxed)
    // The last user of a closed reference leaves and releases in one step.
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

  borrowing func releaseIfUnused(_ value: UInt32) {
    var value = value
    // Only a note may come in between; any other change takes over the release.
    while value & ~Self.notes == Self.closed {
      let (isDone, found) = word.compareExchange(
        expected: value, desired: value | Self.released, ordering: .acquiringAndReleasing)
      if isDone { return object.release() }
      value = found
    }
  }
}
