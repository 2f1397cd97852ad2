// Every function here but `admitUpstream(_:from:)` is called by the holder of the drain. Relaxed loads: invariant: the
// gate changes only under the lock of the inbox, which is held where a connection begins; where a start is asked for,
// an older gate means that the work which follows the change is still to come, and asks again.

internal import Synchronization

extension Hub {
  /// Admits an upstream that has just come, and begins to ask it if it is to be asked at all, unless its connection is
  /// no longer the current one.
  public func admitUpstream(_ upstream: DeliverySource, from connection: Int = 0) {
    guard rules.requestsFromUpstream else { return }
    let isHolding = inbox.withLock { inbox in
      guard Self.connection(of: signals.gate.load(ordering: .relaxed)) == connection else {
        return false
      }
      inbox.work.append(.upstream(upstream))
      return drain.announce(.queued)
    }
    if isHolding { runOut() }
  }

  /// Notes that the upstream may be asked for more before the drain is left.
  @inlinable
  func noteDemandDue() {
    worklist.isUpstreamRequestDue = true
    worklist.hasDue = true
  }

  /// Asks the upstream for a start if a receiver waits for one, and for as many values as the receiver with the least
  /// room has room for, and for none if there is no receiver.
  ///
  /// Every value that the upstream has sent counts as accepted.
  @inlinable
  @inline(never)
  func requestFromUpstream() {
    worklist.isUpstreamRequestDue = false
    worklist.isUpstreamRequestPostponed = false
    worklist.hasDue = worklist.dueHead < worklist.due.count
    if let requests = rules.startRequests { ask(for: requests) }
    guard limitsDemand, let limits, retention.end == nil else { return }
    let owed = max(limits.requestedEnd &- acceptedCount, 0)
    // No receiver can have more room, so none needs to be looked at when others come and go.
    guard owed < limits.largestCount else { return }
    // Loops have got values that are not accepted yet, and that count as owed until then.
    if worklist.hasLoops, !worklist.batch.isEmpty {
      worklist.isUpstreamRequestPostponed = true
      return
    }
    // Without a receiver nothing is asked for: if the connection closes, it does so after this.
    guard let room = leastRoom(whileOwed: owed), room > owed else { return }
    limits.requestedEnd = acceptedCount &+ room
    limits.upstream?.request(Credit(rawValue: UInt(room &- owed)))
  }

  /// Has the upstream asked for a start, or not any more, if that has changed.
  @usableFromInline
  func ask(for requests: StartRequests) {
    let isOpen = retention.starting.hasUpstream && signals.gate.load(ordering: .relaxed) >= 0
    let isAwaited =
      isOpen
      && (members.awaiting > 0 || members.lackingStart > 0
        || inbox.withLock { $0.pullLog.map { $0.lackingStart > 0 } ?? false })
    guard isAwaited != retention.starting.isAwaited else { return }
    retention.starting.isAwaited = isAwaited
    if isAwaited { requests.begin() } else { requests.end() }
  }

  /// Returns the room of the receiver that has the least; nil if there is no receiver, or if nothing is to be requested
  /// for loops yet: values are on their way that they have got already, or the upstream owes more than half of what may
  /// wait for them.
  @inlinable
  func leastRoom(whileOwed owed: Int) -> Int? {
    guard let limits else { return nil }
    var room: Int?
    var hasOthers = false
    var hasOnlyLoops = true
    for index in 0..<members.slots.count {
      guard let cursor = members.slots[index].cursor?.takeUnretainedValue(), !cursor.isStopped
      else { continue }
      guard let backlog = cursor.limitedBacklog else {
        room = min(room ?? .max, limits.policy.requestCount)
        continue
      }
      if backlog.policy.limitsDemand, backlog.end == nil, !isWaitOver(cursor, backlog) {
        hasOnlyLoops = false
        room = min(room ?? .max, self.room(whileWaiting: cursor, backlog))
      } else {
        hasOthers = true
      }
    }
    if worklist.hasLoops, hasOnlyLoops, owed > limits.largestCount / 2 {
      // Loops may have got what is queued, and it is owed until it is taken up.
      if drain.has(.queued) { worklist.isUpstreamRequestPostponed = true }
      return nil
    }
    if worklist.hasLoops { room = roomOfLoops(limits.policy.requestCount, and: room) }
    // If no attached receiver limits demand, the upstream is asked for the publisher's own count at a time.
    if room == nil, hasOthers, !worklist.isUpstreamRequestPostponed {
      room = limits.policy.requestCount
    }
    return room
  }

  /// Returns whether the upstream waits no longer for a receiver whose backlog is full.
  ///
  /// A limit of the age is reached without an event, so that this may begin the time.
  @inlinable
  func isWaitOver(_ cursor: Cursor<Element, End>, _ backlog: LimitedBacklog<Element, End>) -> Bool {
    guard let measure = backlog.measure, let patience = measure.patience else { return false }
    measure.meter.keepLast(liveCount(cursor, backlog))
    updatePatience(cursor, backlog, measure)
    return patience.isOver
  }

  /// Returns the number of values for which a receiver has room that limits what the upstream is asked for.
  @inlinable
  func room(whileWaiting cursor: Cursor<Element, End>, _ backlog: LimitedBacklog<Element, End>)
    -> Int
  {
    let live = liveCount(cursor, backlog)
    guard let measure = backlog.measure, backlog.policy.limits != nil else {
      return backlog.policy.count &- live
    }
    // What a value will cost is known when it is there, so they are asked for one by one.
    measure.meter.keepLast(live)
    return measure.meter.isFull ? 0 : min(1, backlog.policy.count &- live)
  }

  /// Returns the least room of the loops that fetch and of the other receivers; nil if there is none, or if values are
  /// on their way that loops have got already.
  @inlinable
  func roomOfLoops(_ size: Int, and others: Int?) -> Int? {
    var served = DeferredWork<Element, End>()
    let room = inbox.withLock { inbox -> Int? in
      guard inbox.work.isEmpty else {
        worklist.isUpstreamRequestPostponed = true
        return nil
      }
      guard let log = inbox.pullLog else {
        worklist.hasLoops = false
        return others
      }
      var room: Int?
      for cursor in log.cursors.members where cursor.size > 0 {
        if let terms = cursor.terms, let patience = terms.patience {
          if patience.isFull { log.lookAtWait(for: cursor, terms, &served) }
          if terms.isWaitOver { continue }
        }
        room = min(room ?? .max, cursor.size &- log.count(cursor) &- cursor.held)
      }
      log.isHeldBack = room.map { $0 <= 0 } ?? false
      guard let room, let others else { return room ?? others ?? size }
      return min(room, others)
    }
    if !served.isEmpty { carryOut(served) }
    return room
  }
}
