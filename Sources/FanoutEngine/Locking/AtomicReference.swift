// `@unchecked Sendable` invariant: the pointer comes with a retain, which only `deinit` takes back,
// or the one caller that exchanges the pointer. So a reader may use the object as long as this
// reference lives, if no caller exchanges. An object that is set without a retain has the lowest
// bit of its address set, and the caller that set it guarantees that it lives as long.

public import Synchronization

/// A strong reference that any thread sets once, or whose object any thread exchanges.
///
/// An owner that has the object exchanged, or taken out, does not read it.
///
/// It is not generic: code that is not specialised would look up its type at each use.
@frozen
public struct AtomicReference: ~Copyable, @unchecked Sendable {
  static var unretained: UInt { 1 }

  let pointer = AtomicValue<UInt>(0)

  /// Creates a reference that is not set.
  public init() {}

  deinit {
    let pointer = pointer.load(ordering: .acquiring)
    if pointer & Self.unretained == 0 { Self.object(pointer)?.release() }
  }

  static func object(_ pointer: UInt) -> Unmanaged<AnyObject>? {
    UnsafeRawPointer(bitPattern: pointer & ~unretained).map { .fromOpaque($0) }
  }

  /// The object, or nil until it is set.
  public var object: AnyObject? {
    Self.object(pointer.load(ordering: .sequentiallyConsistent))?.takeUnretainedValue()
  }

  /// The object if it is set with a retain; one without may be gone when no caller sees to it.
  var retainedObject: AnyObject? {
    let pointer = pointer.load(ordering: .sequentiallyConsistent)
    return pointer & Self.unretained == 0 ? Self.object(pointer)?.takeUnretainedValue() : nil
  }

  /// Returns whether an object is the one that is set; it is compared only.
  func refers(to object: AnyObject) -> Bool {
    pointer.load(ordering: .sequentiallyConsistent) & ~Self.unretained == Self.address(of: object)
  }

  private static func address(of object: AnyObject) -> UInt {
    UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
  }

  /// Whether an object is set; where objects are exchanged, another thread may do so at once.
  public var isSet: Bool { pointer.load(ordering: .sequentiallyConsistent) != 0 }

  /// Returns the object without retaining it, or nil until it is set.
  ///
  /// The caller guarantees that the object is a `Target`, and keeps this reference alive.
  @inline(__always)
  func unmanaged<Target>() -> Unmanaged<Target>? {
    guard
      let object = UnsafeRawPointer(
        bitPattern: pointer.load(ordering: .acquiring) & ~Self.unretained)
    else { return nil }
    return .fromOpaque(object)
  }

  /// Runs `body` with the object, if it is set.
  ///
  /// The caller keeps this reference alive.
  public borrowing func withObject(_ body: (AnyObject) -> Void) {
    Self.object(pointer.load(ordering: .sequentiallyConsistent))?._withUnsafeGuaranteedRef(body)
  }

  /// Sets the object.
  ///
  /// No other call may ever set one.
  public borrowing func setAlone(_ object: AnyObject) {
    pointer.store(UInt(bitPattern: retainedAddress(of: object)), ordering: .sequentiallyConsistent)
  }

  /// Sets an object that lives as long as this reference is used, without a retain.
  ///
  /// No other call may ever set one, and no other thread may reach this reference yet.
  borrowing func setUnretained(_ object: AnyObject) {
    pointer.store(Self.address(of: object) | Self.unretained, ordering: .releasing)
  }

  /// Sets the object unless one is set; returns the one that is set then.
  public borrowing func setIfEmpty(_ object: AnyObject) -> AnyObject {
    let retained = retainedAddress(of: object)
    let (isSet, found) = pointer.compareExchange(
      expected: 0, desired: UInt(bitPattern: retained), ordering: .sequentiallyConsistent)
    if isSet { return object }
    Unmanaged<AnyObject>.fromOpaque(retained).release()
    return Self.object(found)?.takeUnretainedValue() ?? object
  }

  /// Takes the object out, if there is one; the caller owns its retain.
  borrowing func take() -> Unmanaged<AnyObject>? { isSet ? exchange(0) : nil }

  /// Replaces the object; the caller owns the retain of the returned one.
  borrowing func replace(by object: AnyObject) -> Unmanaged<AnyObject>? {
    exchange(UInt(bitPattern: retainedAddress(of: object)))
  }

  private borrowing func exchange(_ new: UInt) -> Unmanaged<AnyObject>? {
    Self.object(pointer.exchange(new, ordering: .sequentiallyConsistent))
  }
}
