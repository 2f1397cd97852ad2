// It is called by the holder of the drain or when no thread runs, and changes nothing.

#if DEBUG || FANOUT_EXPLORER
  extension Hub {
    /// The number of receivers up to which the invariants are checked, so that a turn stays short.
    private static var checkedCount: Int { 64 }

    /// Traps unless the invariants hold, at the end of a turn of the drain.
    @usableFromInline
    func checkInvariants() {
      guard let brokenInvariant else { return }
      preconditionFailure("The state of a hub is wrong. \(brokenInvariant)")
    }

    /// An invariant of the state that does not hold, of those that `Retention` names; nil if all hold.
    @usableFromInline
    package var brokenInvariant: String? {
      guard members.slots.count <= Self.checkedCount else { return nil }
      let cursors = members.slots.cursors
      return brokenPlace ?? brokenCounter(cursors)
        ?? cursors.lazy.compactMap(self.brokenState).first
    }

    private var brokenPlace: String? {
      let log = retention.log
      guard log.head <= log.start, log.start <= log.end else {
        return "I1: the log has the head \(log.head), the start \(log.start), the end \(log.end)."
      }
      if members.isPassing { return "I1: a value goes through the slots." }
      let isRead = retention.passFloor != .max || retention.runFloor != .max
      return isRead ? "I1: a place in the log is kept for no receiver." : nil
    }

    private func brokenCounter(_ cursors: [Cursor<Element, End>]) -> String? {
      let stalls = cursors.filter(\.isStalled).compactMap { $0.limitedBacklog?.stall }
      let sliding = stalls.count { if case .sliding = $0 { true } else { false } }
      let counters = [
        ("occupied", members.slots.occupied, cursors.count),
        (
          "irregular", members.irregular,
          cursors.count(where: \.isIrregular) + (limitsDemand ? 1 : 0)
        ),
        (
          "extra", members.extras,
          (hasLog ? 0 : cursors.count { $0.isLimited && !$0.isSink })
            + (members.isWatched ? 1 : 0)
        ),
        ("behind", members.behind, cursors.count { $0.isBehind && !$0.isLimited }),
        ("awaiting", members.awaiting, cursors.count(where: \.awaitsStart)),
        ("untold", members.untold, cursors.count(where: \.lacksSubscription)),
        ("stalled", members.stalled.count, cursors.count(where: \.isStalled)),
        ("sliding", members.stalled.sliding, sliding),
        (
          "taking nothing", members.stalled.takingNothing,
          cursors.count { $0.isStalled && $0.chunk == nil } - sliding
        ),
      ]
      guard let wrong = counters.first(where: { $0.1 != $0.2 }) else { return nil }
      return "I2: \(wrong.2) receivers are \(wrong.0), and \(wrong.1) are counted."
    }

    private func brokenState(of cursor: Cursor<Element, End>) -> String? {
      if cursor.isDetached { return "I3: a receiver that was released has a slot." }
      if cursor.chunk != nil, !cursor.isBehind { return "I3: a receiver rests, and lacks nothing." }
      if cursor.awaitsStart, cursor.isStalled { return "I3: a receiver awaits a start and lags." }
      let lags = cursor.isBehind || cursor.awaitsStart || cursor.isStalled
      return lags && !cursor.isIrregular ? "I3: a receiver that lags counts as regular." : nil
    }
  }
#endif
