internal import FanoutEngine

/// Remembers objects without keeping them alive, and names those that outlived what they should not.
///
/// - Concurrency: every method may be called from any thread.
/// - Ownership: retains none of the objects.
///
/// ```swift
/// import FanoutLifetime
///
/// final class Node {}
///
/// let tracker = LifetimeTracker()
/// let kept = tracker.track(Node(), "kept")
/// _ = tracker.track(Node(), "dropped")
/// print(tracker.survivors().map(\.name))
/// withExtendedLifetime(kept) {}
/// // Prints:
/// // ["kept"]
/// ```
public final class LifetimeTracker: Sendable {
  /// An object that was tracked and is still alive.
  public struct Survivor: Hashable, Sendable, CustomStringConvertible {
    /// The name under which it was tracked.
    public let name: String
    /// The file in which it was tracked, as `Module/File.swift`.
    public let fileID: String
    /// The line in which it was tracked.
    public let line: Int

    /// The name, and where it was tracked.
    public var description: String { "\(name) (\(fileID):\(line))" }
  }

  private struct Entry {
    let reference: WeakReference
    let survivor: Survivor
  }

  private let entries = Lock<[Entry]>([])

  /// Makes a tracker that has seen nothing yet.
  public init() {}

  /// Remembers an object.
  ///
  /// - Parameters:
  ///   - object: The object. It is not retained.
  ///   - name: What to call it; the name of its type if nil.
  ///   - fileID: Where it is tracked.
  ///   - line: Where it is tracked.
  /// - Returns: The object.
  @discardableResult
  public func track<Object: AnyObject>(
    _ object: Object, _ name: String? = nil, fileID: String = #fileID, line: Int = #line
  ) -> Object {
    let survivor = Survivor(name: name ?? "\(Object.self)", fileID: fileID, line: line)
    let entry = Entry(reference: WeakReference(object), survivor: survivor)
    entries.withLock { $0.append(entry) }
    return object
  }

  /// The objects that are still alive, in the order in which they were tracked.
  ///
  /// - Returns: Their names and places.
  public func survivors() -> [Survivor] {
    // Outside the lock: asking may turn out to be the last release of an object.
    entries.withLock { $0 }.filter(\.reference.isAlive).map(\.survivor)
  }
}
