// Invariant: everything here is called under the lock of the hub's inbox.

extension PullLog {
  /// Lets a cursor go on where a newcomer starts, if that lies ahead of its place, or wait for the next start.
  ///
  /// - Parameters:
  ///   - cursor: The cursor, for which more values wait than its limit allows.
  ///   - terms: Its terms.
  ///   - start: The place at which newcomers start.
  ///   - position: The position of the newest value that it has got.
  ///   - served: The work to do after the unlock.
  func rejoin(
    _ cursor: PullCursor<Element, End>, _ terms: LimitedBacklog<Element, End>,
    at start: NewcomerStart, behind position: Int, _ served: inout DeferredWork
  ) {
    let restart = start.restart(
      from: terms.entries[0].position, ifLacking: terms.lacksEnough(openedAt: start.openedAt))
    switch restart {
    case nil: return
    case .behindReplay: terms.dropLive(to: served.rest.released())
    case .at(let place):
      terms.rejoinCount &+= 1
      terms.restart(to: served.rest.released()) { $1.position >= place }
    case .waiting:
      terms.rejoinCount &+= 1
      terms.restart(to: served.rest.released()) { _, _ in false }
      cursor.awaitsStart = true
      terms.wait.from = position &+ 1
    }
  }

  /// Notes whether a cursor waits for a start, or has too many values and no start ahead.
  func noteLack(
    of cursor: PullCursor<Element, End>, _ terms: LimitedBacklog<Element, End>,
    _ served: inout DeferredWork
  ) {
    guard seeksStarts, terms.policy.isRejoining else { return }
    let isTooSlow =
      terms.isOver(terms.ownLiveCount) && terms.measure?.patience?.isOver != false
    setLack(of: cursor, terms, cursor.awaitsStart || isTooSlow, &served)
  }

  /// Sets whether a cursor lacks a start, and has the holder of the drain look at that.
  func setLack(
    of cursor: PullCursor<Element, End>, _ terms: LimitedBacklog<Element, End>, _ lacksStart: Bool,
    _ served: inout DeferredWork
  ) {
    guard lacksStart != terms.lacksStart else { return }
    terms.lacksStart = lacksStart
    lackingStart &+= lacksStart ? 1 : -1
    noteUnpinning(of: cursor, &served)
  }

  /// Notes that a connection begins or closes.
  func noteConnection(opening: Bool) {
    starts.noteConnection(opening: opening, at: log.end)
    if opening { endAwaiting() }
  }

  /// Lets the loops that wait for a start wait no longer, because it comes or none does any more, and tells them what
  /// they have missed.
  @inline(never)
  func endAwaiting() {
    for place in 0..<cursors.placeCount {
      guard let cursor = cursors.member(at: place), let terms = cursor.terms, cursor.awaitsStart
      else { continue }
      endWait(of: cursor, terms, at: log.end)
    }
  }

  /// Lets a loop wait no longer for a start, which is at a position.
  func endWait(
    of cursor: PullCursor<Element, End>, _ terms: LimitedBacklog<Element, End>, at position: Int
  ) {
    cursor.awaitsStart = false
    terms.miss(position &- terms.wait.from)
  }
}
