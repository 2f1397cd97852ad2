// Invariant: properties marked `@exclusivity(unchecked)` are reached only under the lock of the hub's
// inbox, but for `pinned`, which belongs to the holder of the hub's drain. `hub` is used only inside
// `owner.withObject`: the owner retains it.

internal import Synchronization

/// A place in a hub for a loop that fetches values and is not called with them.
///
/// A short lock serves it and not the drain, so a slow subscriber does not delay it. The hub keeps the values
/// that it has not fetched: the replay in the hub's own log, and later values in the `PullLog`, which all
/// pull cursors share.
public final class PullCursor<Element, End>: ChainNode {
  /// The stretch of the hub's log that a replay still has to read.
  struct Replay {
    var chunk: UnsafeMutableRawPointer
    var index: Int
    let end: Int
  }

  /// A place in the hub's log that keeps the values from there on.
  struct Pin {
    let chunk: UnsafeMutableRawPointer
    let index: Int
  }

  package let owner: RundownReference
  package let hub: Unmanaged<Hub<Element, End>>
  /// The greatest number of values that wait; when there are more, the oldest are skipped.
  let limit: Int

  /// The beginning of the replay that the hub's log keeps.
  @exclusivity(unchecked) final var pinned: Pin?

  @exclusivity(unchecked) package final var whenLeft: ((_ atEnd: Bool) -> Void)?
  @exclusivity(unchecked) package final var waiting: [(Fetched<Element, End>) -> Void] = []
  /// Whether the replay is not known yet.
  @exclusivity(unchecked) final var isJoining = true
  @exclusivity(unchecked) final var isOver = false
  @exclusivity(unchecked) final var isCounted = false
  /// Whether the holder of the drain has been asked to move the pin.
  @exclusivity(unchecked) final var isPinNoted = false
  /// The chunk in which the pin is, as far as it is known.
  @exclusivity(unchecked) final var pinnedChunk: UnsafeMutableRawPointer?
  @exclusivity(unchecked) final var replay: Replay?
  /// The rest of the replay, which is not in the hub's log.
  @exclusivity(unchecked) package final var backlog: Backlog<Element>?
  /// The place of the next value in the pull log; nil after the last one.
  @exclusivity(unchecked) final var chunk: UnsafeMutableRawPointer?
  @exclusivity(unchecked) final var index = 0

  /// Creates a cursor of a hub that `owner` retains.
  ///
  /// - Parameters:
  ///   - hub: The hub to fetch values from.
  ///   - owner: The object to retain until the end was fetched or the cursor is cancelled.
  ///   - limit: The greatest number of values that wait, 1 or more; when there are more, the oldest are skipped.
  ///   - whenLeft: The closure to call once, when the end was fetched or the cursor was cancelled.
  public init(
    hub: Hub<Element, End>, owner: AnyObject, limit: Int = .max,
    whenLeft: ((_ atEnd: Bool) -> Void)? = nil
  ) {
    self.hub = .passUnretained(hub)
    self.owner = RundownReference(.passRetained(owner))
    self.limit = limit
    self.whenLeft = whenLeft
    super.init(isPart: true)
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
