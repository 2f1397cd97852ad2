// `@unchecked Sendable` invariant: the pointer is changed by compare-exchange, and whoever takes an
// object out owns its retain. Who puts `lookedAt` in its place owns the place until it puts the
// object back.

public import Synchronization

/// A strong reference that is taken out once, or exchanged for another, by any thread.
public struct TakeableReference: ~Copyable, @unchecked Sendable {
  @usableFromInline let pointer: AtomicValue<UnsafeRawPointer?>

  /// Stands for an object while somebody looks at it.
  @usableFromInline static var lookedAt: UnsafeRawPointer? { UnsafeRawPointer(bitPattern: 1) }

  /// Holds an object that comes retained, or nothing.
  @inlinable
  public init(_ object: Unmanaged<AnyObject>?) {
    pointer = AtomicValue(object.map { UnsafeRawPointer($0.toOpaque()) })
  }

  @inlinable
  deinit {
    guard let object = Self.object(pointer.load(ordering: .acquiring)) else { return }
    object.release()
  }

  /// Takes the object out, if there is one; the caller owns its retain.
  @inlinable
  public borrowing func take() -> Unmanaged<AnyObject>? {
    pointer.load(ordering: .sequentiallyConsistent) == nil ? nil : exchange(nil)
  }

  /// Puts an object in the place of the one there is; the caller owns the retain of that.
  public borrowing func replace(by object: AnyObject) -> Unmanaged<AnyObject>? {
    exchange(retainedAddress(of: object))
  }

  @usableFromInline
  borrowing func exchange(_ new: UnsafeRawPointer?) -> Unmanaged<AnyObject>? {
    while true {
      let known = pointer.load(ordering: .sequentiallyConsistent)
      if known == nil, new == nil { return nil }
      // Who only looks at the object puts it back in a moment.
      guard known != Self.lookedAt else { continue }
      let (isDone, _) = pointer.compareExchange(
        expected: known, desired: new, ordering: .sequentiallyConsistent)
      if isDone { return Self.object(known) }
    }
  }

  /// Runs `body` with the object, unless another thread looks at it too.
  ///
  /// Not optimised: what `body` retains must be retained before others may release it again, and the
  /// optimiser moves a retain behind an atomic store.
  @_optimize(none)
  package borrowing func look<Result>(_ body: (AnyObject) -> Result) -> Result? {
    let known = pointer.load(ordering: .acquiring)
    guard known != Self.lookedAt, let object = Self.object(known),
      pointer.compareExchange(
        expected: known, desired: Self.lookedAt, ordering: .sequentiallyConsistent
      ).exchanged
    else { return nil }
    let result = body(object.takeUnretainedValue())
    pointer.store(known, ordering: .sequentiallyConsistent)
    return result
  }

  @inlinable
  static func object(_ pointer: UnsafeRawPointer?) -> Unmanaged<AnyObject>? {
    pointer.map { .fromOpaque($0) }
  }
}
