// `@unchecked Sendable` invariant: properties marked `@exclusivity(unchecked)` are reached only by
// the thread that holds `drain`; entering it acquires what the last holder released. Everything
// that other threads leave lies in `inbox`, under its lock; `gate` changes only under that lock.

public import Synchronization

/// A place that passes values on to many receivers: one log, many cursors, one drain.
///
/// A thread that brings something while the hub is idle delivers it; a thread that finds it busy
/// leaves it in the inbox and returns. So calls into receivers never overlap, all receivers see one
/// order, and no lock is held while a receiver runs.
public final class Hub<Element, End>: @unchecked Sendable {
  /// How a hub treats a value, read off its memory once.
  @usableFromInline
  enum Mode {
    case lossy
    case newest
    case log
    case custom
  }

  @usableFromInline static var endedGate: Int { .min }
  @usableFromInline static var closedGate: Int { -1 }

  /// Sees to a cursor.
  @usableFromInline package typealias Attending = (Hub, Cursor<Element, End>, ChainNode?) ->
    Void

  /// Accepts and does something about a connection.
  @usableFromInline package typealias Accepting = (Hub, Work<Element, End>, Int) -> Void

  /// Formed where the hub is made, which is where its types are known: calls from methods that
  /// cannot be specialised lead through these closures to code that is.
  @usableFromInline package let attending: Attending
  @usableFromInline package let accepting: Accepting
  @usableFromInline package let drain = Drain()
  /// The connection whose values are accepted; no other's are.
  @usableFromInline let gate: AtomicValue<Int>
  /// How many attached receivers have asked for anything.
  @usableFromInline let askers = AtomicValue<Int>(0)
  /// Whether the holder of the drain is calling receivers and will not touch what is remembered before
  /// it has looked at the notes of the drain; see `borrowReplay(for:_:)`.
  @usableFromInline let memoryIsFree = AtomicValue<Bool>(false)
  @usableFromInline package let whenAsked: (() -> Void)?
  @usableFromInline let mode: Mode
  @usableFromInline let tellsNewest: Bool
  @usableFromInline let newestIsOvertaken: Bool
  /// How many values a newcomer is given at most.
  @usableFromInline let limit: Int
  @usableFromInline package let isKeyframe: ((Element) -> Bool)?
  @usableFromInline package let makeCache: (() -> CustomCache<Element>)?

  @exclusivity(unchecked) @usableFromInline var isPassing = false
  /// Whether a newcomer is given the newest value.
  @exclusivity(unchecked) @usableFromInline var newestIsCached = false
  @exclusivity(unchecked) @usableFromInline package var slots = SlotList<Element, End>()
  /// How many attached receivers cannot simply be called with each value.
  @exclusivity(unchecked) @usableFromInline var irregular = 0
  @exclusivity(unchecked) @usableFromInline package var log = Log<Element>()
  /// Values from here on are still needed by what the drain is doing, forgotten or not.
  @exclusivity(unchecked) @usableFromInline var passFloor = Int.max
  @exclusivity(unchecked) @usableFromInline var runFloor = Int.max
  @exclusivity(unchecked) @usableFromInline package var cache: CustomCache<Element>?
  @exclusivity(unchecked) @usableFromInline package var due: [Cursor<Element, End>] = []
  @exclusivity(unchecked) @usableFromInline package var dueHead = 0
  /// Work taken out of the inbox, last first.
  @exclusivity(unchecked) @usableFromInline package var batch: [Work<Element, End>] = []
  /// The number of receivers that have not taken the newest value.
  @exclusivity(unchecked) @usableFromInline var behind = 0
  /// The number of attached receivers that do not have their subscription yet.
  @exclusivity(unchecked) @usableFromInline var untold = 0
  /// The work that other threads leave.
  ///
  /// It lies far from the properties that the delivering thread reads for each value: otherwise the threads
  /// would contend for one cache line.
  @usableFromInline package let inbox: Lock<Inbox<Element, End>>
  @exclusivity(unchecked) @usableFromInline package var newest: Element?
  /// The value that the newest one has just replaced, for receivers that may have requested it.
  @exclusivity(unchecked) @usableFromInline package var displaced: Element?
  @exclusivity(unchecked) @usableFromInline package var end: End?

  /// Creates a hub without receivers.
  ///
  /// - Parameters:
  ///   - memory: The policy for the values that the hub keeps.
  ///   - initial: The first value, with which the hub also keeps its newest accepted value.
  ///   - isOpen: Whether the hub accepts values of connection 0 from the start.
  ///   - whenAsked: The closure to call, outside the drain, when the first attached receiver requests a value.
  @inlinable
  public init(
    _ memory: RetentionPolicy<Element>, initial: Element? = nil, isOpen: Bool = true,
    whenAsked: (() -> Void)? = nil
  ) {
    attending = { $0.attend($1, thenRelease: $2) }
    accepting = { $0.accept($1, from: $2) }
    var limit = Int.max
    var overtaken = false
    var isKeyframe: ((Element) -> Bool)?
    var makeCache: (() -> CustomCache<Element>)?
    switch memory.kind {
    case .nothing: mode = .lossy
    case .newest(let isOvertaken):
      mode = .newest
      overtaken = isOvertaken
    case .everything: mode = .log
    case .last(let count):
      mode = .log
      limit = count
    case .sinceKeyframe(let predicate):
      mode = .log
      isKeyframe = predicate
    case .custom(let factory):
      mode = .custom
      makeCache = factory
    }
    self.limit = limit
    self.isKeyframe = isKeyframe
    self.makeCache = makeCache
    self.whenAsked = whenAsked
    newestIsOvertaken = overtaken
    tellsNewest = initial != nil
    gate = AtomicValue(isOpen ? 0 : Self.closedGate)
    inbox = Lock(Inbox(newest: initial))
    newest = initial
    newestIsCached = initial != nil
    if isOpen { cache = makeCache?() }
    noteCreation(of: self, isPart: true)
  }

  deinit {
    // A receiver that is attached retains the owner of the hub, so none is.
    log.destroy()
    slots.resize(to: 0)
  }

  /// Whether values can be lost on a receiver that has not asked.
  @inlinable public var isLossy: Bool { mode == .lossy }

  /// Whether an end has been accepted.
  @inlinable public var isEnded: Bool { gate.load(ordering: .acquiring) == Self.endedGate }

  /// Whether any attached receiver has asked for anything.
  @inlinable public var isAsked: Bool { askers.load(ordering: .sequentiallyConsistent) > 0 }

  /// The newest value accepted, also if it has not been delivered yet; nil unless made with one.
  public var newestAccepted: Element? { inbox.withLock { $0.newest } }

  /// Lets the drain go, after doing what was left meanwhile; see `runOut(isLimited:)`.
  @inlinable
  func leave(isLimited: Bool = false) {
    // Who asked during a run is noted in `due`, not in the drain any more.
    if !due.isEmpty || !drain.tryLeave() { runOut(isLimited: isLimited) }
  }
}

@available(*, unavailable)
extension Hub.Mode: Sendable {}
