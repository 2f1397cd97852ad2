// `@unchecked Sendable` invariant: the reference is written in `init` only, and all that is ever
// read through it is whether the object is still there.

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
  private weak var object: AnyObject?

  /// Watches an object.
  ///
  /// - Parameter object: The object, or nil for one that is gone already.
  public init(_ object: AnyObject?) { self.object = object }

  /// Whether the object is still alive.
  public var isAlive: Bool { object != nil }
}
