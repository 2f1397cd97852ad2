// `@unchecked Sendable` invariant: the pointer is changed by compare-exchange, and the caller that
// takes an object out owns its retain.

public import Synchronization

/// A strong reference to an object that any thread can take out once, or exchange for another.
@frozen
public struct AtomicTakeReference: ~Copyable, @unchecked Sendable {
  let pointer: AtomicValue<UnsafeRawPointer?>

  /// Creates a reference to an object that comes retained, or to nothing.
  public init(_ object: Unmanaged<AnyObject>?) {
    pointer = AtomicValue(object.map { UnsafeRawPointer($0.toOpaque()) })
  }

  deinit {
    guard let object = Self.object(pointer.load(ordering: .acquiring)) else { return }
    object.release()
  }

  /// Takes the object out, if there is one.
  ///
  /// The caller owns its retain.
  public borrowing func take() -> Unmanaged<AnyObject>? {
    pointer.load(ordering: .sequentiallyConsistent) == nil ? nil : exchange(nil)
  }

  /// Replaces the object.
  ///
  /// The caller owns the retain of the returned one.
  public borrowing func replace(by object: AnyObject) -> Unmanaged<AnyObject>? {
    exchange(retainedAddress(of: object))
  }

  borrowing func exchange(_ new: UnsafeRawPointer?) -> Unmanaged<AnyObject>? {
    while true {
      let known = pointer.load(ordering: .sequentiallyConsistent)
      if known == nil, new == nil { return nil }
      let (isDone, _) = pointer.compareExchange(
        expected: known, desired: new, ordering: .sequentiallyConsistent)
      if isDone { return Self.object(known) }
    }
  }

  /// Whether there is no object; another thread may take it or put one in at once.
  package var isEmpty: Bool { pointer.load(ordering: .acquiring) == nil }

  static func object(_ pointer: UnsafeRawPointer?) -> Unmanaged<AnyObject>? {
    pointer.map { .fromOpaque($0) }
  }
}
