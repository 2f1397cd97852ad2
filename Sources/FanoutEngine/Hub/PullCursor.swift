// Invariant: properties marked `@exclusivity(unchecked)` are reached only under the lock of the
// hub's inbox. Only `batch` has a lock of its own, which is taken under that of the inbox, or
// alone. `hub` is used only inside `owner.withObject`: the owner retains it.

/// A place in a hub for a loop that fetches values and is not called with them.
///
/// A short lock serves it and not the drain, so a slow subscriber does not delay it. The hub keeps
/// the values that it has not fetched: the replay in the hub's own log, and later values in the
/// `PullLog`, which all pull cursors share.
public final class PullCursor<Element, End>: ChainNode, ArrivalListMember {
  /// The stretch of the hub's log that a replay still has to read.
  @usableFromInline struct Replay {
    var chunk: UnsafeMutableRawPointer
    var index: Int
    let end: Int
  }

  @usableFromInline package let owner: RundownReference
  @usableFromInline package let hub: Unmanaged<Hub<Element, End>>
  /// Whether a limit holds for what waits.
  @usableFromInline let isLimited: Bool
  /// The terms of the loop, with the values that it collects if it does; without them it gets
  /// everything.
  @usableFromInline @exclusivity(unchecked) package final var terms: LimitedBacklog<Element, End>?
  /// Whether the loop is told more than its values.
  @usableFromInline let isTold: Bool
  /// Whether anything may be told yet: a loop that can miss nothing is told no more once it has
  /// caught up.
  @usableFromInline @exclusivity(unchecked) final var hasNotices: Bool

  @usableFromInline @exclusivity(unchecked) package final var arrivalIndex = -1
  /// The replay from the place on from which the hub's log keeps it.
  @usableFromInline @exclusivity(unchecked) final var pinned: Replay?

  @exclusivity(unchecked) package final var whenLeft: ((_ atEnd: Bool) -> Void)?
  /// The number of calls without a result.
  @usableFromInline @exclusivity(unchecked) package final var waiting = 0
  /// The calls that wait; the lock is taken under that of the inbox, or alone.
  @usableFromInline package let calls = Lock(PendingCalls<Fetched<Element, End>>())
  /// The values that were taken together with an earlier one, the oldest last.
  ///
  /// They are the loop's for good, so that only one for which no policy drops any has them.
  @usableFromInline @exclusivity(unchecked) final var batch: [Element] = []
  @usableFromInline let batchLock = Lock(())
  /// Whether the batch was filled, and may have values left.
  @usableFromInline @exclusivity(unchecked) final var mayHaveBatch = false
  /// The place in the inbox at which it waits for its turn to join.
  @exclusivity(unchecked) final var queuePlace: Int?
  /// Whether the loop can take nothing: its replay is not known yet, or a thread conflates what
  /// waits.
  @usableFromInline @exclusivity(unchecked) final var isHeld = true
  /// The values that have come meanwhile, if the loop collects them.
  @exclusivity(unchecked) package final var held: ValueQueue<PendingValue<Element>>?
  /// The number of values that a thread conflates with no lock held; nil if none does.
  @exclusivity(unchecked) package final var conflating: Int?
  @exclusivity(unchecked) final var isCounted = false
  /// Whether the holder of the drain has been asked to look at the loop.
  @exclusivity(unchecked) final var isPinNoted = false
  @exclusivity(unchecked) final var replay: Replay?
  /// The rest of the replay, which is not in the hub's log.
  @exclusivity(unchecked) package final var backlog: ValueQueue<Element>?
  /// The number of values that are left of both.
  @usableFromInline @exclusivity(unchecked) final var replayCount = 0
  /// The place of the next value in the pull log; nil after the last one.
  @usableFromInline @exclusivity(unchecked) final var chunk: UnsafeMutableRawPointer?
  @usableFromInline @exclusivity(unchecked) final var index = 0
  /// The number of values that may wait before the upstream is asked for no more; 0 if this cursor
  /// does not limit that.
  @usableFromInline @exclusivity(unchecked) final var size = 0
  /// The part of its account that an observer knows.
  @exclusivity(unchecked) final var told = ToldAccount()

