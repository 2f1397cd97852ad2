internal import FanoutEngine

/// A tracker that remembers objects without keeping them alive, and names those that live too long,
/// with their holders.
///
/// ![A model holds its cancellable, that the subscription, and that the subscriber with its closures. If a closure captures the model, that is a cycle, the classic leak.](owners)
///
/// ``track(_:_:fileID:filePath:line:column:)`` notes an object that must not outlive an event, and
/// ``issues(outliving:at:)`` says which ones do, and what holds them. While code runs in
/// ``perform(_:)``, the tracker also notes the objects that Fanout makes there. So it finds their
/// holders, and counts them: see ``liveObjects``.
///
/// In tests use `.noLeaks` and `tracked` of `FanoutTestSupport`: they make a tracker for each test,
/// and report its issues as failures. <doc:/Fanout/LifetimesAndLeaks> shows both, and how objects
/// leak.
///
/// - Concurrency: every method may be called from any thread.
/// - Ownership: retains none of the objects.
///
/// ```swift
/// import Fanout
/// import FanoutLifetime
///
/// @MainActor final class Player {
///   private var songs: AnyCancellable?
///   private var title = ""
///
///   init(_ source: PassthroughSubject<String, Never>) {
///     // The leak: the closure captures self.
///     songs = source.sinkOnMainActor { self.title = $0 }
///   }
/// }
///
/// let tracker = LifetimeTracker()
/// tracker.perform {
///   _ = tracker.track(Player(PassthroughSubject()), "player")
/// }
/// let issues = tracker.issues(outliving: "the song", at: nil)
/// for issue in issues {
///   for part in "\(issue)".split(separator: ": ") { print(part) }
/// }
/// // Prints:
/// // `player` outlived the song
/// // retained by Sink.receiveValue ← AnyCancellable ← itself (until cancel or completion)
/// ```
public final class LifetimeTracker: Sendable {
  /// An object that was tracked and is still alive.
  public struct Survivor: Hashable, Sendable, CustomStringConvertible {
    /// The name under which it was tracked.
    public let name: String
    /// The place where it was tracked.
    public let place: SourcePlace

    /// The file in which it was tracked, as `Module/File.swift`.
    public var fileID: String { place.fileID }
    /// The line in which it was tracked.
    public var line: Int { place.line }

    /// The name, and the place where it was tracked.
    public var description: String { "\(name) (\(place))" }
  }

  struct Entry {
    let reference: WeakReference
    let survivor: Survivor
  }

  private let entries = Lock<[Entry]>([])
  let creations = Lock(CreationRecord())

  /// Makes a tracker without any objects.
  public init() {}

  /// Tracks an object.
  ///
  /// - Parameters:
  ///   - object: The object. It is not retained.
  ///   - name: The object's name in messages; the name of its type if nil.
  ///   - fileID: The file of the call.
  ///   - filePath: The path of the call's file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: The object.
  @discardableResult
  public func track<Object: AnyObject>(
    _ object: Object, _ name: String? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) -> Object {
    track(
      object, name,
      at: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column))
    return object
  }

  package func track(_ object: AnyObject, _ name: String?, at place: SourcePlace) {
    let survivor = Survivor(name: name ?? "\(type(of: object))", place: place)
    let entry = Entry(reference: WeakReference(object), survivor: survivor)
    entries.withLock { $0.append(entry) }
  }

  /// Returns the tracked objects that are still alive, in the order in which they were tracked.
  ///
  /// - Returns: Their names and places.
  public func survivors() -> [Survivor] { survivingEntries().map(\.survivor) }

  func survivingEntries() -> [Entry] {
    // Outside the lock, because the check may become the last release of an object.
    entries.withLock { $0 }.filter(\.reference.isAlive)
  }

  /// Returns the tracked objects that have been released.
  func goneEntries() -> [Survivor] {
    entries.withLock { $0 }.filter { !$0.reference.isAlive }.map(\.survivor)
  }

  func entry(named name: String) -> Entry? {
    entries.withLock { $0 }.first { $0.survivor.name == name }
  }

  /// Every tracked object, released or not, with its name for use in a graph.
  package var namedObjects: [(reference: WeakReference, name: String)] {
    entries.withLock { $0 }.map { ($0.reference, $0.survivor.name) }
  }
}
