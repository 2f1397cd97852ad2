// Every function here but `beginGating(_:from:)` is called by the holder of the drain. Relaxed load: invariant: the gate
// changes only under the lock of the inbox, which is held at it.

internal import Synchronization

extension Hub {
  /// Begins to ask an upstream that has just come, unless its connection is no longer the current one.
  public func beginGating(_ upstream: DeliverySource, from connection: Int = 0) {
    guard isGating else { return }
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
  func noteRoom() {
    worklist.isGateDue = true
    worklist.hasDue = true
  }

  /// Asks the upstream for as many values as the receiver with the least room has room for, and for none if there
  /// is no receiver.
  ///
  /// Every value that is passed enters the log, so that its end counts what the upstream has sent.
  @inlinable
  @inline(never)
  func openGate() {
    worklist.isGateDue = false
    worklist.hasDue = false
    guard let limits, retention.end == nil else { return }
    var room: Int?
    for index in 0..<members.slots.count {
      guard let cursor = members.slots[index].cursor?.takeUnretainedValue(), !cursor.isStopped
      else { continue }
      let waiting = cursor.isLimited ? waitingCount(cursor) : 0
      room = min(room ?? .max, limits.policy.count &- waiting)
    }
    // Without a receiver nothing is asked for: if the connection closes, it does so after this.
    if room == nil, inbox.withLock({ $0.tap != nil }) { room = limits.policy.count }
    guard let room else { return }
    let owed = max(limits.requestedEnd &- retention.log.end, 0)
    guard room > owed else { return }
    limits.requestedEnd = retention.log.end &+ room
    limits.requestMore(Credit(rawValue: UInt(room &- owed)))
  }
}
