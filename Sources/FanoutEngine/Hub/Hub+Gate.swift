// Every function here but `beginGating()` is called by the holder of the drain.

extension Hub {
  /// Begins to ask an upstream that has just come, which owes nothing yet.
  public func beginGating() {
    guard isGating else { return }
    let isHolding = inbox.withLock { inbox in
      inbox.work.append(.upstream)
      return drain.announce(.queued)
    }
    if isHolding { runOut() }
  }

  /// Notes that the upstream may be asked for more before the drain is left.
  @inlinable
  func noteRoom() {
    worklist.isGateDue = true
    worklist.hasDue = true
  }

  /// Asks the upstream for as many values as the receiver with the least room has room for.
  ///
  /// Every value that is passed enters the log, so that its end counts what the upstream has sent.
  @inlinable
  @inline(never)
  func openGate() {
    worklist.isGateDue = false
    worklist.hasDue = false
    guard let limits else { return }
    var room = limits.policy.count
    for index in 0..<members.slots.count {
      guard let cursor = members.slots[index].demandCursor?.takeUnretainedValue(),
        cursor.isLimited, !cursor.isStopped
      else { continue }
      room = min(room, limits.policy.count &- waitingCount(cursor))
    }
    let more = retention.log.end &+ room &- limits.requestedEnd
    guard more > 0 else { return }
    limits.requestedEnd &+= more
    limits.requestMore(Credit(rawValue: UInt(more)))
  }
}
