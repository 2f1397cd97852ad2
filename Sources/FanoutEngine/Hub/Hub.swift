// `@unchecked Sendable` invariant: properties marked `@exclusivity(unchecked)` are reached only by
// the thread that holds `drain`; entering it acquires what the last holder released. Everything
// that other threads leave lies in `inbox`, under its lock; `gate` changes only under that lock.

public import Synchronization

/// Passes values on to many receivers: one log, many cursors, one drain.
///
/// Whoever brings something while the hub is idle delivers it; who finds it busy leaves it in the
/// inbox and goes. So calls into receivers never overlap, all receivers see one order, and no lock
/// is held while a receiver runs.
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
  @usableFromInline typealias Attending = (Hub, Cursor<Element, End>, Link?) ->
    Void

  /// Accepts and does something about a connection.
  @usableFromInline typealias Accepting = (Hub, Work<Element, End>, Int) -> Void

  /// Formed where the hub is made, which is where its types are known: calls from methods that
  /// cannot be specialised lead through these closures to code that is.
  @usableFromInline let attending: Attending
  @usableFromInline let accepting: Accepting
  @usableFromInline let drain = Drain()
  /// The connection whose values are accepted; no other's are.
  @usableFromInline let gate: AtomicValue<Int>
  /// How many attached receivers have asked for anything.
  @usableFromInline let askers = AtomicValue<Int>(0)
  /// Whether the holder of the drain is calling receivers and will not touch what is remembered before
  /// it has looked at the notes of the drain; see `borrowReplay(for:_:)`.
  @usableFromInline let memoryIsFree = AtomicValue<Bool>(false)
  @usableFromInline let whenAsked: (() -> Void)?
  @usableFromInline let mode: Mode
  @usableFromInline let tellsNewest: Bool
  @usableFromInline let newestIsOvertaken: Bool
  /// How many values a newcomer is given at most.
  @usableFromInline let limit: Int
  @usableFromInline let isKeyframe: ((Element) -> Bool)?
  @usableFromInline let makeCache: (() -> CustomCache<Element>)?

  @exclusivity(unchecked) @usableFromInline var isPassing = false
  /// Whether a newcomer is given the newest value.
  @exclusivity(unchecked) @usableFromInline var newestIsCached = false
  @exclusivity(unchecked) @usableFromInline var slots = SlotList<Element, End>()
  /// How many attached receivers cannot simply be called with each value.
  @exclusivity(unchecked) @usableFromInline var irregular = 0
  @exclusivity(unchecked) @usableFromInline var log = Log<Element>()
  /// Values from here on are still needed by what the drain is doing, forgotten or not.
  @exclusivity(unchecked) @usableFromInline var passFloor = Int.max
  @exclusivity(unchecked) @usableFromInline var runFloor = Int.max
  @exclusivity(unchecked) @usableFromInline var cache: CustomCache<Element>?
  @exclusivity(unchecked) @usableFromInline var due: [Cursor<Element, End>] = []
  @exclusivity(unchecked) @usableFromInline var dueHead = 0
  /// Work taken out of the inbox, last first.
  @exclusivity(unchecked) @usableFromInline var batch: [Work<Element, End>] = []
  /// How many receivers have not taken the newest value.
  @exclusivity(unchecked) @usableFromInline var behind = 0
  /// How many attached receivers are still being told of their subscription.
  @exclusivity(unchecked) @usableFromInline var untold = 0
  /// What others leave, far from what the delivering thread reads for each value: they would take
  /// turns on one line of memory otherwise.
  @usableFromInline let inbox: Lock<Inbox<Element, End>>
  @exclusivity(unchecked) @usableFromInline var newest: Element?
  /// What the newest value has just replaced, for those of them who may have asked for it.
  @exclusivity(unchecked) @usableFromInline var displaced: Element?
  @exclusivity(unchecked) @usableFromInline var end: End?

  /// Makes a hub with nothing attached.
  ///
  /// - Parameters:
  ///   - memory: what is remembered.
  ///   - initial: a value to start with, which makes the hub tell its newest value.
  ///   - isOpen: whether values of connection 0 are accepted from the start.
  ///   - whenAsked: called, outside the drain, when the first of the attached receivers asks.
  @inlinable
  public init(
    _ memory: Memory<Element>, initial: Element? = nil, isOpen: Bool = true,
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

  /// Lets the drain go, after doing what was left meanwhile.
  @inlinable
  func leave() {
    // Who asked during a run is noted in `due`, not in the drain any more.
    if !due.isEmpty || !drain.tryLeave() { runOut() }
  }
}

@available(*, unavailable)
extension Hub.Mode: Sendable {}
