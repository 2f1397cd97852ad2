// `@unchecked Sendable` invariant: the pointer is set at most once, with a retain that only
// `deinit` takes back. So a reader may use the object as long as this reference lives. An object that is set without a
// retain has the lowest bit of its address set, and the caller that set it guarantees that it lives as long.

public import Synchronization

/// A strong reference that any thread sets once, and that is released with its owner.
///
/// It is not generic: code that is not specialised would look up its type at each use.
@frozen
public struct AtomicLazyReference: ~Copyable, @unchecked Sendable {
  @inlinable static var unretained: UInt { 1 }

  @usableFromInline let pointer = AtomicValue<UInt>(0)

  /// Creates a reference that is not set.
  public init() {}

  deinit {
    let pointer = pointer.load(ordering: .acquiring)
    if pointer & Self.unretained == 0 { Self.object(pointer)?.release() }
  }

  static func object(_ pointer: UInt) -> Unmanaged<AnyObject>? {
    guard let object = UnsafeRawPointer(bitPattern: pointer & ~unretained) else { return nil }
    return .fromOpaque(object)
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
    let address = UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
    return pointer.load(ordering: .sequentiallyConsistent) & ~Self.unretained == address
  }

  /// Whether the object is set.
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
    pointer.store(
      UInt(bitPattern: retainedAddress(of: object)), ordering: .sequentiallyConsistent)
  }

  /// Sets an object that lives as long as this reference is used, without a retain.
  ///
  /// No other call may ever set one, and no other thread may reach this reference yet.
  borrowing func setUnretained(_ object: AnyObject) {
    let address = UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
    pointer.store(address | Self.unretained, ordering: .releasing)
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
}
