// It is called when no thread runs, and so reads what the holder of the drain and the inbox have.

#if FANOUT_EXPLORER
  internal import Synchronization

  extension Hub: WakingSource {
    /// The work that waits although no thread runs any more, or an invariant that does not hold; nil if there is none.
    public var unserved: String? {
      guard drain.isIdle else { return "work was left to a thread that does not do it" }
      let isDone =
        inbox.withLock { $0.work.isEmpty && $0.attention.isEmpty && $0.unpinned.isEmpty }
        && worklist.batch.isEmpty && !worklist.hasDue
      guard isDone else { return "work waits that no thread was told of" }
      return brokenInvariant ?? unservedReceiver ?? unservedLoop ?? unservedUpstream
    }

    private var unservedReceiver: String? {
      for cursor in members.slots.cursors {
        guard !cursor.isStopped else { return "a receiver has left and was not released" }
        guard cursor.isReady, !cursor.awaitsStart else { continue }
        let hasEnd = retention.end != nil || cursor.limitedBacklog?.end != nil
        if cursor.isBehind {
          if cursor.allCredit != .none { return "a receiver has requested a value that waits" }
        } else if hasEnd {
          return "a receiver lacks the end"
        }
      }
      return nil
    }

    private var unservedLoop: String? {
      inbox.withLock { inbox in
        guard let tap = inbox.tap else { return nil }
        for cursor in tap.cursors.members where cursor.waiting > 0 {
          if cursor.isJoining { return "a loop waits for its turn to join" }
          if cursor.replayCount &+ tap.count(cursor) > 0 || inbox.end != nil {
            return "a loop waits for a value that is there"
          }
        }
        return nil
      }
    }

    private var unservedUpstream: String? {
      guard limitsDemand, let limits, retention.end == nil, retention.starting.hasUpstream,
        signals.gate.load(ordering: .acquiring) >= 0, let room = leastRoom()
      else { return nil }
      let owed = max(limits.requestedEnd &- acceptedCount, 0)
      return room > owed ? "there is room for \(room) values, and \(owed) are requested" : nil
    }
  }
#endif
