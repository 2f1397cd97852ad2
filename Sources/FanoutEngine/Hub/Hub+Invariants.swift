// Nothing here changes the state. The invariants are checked by the holder of the drain or when no
// thread runs; what is unserved is asked when no thread runs, and also of what lies in the inbox.

#if FANOUT_EXPLORER
  internal import Synchronization
#endif

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

    /// An invariant of the state that does not hold, of those that `Retention` names; nil if all
    /// hold.
    package var brokenInvariant: String? {
      guard members.slots.count <= Self.checkedCount else { return nil }
      let cursors = cursors
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
        (
          "waited for", members.waiting,
          limitsDemand ? cursors.count { $0.limitedBacklog?.policy.limitsDemand == true } : 0
        ),
        ("behind", members.behind, cursors.count { $0.isBehind && !$0.isLimited }),
        ("awaiting", members.awaiting, cursors.count(where: \.awaitsStart)),
        (
          "lacking a start", members.lackingStart,
          cursors.count { $0.limitedBacklog?.lacksStart == true }
        ),
        ("subscription", members.lackingSubscription, cursors.count(where: \.lacksSubscription)),
        ("stalled", members.stalled.count, cursors.count(where: \.isStalled)),
        ("sliding", members.stalled.windows.reduce(0) { $0 + $1.receivers }, sliding),
        (
          "taking nothing", members.stalled.takingNothing,
          cursors.count { $0.isStalled && takesNothing($0) } - sliding
        ),
      ]
      guard let wrong = counters.first(where: { $0.1 != $0.2 }) else { return nil }
      return "I2: \(wrong.2) receivers are \(wrong.0), and \(wrong.1) are counted."
    }

    private func takesNothing(_ cursor: Cursor<Element, End>) -> Bool {
      cursor.chunk == nil || cursor.limitedBacklog?.hasEnd == true
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

#if FANOUT_EXPLORER
  extension Hub: WakingSource {
    /// The work that waits although no thread runs any more, or an invariant that does not hold;
    /// nil if there is none.
    public var unserved: String? {
      guard drain.isIdle else { return "work was left to a thread that does not do it" }
      let hasNoValues = withInbox { $0.values.end == $0.values.head }
      guard hasNoValues, worklist.values.end == worklist.values.head else {
        return "a value waits without its place in the work"
      }
      let isDone =
        withInbox { $0.work.isEmpty && $0.controls.isEmpty && $0.unpinned.isEmpty }
        && worklist.batch.isEmpty && !worklist.hasDue
      guard isDone else { return "work waits that no thread was told of" }
      return brokenInvariant ?? unservedReceiver ?? unservedLoop ?? unservedUpstream
    }

    private var unservedReceiver: String? {
      for cursor in cursors {
        guard !cursor.isStopped else { return "a receiver has left and was not released" }
        guard cursor.isReady, !cursor.awaitsStart else { continue }
        let hasEnd = retention.hasEnd || cursor.limitedBacklog?.hasEnd == true
        // One that is told more than its values counts as behind also when it has got all of them.
        let lacks = cursor.limitedBacklog.map { !hasAll(cursor, $0) } ?? cursor.isBehind
        if lacks {
          if cursor.allCredit != .none { return "a receiver has requested a value that waits" }
        } else if hasEnd {
          return "a receiver lacks the end"
        }
      }
      return nil
    }

    private var unservedLoop: String? {
      withInbox { inbox in
        guard let log = inbox.pullLog else { return nil }
        for cursor in log.cursors.members where cursor.waiting > 0 {
          if cursor.conflating != nil || cursor.terms?.unconflatedCount ?? 0 > 0 { continue }
          if cursor.isHeld { return "a loop waits for its turn to join" }
          let hasEnd = inbox.end != nil && cursor.terms?.hasEnd != true
          if cursor.replayCount &+ log.count(cursor) > 0 || hasEnd {
            return "a loop waits for a value that is there"
          }
        }
        return nil
      }
    }

    private var unservedUpstream: String? {
      guard limitsDemand, let limits, !retention.hasEnd, retention.starting.hasUpstream,
        signals.gate.load(ordering: .acquiring) >= 0
      else { return nil }
      let owed = max(limits.requestedEnd &- acceptedCount, 0)
      guard let room = leastRoom(whileOwed: owed) else { return nil }
      // A loop asks when no more than half of what may wait does, and is about to if that is noted.
      let cursors = withInbox { $0.pullLog.map { Array($0.cursors.members) } ?? [] }
      guard cursors.isEmpty || room > limits.largestCount / 2,
        !cursors.contains(where: \.isPinNoted)
      else { return nil }
      return room > owed ? "there is room for \(room) values, and \(owed) are requested" : nil
    }
  }
#endif
