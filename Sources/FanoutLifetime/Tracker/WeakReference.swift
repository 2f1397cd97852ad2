// `@unchecked Sendable` invariant: the reference is written in `init` only. All that users read
// through it is whether the object is still there; the package also looks at what it holds, through
// properties that may be asked from any thread.

/// Says whether an object is still alive, without keeping it alive.
///
/// It may be asked from any thread, whatever the object is: it never hands the object out. Asking
/// retains the object for a moment; if its last owner lets go in just that moment, the object's
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

  /// Watches an object.
  ///
  /// - Parameter object: The object, or nil for one that is gone already.
  public init(_ object: AnyObject?) { self.object = object }

  /// Whether the object is still alive.
  public var isAlive: Bool { object != nil }
}
