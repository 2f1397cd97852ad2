// Those who fetch are served under the lock of the inbox; what they are handed, and what is released,
// leaves it first. Relaxed loads: invariant: the gate changes only under that lock, which is held at each of them.
//
// Not inlinable: in a client's module the optimiser would see the atomics of the lock, and may move the retain of a
// value that is copied out behind the unlock.

internal import Synchronization

extension Hub {
  /// Added to the gate while somebody fetches, so that no value passes without the lock.
  @usableFromInline static var tapped: Int { 1 << 62 }

  /// The connection that a gate says is open, whether it is tapped or not.
  @inlinable
  static func connection(of gate: Int) -> Int { gate >= tapped ? gate &- tapped : gate }

  /// Gives a cursor its place: behind everything accepted so far, before everything later.
  ///
  /// The holder of the drain looks up the replay; this call does it if that is possible while the
  /// holder calls a receiver.
  public func join(_ cursor: PullCursor<Element, End>) {
    var served = DeferredWork<Element, End>()
    let acceptance = inbox.withLock { inbox -> Acceptance in
      let tap = inbox.tap ?? PullLog()
      inbox.tap = tap
      tap.cursors.append(cursor)
      let known = signals.gate.load(ordering: .relaxed)
      if known >= 0, known < Self.tapped {
        signals.gate.store(known + Self.tapped, ordering: .releasing)
      }
      guard rules.mode != .lossy else {
        cursor.isJoining = false
        return .refused
      }
      if drain.isIdle, drain.tryEnter() { return .direct }
      return borrowReplay(for: cursor, &inbox, &served)
    }
    settle(served)
    switch acceptance {
    case .direct:
      enter(cursor)
      leave(isLimited: true)
    case .holding: runOut(isLimited: true)
    case .refused, .left, .tapped: break
    }
    countIn(cursor)
  }

  /// Counts a cursor among those who have asked, unless it has left already: it wants everything.
  func countIn(_ cursor: PullCursor<Element, End>) {
    let isThere = inbox.withLock { _ in
      cursor.isCounted = !cursor.isOver
      return cursor.isCounted
    }
    if isThere { countInOne() }
  }

  /// Hands over the next thing for a cursor, now or later.
  func fetch(
    _ cursor: PullCursor<Element, End>, _ receive: @escaping DeferredWork<Element, End>.Receive
  ) {
    var served = DeferredWork<Element, End>()
    inbox.withLock { inbox in
      cursor.waiting.append(receive)
      serve(cursor, &inbox, &served)
    }
    settle(served)
  }

  /// Takes out the next thing for a cursor, if there is one and nobody else waits for it.
  func fetchNow(_ cursor: PullCursor<Element, End>) -> Fetched<Element, End>? {
    var served = DeferredWork<Element, End>()
    let fetched = inbox.withLock { inbox -> Fetched<Element, End>? in
      guard cursor.waiting.isEmpty else { return nil }
      let fetched = next(cursor, &inbox, &served)
      notePin(cursor, &served)
      return fetched
    }
    settle(served)
    return fetched
  }

  /// Takes a cursor out.
  func leave(_ cursor: PullCursor<Element, End>) {
    var served = DeferredWork<Element, End>()
    inbox.withLock { inbox in
      detach(cursor, atEnd: false, &inbox, &served)
      serve(cursor, &inbox, &served)
    }
    settle(served)
  }

  /// Accepts a value for all who fetch.
  @usableFromInline
  func offer(
    _ element: Element, _ inbox: inout Inbox<Element, End>,
    _ served: inout DeferredWork<Element, End>?
  ) {
    guard let tap = inbox.tap else { return }
    var now = DeferredWork<Element, End>()
    tap.append(element, skipped: &now.skipped)
    for cursor in tap.cursors { serve(cursor, &inbox, &now) }
    served = now
  }

  /// Accepts the end for all who fetch.
  @usableFromInline
  func offerEnd(
    _ end: End, _ inbox: inout Inbox<Element, End>, _ served: inout DeferredWork<Element, End>?
  ) {
    inbox.end = end
    guard let tap = inbox.tap else { return }
    var now = DeferredWork<Element, End>()
    for cursor in tap.cursors { serve(cursor, &inbox, &now) }
    served = now
  }

  /// Leaves a value, or passes it on, that is for those who fetch too.
  @usableFromInline
  @inline(never)
  func leaveTapped(_ element: Element, from connection: Int) {
    var served: DeferredWork<Element, End>?
    let acceptance = inbox.withLock { inbox -> Acceptance in
      guard Self.connection(of: signals.gate.load(ordering: .relaxed)) == connection else {
        return .refused
      }
      offer(element, &inbox, &served)
      if drain.isIdle, drain.tryEnter() { return .direct }
      return leave(.value(element), &inbox)
    }
    if let served { settle(served) }
    switch acceptance {
    case .direct:
      pass(element)
      leave()
    case .holding: runOut()
    case .refused, .left, .tapped: break
    }
  }

