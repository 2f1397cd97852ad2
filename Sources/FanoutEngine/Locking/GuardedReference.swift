// `@unchecked Sendable` invariant: the object is released exactly once, by whoever sets `released`,
// and `released` is set only when the reference is closed, nobody is inside `withObject`, and, if a
// source guards it, that source has said that none of its deliveries is running.

public import Synchronization

/// A strong reference that can be let go at once from any thread, while others may be using it.
///
/// Users are counted in and out; the last one out of a closed reference releases the object. A
/// source that knows when its deliveries run can take the counting over (`guardedBySource()`): then
/// a delivery costs one load, and the source says when it is safe to release.
public struct GuardedReference<Object: AnyObject>: ~Copyable, @unchecked Sendable {
  @usableFromInline static var closed: UInt { 1 }
  @usableFromInline static var guarded: UInt { 2 }
  @usableFromInline static var released: UInt { 4 }
  @usableFromInline static var cancelled: UInt { 8 }
  @usableFromInline static var user: UInt { 16 }

  @usableFromInline let word = AtomicValue<UInt>(0)
  @usableFromInline let object: Unmanaged<Object>

  /// Retains `object` until the reference is closed and unused.
  @inlinable
  public init(_ object: Object) {
    self.object = Unmanaged.passRetained(object)
  }

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

  /// Whether the object is to be used without counting, because a source guards it and it is open.
  @inlinable
  public var isGuardedAndOpen: Bool { word.load(ordering: .relaxed) == Self.guarded }

  /// Runs `body` with the object, which stays alive that long; returns nil if it was let go.
  @inlinable
  public borrowing func withObject<Result>(_ body: (Object) -> Result) -> Result? {
    let previous = word.wrappingAdd(Self.user, ordering: .acquiring).oldValue
    defer { leave() }
    guard previous & Self.closed == 0 else { return nil }
    return object._withUnsafeGuaranteedRef(body)
  }

  /// Runs `body` without counting.
  ///
  /// Only for a delivery of the guarding source, while open.
  @inlinable
  public borrowing func withGuardedObject<Result>(_ body: (Object) -> Result) -> Result {
    object._withUnsafeGuaranteedRef(body)
  }

  /// Closes the reference and, if it was open, runs `body` with the object.
  @inlinable
  public borrowing func closing<Result>(_ body: (Object) -> Result) -> Result? {
    word.wrappingAdd(Self.user, ordering: .acquiring)
    defer { leave() }
    return close() ? object._withUnsafeGuaranteedRef(body) : nil
  }

  /// Notes, also when it is closed already, that nothing may follow any more.
  @inlinable
  public borrowing func markCancelled() {
    word.bitwiseOr(Self.cancelled, ordering: .sequentiallyConsistent)
  }

  /// Whether `markCancelled` has been called.
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

  /// Hands the counting to a source that tells when none of its deliveries is running.
  @inlinable
  public borrowing func guardedBySource() {
    word.bitwiseOr(Self.guarded, ordering: .sequentiallyConsistent)
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

  @inlinable
  borrowing func leave() {
    releaseIfUnused(
      word.wrappingSubtract(Self.user, ordering: .acquiringAndReleasing).newValue)
  }

  @inlinable
  borrowing func releaseIfUnused(_ value: UInt) {
    var value = value
    // Only the note of a cancel may come in between; whatever else does sees to the release itself.
    while value & ~Self.cancelled == Self.closed {
      let (isDone, found) = word.compareExchange(
        expected: value, desired: value | Self.released, ordering: .acquiringAndReleasing)
      if isDone { return object.release() }
      value = found
    }
  }
}
