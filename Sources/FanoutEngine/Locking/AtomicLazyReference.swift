// `@unchecked Sendable` invariant: the pointer is set at most once, with a retain that only
// `deinit` takes back. So a reader may use the object as long as this reference lives.

public import Synchronization

/// A strong reference that any thread sets once, and that is released with its owner.
///
/// It is not generic: code that is not specialised would look up its type at each use.
public struct AtomicLazyReference: ~Copyable, @unchecked Sendable {
  @usableFromInline let pointer = AtomicValue<UnsafeRawPointer?>(nil)

  /// Creates a reference that is not set.
  @inlinable public init() {}

  @inlinable
  deinit {
    guard let pointer = pointer.load(ordering: .acquiring) else { return }
    Unmanaged<AnyObject>.fromOpaque(pointer).release()
  }

  /// The object, or nil until it is set.
  @inlinable
  public var object: AnyObject? {
    guard let pointer = pointer.load(ordering: .sequentiallyConsistent) else { return nil }
    return Unmanaged<AnyObject>.fromOpaque(pointer).takeUnretainedValue()
  }

  /// Whether the object is set.
  @inlinable
  public var isSet: Bool { pointer.load(ordering: .sequentiallyConsistent) != nil }

  /// Returns the object without retaining it, or nil until it is set.
  ///
  /// The caller guarantees that the object is a `Target`, and keeps this reference alive.
  @inlinable
  func unmanaged<Target>() -> Unmanaged<Target>? {
    pointer.load(ordering: .acquiring).map { .fromOpaque($0) }
  }

  /// Runs `body` with the object, if it is set.
  ///
  /// The caller keeps this reference alive.
  @inlinable
  public borrowing func withObject(_ body: (AnyObject) -> Void) {
    guard let pointer = pointer.load(ordering: .sequentiallyConsistent) else { return }
    Unmanaged<AnyObject>.fromOpaque(pointer)._withUnsafeGuaranteedRef(body)
  }

  /// Sets the object.
  ///
  /// No other call may ever set one.
  @inlinable
  public borrowing func setAlone(_ object: AnyObject) {
    pointer.store(retainedAddress(of: object), ordering: .sequentiallyConsistent)
  }

  /// Sets the object unless one is set; returns the one that is set then.
  @inlinable
  public borrowing func setIfEmpty(_ object: AnyObject) -> AnyObject {
    let retained = retainedAddress(of: object)
    let (isSet, found) = pointer.compareExchange(
      expected: nil, desired: retained, ordering: .sequentiallyConsistent)
    if isSet { return object }
    Unmanaged<AnyObject>.fromOpaque(retained).release()
    return found.map { Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() } ?? object
  }
}
