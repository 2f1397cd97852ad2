// `@unchecked Sendable` invariant: one call of `taking(_:)` takes the object; it releases the
// object, or leaves that to the inspector that still reads it, by one compare-exchange. One call of
// `inspect(_:)` at a time reads it. An object's address leaves its lowest three bits free. The
// relaxed load is the first guess of a compare-exchange.

public import Synchronization

/// A strong reference in one word, whose object one caller takes, uses and releases.
///
/// That caller does not wait for an inspector of the object: the last one to use it releases it.
@frozen
public struct TakeOnceReference: ~Copyable, @unchecked Sendable {
  /// An inspector reads the object.
  static var inspected: UInt { 1 }
  /// The object was taken while an inspector read it, and is in use.
  static var taken: UInt { 2 }
  /// The object was taken and used, and the inspector has to release it.
  static var used: UInt { 4 }
  static var marks: UInt { 7 }

  let word: AtomicValue<UInt>

  /// Creates a reference to an object that comes retained.
  public init(_ object: Unmanaged<AnyObject>) {
    word = AtomicValue(UInt(bitPattern: object.toOpaque()))
  }

  deinit { Self.object(word.load(ordering: .acquiring))?.release() }

  static func object(_ word: UInt) -> Unmanaged<AnyObject>? {
    UnsafeRawPointer(bitPattern: word & ~marks).map { .fromOpaque($0) }
  }

  /// Takes the object, runs `body` with it and releases it; does nothing if another call has taken
  /// it.
  @inline(__always)
  public borrowing func taking(_ body: (AnyObject) -> Void) {
    let known = take()
    guard let object = Self.object(known) else { return }
    object._withUnsafeGuaranteedRef(body)
    if known & Self.inspected == 0 { object.release() } else { leave(object) }
  }

  /// Takes the object; returns the word as it was, or 0 if another call has taken the object.
  borrowing func take() -> UInt {
    var known = word.load(ordering: .relaxed)
    while known > Self.marks, known & (Self.taken | Self.used) == 0 {
      let (isDone, found) = word.compareExchange(
        expected: known, desired: known & Self.inspected == 0 ? 0 : known | Self.taken,
        ordering: .acquiringAndReleasing)
      if isDone { return known }
      known = found
    }
    return 0
  }

  /// Leaves the object to the inspector, or releases it if the inspector has left.
  borrowing func leave(_ object: Unmanaged<AnyObject>) {
    let address = UInt(bitPattern: object.toOpaque())
    let isLeft = word.compareExchange(
      expected: address | Self.inspected | Self.taken,
      desired: address | Self.inspected | Self.used, ordering: .acquiringAndReleasing
    ).exchanged
    if isLeft { return }
    word.store(0, ordering: .releasing)
    object.release()
  }

  /// Runs `body` with the object, unless it was taken or another inspector reads it.
  ///
  /// It is not optimised: `body` must retain objects before another thread may release them, and
  /// the optimiser moves a retain behind an atomic operation that it sees.
  ///
  /// - Returns: Whether `body` ran.
  @_optimize(none)
  package borrowing func inspect(_ body: (AnyObject) -> Void) -> Bool {
    let known = word.load(ordering: .acquiring)
    guard known & Self.marks == 0, let object = Self.object(known),
      word.compareExchange(
        expected: known, desired: known | Self.inspected, ordering: .acquiringAndReleasing
      ).exchanged
    else { return false }
    object._withUnsafeGuaranteedRef(body)
    var found = word.load(ordering: .acquiring)
    while true {
      let isUsed = found & Self.used != 0
      let (isDone, next) = word.compareExchange(
        expected: found, desired: isUsed ? 0 : found & ~Self.inspected,
        ordering: .acquiringAndReleasing)
      if isDone {
        if isUsed { object.release() }
        return true
      }
      found = next
    }
  }

  /// Whether the object was taken.
  package var isTaken: Bool {
    let known = word.load(ordering: .acquiring)
    return known == 0 || known & (Self.taken | Self.used) != 0
  }
}