  /// Passes on a value that is for those who fetch too, or is refused; the caller holds the drain, and
  /// does not any more after this.
  @usableFromInline
  @inline(never)
  func sendTapped(_ element: Element, from connection: Int) {
    var served: DeferredWork<Element, End>?
    let isNext = inbox.withLock { inbox -> Bool in
      guard Self.connection(of: signals.gate.load(ordering: .relaxed)) == connection else {
        return false
      }
      offer(element, &inbox, &served)
      // Somebody may have left work since the drain was entered: that was accepted before.
      if inbox.work.isEmpty { return true }
      inbox.work.append(.value(element))
      return false
    }
    if let served { settle(served) }
    if isNext { pass(element) }
    leave()
  }
}

extension Hub {
  /// Takes out, for everyone who waits for a fetch of a cursor, what there is to fetch.
  func serve(
    _ cursor: PullCursor<Element, End>, _ inbox: inout Inbox<Element, End>,
    _ served: inout DeferredWork<Element, End>
  ) {
    while let receive = cursor.waiting.first, let fetched = next(cursor, &inbox, &served) {
      cursor.waiting.removeFirst()
      served.handovers.append((receive, fetched))
    }
    notePin(cursor, &served)
  }

  func notePin(_ cursor: PullCursor<Element, End>, _ served: inout DeferredWork<Element, End>) {
    guard cursor.wantsUnpinning(inSteps: rules.isForgetful) else { return }
    cursor.isPinNoted = true
    served.unpinned.append(cursor)
  }

  /// Returns the next result for a cursor, or nil if there is none yet.
  func next(
    _ cursor: PullCursor<Element, End>, _ inbox: inout Inbox<Element, End>,
    _ served: inout DeferredWork<Element, End>
  ) -> Fetched<Element, End>? {
    guard !cursor.isOver, let tap = inbox.tap else { return .nothing }
    guard !cursor.isJoining else { return nil }
    if let element = cursor.takeReplay() ?? tap.take(cursor) { return .element(element) }
    guard let end = inbox.end else { return nil }
    detach(cursor, atEnd: true, &inbox, &served)
    return .end(end)
  }

  /// Takes a cursor out of the tap, and the tap away with the last one.
  func detach(
    _ cursor: PullCursor<Element, End>, atEnd: Bool, _ inbox: inout Inbox<Element, End>,
    _ served: inout DeferredWork<Element, End>
  ) {
    guard !cursor.isOver, let tap = inbox.tap else { return }
    cursor.isOver = true
    tap.remove(cursor, released: &served.skipped)
    if let backlog = cursor.backlog { served.objects.append(backlog) }
    cursor.backlog = nil
    cursor.replay = nil
    served.departures.append(
      .init(
        cursor: cursor, whenLeft: cursor.whenLeft, wasCounted: cursor.isCounted, atEnd: atEnd))
    cursor.whenLeft = nil
    guard tap.cursors.isEmpty else { return }
    served.objects.append(tap)
    inbox.tap = nil
    let known = signals.gate.load(ordering: .relaxed)
    if known >= Self.tapped {
      signals.gate.store(known - Self.tapped, ordering: .releasing)
    }
  }

  /// Does what is left to do when the lock is free: lets go, and then hands over.
  @usableFromInline
  func settle(_ served: DeferredWork<Element, End>) {
    for departure in served.departures {
      if departure.wasCounted { countOutOne() }
      departure.whenLeft?(departure.atEnd)
      departure.cursor.owner.close()
    }
    for cursor in served.unpinned { unpin(cursor) }
    for (receive, fetched) in served.handovers { receive(fetched) }
  }

  /// Has the log forget what the replay of a cursor has behind it.
  func unpin(_ cursor: PullCursor<Element, End>) {
    if drain.tryEnter() {
      movePin(cursor)
      return leave(isLimited: true)
    }
    let isHolding = inbox.withLock { inbox in
      inbox.unpinned.append(cursor)
      return drain.announce(.attention)
    }
    if isHolding { runOut(isLimited: true) }
  }

  /// Moves the pins that were noted, as the holder of the drain.
  @usableFromInline
  @inline(never)
  func movePins() {
    let unpinned = inbox.withLock { inbox in
      let unpinned = inbox.unpinned
      inbox.unpinned = []
      return unpinned
    }
    for cursor in unpinned { movePin(cursor) }
  }

  /// Moves the place from which on the log is kept for a cursor, as the holder of the drain.
  @usableFromInline
  func movePin(_ cursor: PullCursor<Element, End>) {
    let wanted = inbox.withLock { _ in
      cursor.isPinNoted = false
      cursor.pinnedChunk = cursor.replay?.chunk
      return cursor.replay
    }
    guard let pinned = cursor.pinned else { return }
    if let wanted { Chunk<Element>(wanted.chunk).changeResting(at: wanted.index, arriving: true) }
    Chunk<Element>(pinned.chunk).changeResting(at: pinned.index, arriving: false)
    cursor.pinned = wanted.map { .init(chunk: $0.chunk, index: $0.index) }
    trim()
  }
}