  /// Creates a cursor of a hub, which `owner` retains; `owner` is retained until the end was
  /// fetched or the cursor is cancelled, and then `whenLeft` is called, once.
  ///
  /// Without terms, which include the limit of what waits, the loop joins as any other. One that is
  /// told more than its values, as `isTold` says, has terms.
  package init(
    hub: Hub<Element, End>, owner: AnyObject, _ terms: LimitedBacklog<Element, End>? = nil,
    isTold: Bool = false, whenLeft: ((_ atEnd: Bool) -> Void)? = nil
  ) {
    self.hub = .passUnretained(hub)
    self.owner = RundownReference(.passRetained(owner))
    isLimited = terms?.policy.isLimiting == true
    self.terms = terms
    self.isTold = isTold
    hasNotices = isTold
    self.whenLeft = whenLeft
    super.init(isPart: true)
    guard let terms else { return }
    terms.isCollecting = isLimited && (isTold || !terms.policy.slides)
    if terms.measure != nil { terms.setCursor(self) }
  }

  /// Runs `body` with exclusive access to the batch, as `Lock.withLock(_:)` does.
  ///
  /// The lock guards nothing itself: its type would be made of the type of the values, and be
  /// looked up for each loop.
  @inlinable
  @inline(__always)
  package func withBatch<Value>(_ body: (inout [Element]) -> Value) -> Value {
    batchLock.withLock { _ in body(&batch) }
  }

  /// Takes the next value or the end; returns nil if there is none yet, and `.nothing` after a
  /// cancel.
  ///
  /// It also takes values that follow, so that the next calls need no fetch. Deliveries that it
  /// makes for others are limited (`BoundedDelivery`).
  @inlinable
  public func fetch() -> Fetched<Element, End>? {
    if !isLimited, let element = withBatch({ $0.popLast() }) { return .element(element) }
    let found = owner.withObject { _ in hub._withUnsafeGuaranteedRef { $0.fetch(self) } }
    return found ?? .nothing
  }

  /// Takes values that wait, up to a number of them, and the end if that follows; returns nil if
  /// nothing waits then.
  ///
  /// They are added to `found`, the oldest first, under one lock. Deliveries to others are limited,
  /// as in `fetch()`.
  @inlinable
  package func fetch(upTo count: Int, into found: inout [Element]) -> FoundBatch<End>? {
    let result = owner.withObject { _ in
      hub._withUnsafeGuaranteedRef { $0.fetch(self, upTo: count, into: &found) }
    }
    return result ?? .nothing
  }

  /// Takes the next event of a loop that is told more than its values, as `fetch()` takes a value;
  /// if it `isSpecialized`, the types are known to the caller, which forms code that adds values
  /// for all loops.
  @inlinable
  package func fetchNotice(isSpecialized: Bool = false) -> Fetched<Notice<Element>, End>? {
    if !isLimited, let live = takeLive() { return live }
    let found = owner.withObject { _ in
      hub._withUnsafeGuaranteedRef { $0.fetchNotice(self, isSpecialized: isSpecialized) }
    }
    return found ?? .nothing
  }

  /// Waits for the next value, the end or nothing; calls that wait get their results in their
  /// order.
  @inlinable
  public func next(isolation actor: isolated (any Actor)?) async -> Fetched<Element, End> {
    let beginning = owner.withObject { _ in hub._withUnsafeGuaranteedRef { $0.begin(self) } }
    switch beginning {
    case .result(let fetched): return fetched
    case .waiting(let call):
      return await call.result(isolation: actor) { body in calls.withLock { body(&$0) } }
    case nil: return .nothing
    }
  }

  /// Leaves the hub: releases the values that wait, and ends the calls that wait with `.nothing`.
  public override func cancel() {
    _ = owner.withObject { _ in hub._withUnsafeGuaranteedRef { $0.leave(self) } }
    // From now on nothing is put there.
    var released: [Element] = []
    withBatch { swap(&$0, &released) }
    withExtendedLifetime(released) {}
  }
}

extension PullCursor {
  /// Whether the loop has left, or could not join.
  @inlinable final var isOver: Bool { arrivalIndex < 0 }

