internal import FanoutEngine

/// Remembers objects without keeping them alive, and names those that outlived what they should not.
///
/// While code runs in ``perform(_:)``, the tracker also counts the objects that Fanout makes there:
/// see ``liveObjects``.
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
    /// Where it was tracked.
    public let place: SourcePlace

    /// The file in which it was tracked, as `Module/File.swift`.
    public var fileID: String { place.fileID }
    /// The line in which it was tracked.
    public var line: Int { place.line }

    /// The name, and where it was tracked.
    public var description: String { "\(name) (\(place))" }
  }

  struct Entry {
    let reference: WeakReference
    let survivor: Survivor
  }

  private let entries = Lock<[Entry]>([])
  let creations = Lock(CreationRecord())

  /// Makes a tracker that has seen nothing yet.
  public init() {}

  /// Remembers an object.
  ///
  /// - Parameters:
  ///   - object: The object. It is not retained.
  ///   - name: What to call it; the name of its type if nil.
  ///   - fileID: Where it is tracked.
  ///   - filePath: Where it is tracked.
  ///   - line: Where it is tracked.
  ///   - column: Where it is tracked.
  /// - Returns: The object.
  @discardableResult
  public func track<Object: AnyObject>(
    _ object: Object, _ name: String? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) -> Object {
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    track(object, name, at: place)
    return object
  }

  package func track(_ object: AnyObject, _ name: String?, at place: SourcePlace) {
    let survivor = Survivor(name: name ?? "\(type(of: object))", place: place)
    let entry = Entry(reference: WeakReference(object), survivor: survivor)
    entries.withLock { $0.append(entry) }
  }

  /// The objects that are still alive, in the order in which they were tracked.
  ///
  /// - Returns: Their names and places.
  public func survivors() -> [Survivor] { survivingEntries().map(\.survivor) }

  func survivingEntries() -> [Entry] {
    // Outside the lock: asking may turn out to be the last release of an object.
    entries.withLock { $0 }.filter(\.reference.isAlive)
  }

  /// Who was tracked and is gone.
  func goneEntries() -> [Survivor] {
    entries.withLock { $0 }.filter { !$0.reference.isAlive }.map(\.survivor)
  }

  func entry(named name: String) -> Entry? {
    entries.withLock { $0 }.first { $0.survivor.name == name }
  }

  /// Every tracked object, dead or alive, with its name: so that a graph can call it by that.
  package var namedObjects: [(reference: WeakReference, name: String)] {
    entries.withLock { $0 }.map { ($0.reference, $0.survivor.name) }
  }
}
