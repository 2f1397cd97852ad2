// Every function here is called by the holder of the drain.

extension Hub {
  /// Takes a receiver in that has a backlog of its own or one that the hub's policy says; a sink takes every value, and
  /// needs one only for what it misses while it waits for a keyframe.
  @inline(never)
  func enterOnTerms(_ cursor: Cursor<Element, End>) {
    if limitsDemand {
      noteDemandDue()
      if let limits, let backlog = cursor.limitedBacklog, backlog.policy.limitsDemand {
        limits.largestCount = max(limits.largestCount, backlog.policy.count)
      }
    }
    if let limits, !cursor.isLimited, !cursor.isSink || hasKeyframes {
      cursor.backlog = LimitedBacklog<Element, End>(limits.policy, for: cursor)
      cursor.isLimited = true
    }
    guard let backlog = cursor.limitedBacklog else { return giveReplay(to: cursor) }
    if limitsDemand, backlog.policy.overflow == .waits { members.waiting &+= 1 }
    if !hasLog, !cursor.isSink { members.extras &+= 1 }
    // Headers have places among the values that wait.
    if rules.makeHeaders != nil { backlog.isCollecting = true }
    backlog.joinedAt = retention.log.end
    if let selection = backlog.selection { withInbox { $0.selections.append(selection) } }
    enter(cursor, backlog)
    backlog.setOwedCount(backlog.policy.countsReplay ? 0 : backlog.count)
    if cursor.receivesNotices { setBehind(cursor, true) }
  }

  /// Gives a newcomer what it gets at the place where it joins.
  private func enter(_ cursor: Cursor<Element, End>, _ backlog: LimitedBacklog<Element, End>) {
    expireStart()
    let (place, hasUnknownGap) = resolve(backlog.place)
    if hasUnknownGap { backlog.entries.hasUnknownGap = true }
    var waitsForKeyframe = false
    if case .nextStart = place { waitsForKeyframe = true }
    guard !waitsForKeyframe, retention.starting.availability == .available else {
      if case .live = place, retention.starting.availability == .exceeded { return }
      return awaitStart(cursor, needsKeyframe: waitsForKeyframe)
    }
    switch place {
    case .live, .nextStart, .after: break
    case _ where backlog.selection != nil || rules.makeHeaders != nil:
      collectReplay(at: place, for: cursor, backlog)
    // A value that is replaced for others is kept for this receiver.
    case .replay where rules.mode == .newest: giveContents(replayContents(), to: cursor)
    case .replay: giveReplay(to: cursor)
    case .last(let count): give(last: count, to: cursor)
    }
  }
}