  /// The place at which the loop joins.
  final var place: JoinPlace<Element> { terms?.place ?? .replay }

  /// Whether the loop joins behind everything that was accepted.
  final var joinsLive: Bool { if case .live = place { true } else { false } }

  /// Whether the loop goes on where a newcomer would start.
  final var isRejoining: Bool { isLimited && terms?.policy.isRejoining == true }

  /// The number of values that wait in a queue of its own, or are to.
  final var collectedCount: Int {
    guard isLimited, let terms else { return 0 }
    return (conflating ?? terms.ownCount) &+ (held?.count ?? 0)
  }

  /// Whether the next value is one of the replay.
  @usableFromInline
  final var isInReplay: Bool {
    guard replayCount == 0, isLimited, !isHeld, let terms else { return replayCount > 0 }
    return terms.entries.next?.isReplayed == true
  }

  /// Whether the loop has to fetch what comes next, because the result of a call cannot say what it
  /// is: a notice, or a value of the replay.
  @usableFromInline
  final var isToFetch: Bool {
    guard !isHeld, let terms else { return false }
    return isInReplay || terms.entries.hasNotice(behindReplay: false)
  }

  /// Takes the notice that goes in front of the next value, if there is one.
  @usableFromInline
  final func takeNotice() -> GapNotice? {
    guard hasNotices, !isHeld, let terms else { return nil }
    let notice = terms.entries.takeNotice(behindReplay: replayCount > 0)
    if case .caughtUp? = notice, !isLimited { hasNotices = false }
    return notice
  }

  /// Takes a value that was taken together with an earlier one, of a loop that is told nothing
  /// beside its values.
  @inlinable
  @inline(never)
  final func takeLive() -> Fetched<Notice<Element>, End>? {
    withBatch { batch in
      guard let element = batch.popLast() else { return nil }
      return .element(.live(element))
    }
  }

  /// Takes the next value that waits for this loop alone: of the replay, or of those that it
  /// collects.
  @inlinable
  final func takeOwn() -> Element? {
    guard replayCount > 0 || isLimited else { return nil }
    return withUnsafeTemporaryAllocation(of: Element.self, capacity: 1) { memory in
      guard let slot = memory.baseAddress, moveOwn(to: slot) else { return nil }
      return slot.move()
    }
  }

  /// Moves the next value that waits for this loop alone to memory that holds none; returns false
  /// if there is none.
  @usableFromInline
  final func moveOwn(to slot: UnsafeMutablePointer<Element>) -> Bool {
    if replayCount > 0 {
      moveReplay(to: slot)
      return true
    }
    guard let terms, terms.isCollecting, terms.unconflatedCount == 0 else { return false }
    return terms.takeFirst(to: slot)
  }

  /// Moves the next value of the replay, which has one, to memory that holds none: first what is in
  /// the log, then what is behind that.
  final func moveReplay(to slot: UnsafeMutablePointer<Element>) {
    replayCount &-= 1
    guard var place = replay else {
      _ = backlog?.moveFirst(to: slot)
      return
    }
    let chunk = Chunk<Element>(place.chunk)
    slot.initialize(to: chunk.slot(place.index).pointee)
    place.index &+= 1
    // Behind the last value of the replay the chunk may be changing.
    if place.index < place.end, place.index == chunk.capacityEnd, let next = chunk.next {
      place.chunk = next.raw
    }
    replay = place.index < place.end ? place : nil
  }
}

extension PullCursor {
  /// Has the holder of the drain look at the loop: at its place in the hub's log, and at what it
  /// needs of the upstream.
  final func attend(_ served: inout DeferredWork) {
    guard !isPinNoted else { return }
    isPinNoted = true
    served.rest.unpinned.append(self)
  }
}

/// A value that has come for a loop that can take nothing yet.
package struct PendingValue<Element> {
  package let element: Element
  let arrival: Arrival
}

/// The facts about a value that a loop collects.
struct Arrival: Sendable {
  /// The place of the value in the pull log.
  let position: Int
  let cost: Int
  /// The place at which a newcomer starts behind it, if the loop rejoins.
  let start: NewcomerStart?
}

@available(*, unavailable)
extension PullCursor: Sendable {}
