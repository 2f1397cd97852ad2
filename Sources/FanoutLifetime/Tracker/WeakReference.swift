// `@unchecked Sendable` invariant: the reference is written in `init` only. Users can only read
// through it whether the object still exists; the package also examines the object, through
// properties that any thread may read.

/// A weak reference that tells whether an object is still alive, without keeping it alive.
///
/// Any thread may ask, whatever the object is: the reference never exposes the object. Asking
/// retains the object for a moment; if its last owner releases it in just that moment, the object's
/// `deinit` runs in the thread that asked.
///
/// ```swift
/// import FanoutLifetime
///
/// final class Node {}
///
/// var node: Node? = Node()
/// let reference = WeakReference(node)
/// print(reference.isAlive)
/// node = nil
/// print(reference.isAlive)
/// // Prints:
/// // true
/// // false
/// ```
public struct WeakReference: @unchecked Sendable {
  package private(set) weak var object: AnyObject?

  /// Makes a weak reference to an object.
  ///
  /// - Parameter object: The object, or nil for one that is gone already.
  public init(_ object: AnyObject?) { self.object = object }

  /// Whether the object is still alive.
  public var isAlive: Bool { object != nil }
}
