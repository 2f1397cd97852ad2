// Invariant: properties marked `@exclusivity(unchecked)` are reached only under the lock of the hub's
// inbox, but for `pinned`, which belongs to the holder of the hub's drain. `hub` is used only inside
// `owner.withObject`: the owner retains it.

internal import Synchronization

/// A place in a hub for who fetches values, instead of being called with them.
///
/// It is served under a short lock and not by the drain, so nobody who is just being called holds it
/// up. What it has not fetched yet is kept by the hub: in the hub's own log, where its replay begins,
/// and in the `Tap`, which all who fetch share.
public final class PullCursor<Element, End>: Link {
  /// Where a replay from the hub's log goes on, and where it ends.
  struct Replay {
    var chunk: UnsafeMutableRawPointer
    var index: Int
    let end: Int
  }

  /// A place in the hub's log from which on it is kept.
  struct Pin {
    let chunk: UnsafeMutableRawPointer
    let index: Int
  }

  let owner: GuardedReference
  let hub: Unmanaged<Hub<Element, End>>
  /// How many values may wait; the oldest are skipped when there are more.
  let limit: Int

  /// Where the replay begins that the hub's log keeps.
  @exclusivity(unchecked) final var pinned: Pin?

  @exclusivity(unchecked) final var whenLeft: ((_ atEnd: Bool) -> Void)?
  @exclusivity(unchecked) final var waiting: [(Fetched<Element, End>) -> Void] = []
  /// Whether its replay is not known yet.
  @exclusivity(unchecked) final var isJoining = true
  @exclusivity(unchecked) final var isOver = false
  @exclusivity(unchecked) final var isCounted = false
  /// Whether the holder of the drain has been asked to move the pin.
  @exclusivity(unchecked) final var isPinNoted = false
  /// The chunk in which the pin is, as far as it is known.
  @exclusivity(unchecked) final var pinnedChunk: UnsafeMutableRawPointer?
  @exclusivity(unchecked) final var replay: Replay?
  /// What is replayed behind that, and is not in the hub's log.
  @exclusivity(unchecked) final var backlog: Backlog<Element>?
  /// Where the next value for it lies in the tap; nil if it has fetched them all.
  @exclusivity(unchecked) final var chunk: UnsafeMutableRawPointer?
  @exclusivity(unchecked) final var index = 0

  /// Makes a cursor of a hub that `owner` retains.
  ///
  /// - Parameters:
  ///   - hub: Whose values are fetched.
  ///   - owner: What is retained until the end was fetched or the cursor is cancelled.
  ///   - limit: How many values may wait, from 1 up; the oldest are skipped when there are more.
  ///   - whenLeft: Called once, when the end was fetched or the cursor was cancelled.
  public init(
    hub: Hub<Element, End>, owner: AnyObject, limit: Int = .max,
    whenLeft: ((_ atEnd: Bool) -> Void)? = nil
  ) {
    self.hub = .passUnretained(hub)
    self.owner = GuardedReference(.passRetained(owner))
    self.limit = limit
    self.whenLeft = whenLeft
    super.init()
  }

  /// Hands over the next value, the end or nothing: now or as soon as there is one, once.
  ///
  /// Calls that wait are served in their order.
  public func fetch(_ receive: @escaping (Fetched<Element, End>) -> Void) {
    let found: Void? = owner.withObject { _ in
      hub._withUnsafeGuaranteedRef { $0.fetch(self, receive) }
    }
    if found == nil { receive(.nothing) }
  }

  /// The next value, the end or nothing, if it can be had at once.
  public func fetchNow() -> Fetched<Element, End>? {
    let found = owner.withObject { _ in hub._withUnsafeGuaranteedRef { $0.fetchNow(self) } }
    return found ?? .nothing
  }

  /// Leaves the hub: what waits for it is let go of, and who waits gets nothing.
  public override func cancel() {
    _ = owner.withObject { _ in hub._withUnsafeGuaranteedRef { $0.leave(self) } }
  }
}

extension PullCursor {
  /// How many values of its replay are left.
  final var replayCount: Int {
    (replay.map { $0.end &- $0.index } ?? 0) &+ (backlog?.count ?? 0)
  }

  /// Takes the next value of the replay: first what is in the log, then what is behind that.
  final func takeReplay() -> Element? {
    guard var place = replay else { return backlog?.popFirst() }
    let chunk = Chunk<Element>(place.chunk)
    let element = chunk.slot(place.index).pointee
    place.index &+= 1
    // Behind the last value of the replay the chunk may be changing.
    if place.index < place.end, place.index == chunk.capacityEnd, let next = chunk.next {
      place.chunk = next.raw
    }
    replay = place.index < place.end ? place : nil
    return element
  }
}

extension PullCursor {
  /// Whether the log may be told to forget what lies behind the replay: chunk by chunk, or value by
  /// value where the log forgets by itself.
  final func wantsUnpinning(inSteps: Bool) -> Bool {
    guard pinnedChunk != nil, !isPinNoted else { return false }
    return inSteps || replay?.chunk != pinnedChunk
  }
}

@available(*, unavailable)
extension PullCursor: Sendable {}

@available(*, unavailable)
extension PullCursor.Pin: Sendable {}

@available(*, unavailable)
extension PullCursor.Replay: Sendable {}

extension PullCursor: ReferenceListing {
  package var heldReferences: [HeldReference] {
    let held = owner.withObject { owner -> [HeldReference] in
      let hub = hub.takeUnretainedValue()
      return [.value("owner", owner), .unretained("hub", hub)] + hub.references(of: self)
    }
    return held ?? []
  }
}

extension Hub {
  /// What a cursor holds under the lock of the inbox.
  func references(of cursor: PullCursor<Element, End>) -> [HeldReference] {
    inbox.withLock { _ in
      let set: [HeldReference?] = [
        cursor.whenLeft.map { .closure("whenLeft", $0) },
        cursor.backlog.map { .value("backlog", $0) },
        cursor.backlog.map { .value("backlog.log", $0.values) },
      ]
      return set.compactMap { $0 } + cursor.waiting.map { .closure("waiting", $0) }
    }
  }
}
