// Unmanaged references: invariant: the holder of the drain detaches a cursor once, which ends the
// retains of the slot, the receiver and the owner. A cursor that waits in the inbox for its turn to
// join is detached, once, by the thread that takes its join out under the lock of the inbox.
//
// Relaxed load: invariant: only the holder of the drain changes the number of plain receivers.

internal import Synchronization

extension Hub {
  /// Takes a receiver in: what is remembered at this point is its replay.
  func enter(_ cursor: Cursor<Element, End>) {
    guard !cursor.isDetached else { return }
    if limits == nil, !cursor.isLimited { giveReplay(to: cursor) } else { enterOnTerms(cursor) }
    cursor.slot = Int32(truncatingIfNeeded: members.slots.append(Slot(retaining: cursor).word))
    cursor.isIrregular = true
    members.irregular &+= 1
    if !cursor.selects { countPlain(1) }
    if !cursor.isReady { setLacksSubscription(cursor, true) }
    if signals.counter.isSet { tellJoin(of: cursor) }
  }

  /// Gives a newcomer what is remembered.
  @inline(__always)
  func giveReplay(to cursor: Cursor<Element, End>) {
    switch rules.mode {
    case .lossy: break
    case .newest:
      if retention.newestIsCached { setBehind(cursor, true) }
    case .log:
      if retention.keeping == .withStarts { enterAtStart(cursor) } else { restAtStart(cursor) }
    case .custom: giveContents(retention.cache?.contents() ?? [], to: cursor)
    }
  }

  /// Gives a newcomer the contents of the cache; outside `enter(_:)`, which stays small for the
  /// other modes.
  @inline(never)
  func giveContents(_ contents: [Element], to cursor: Cursor<Element, End>) {
    guard contents.count > 0 else { return }
    for element in contents { cursor.keepReplayed(element) }
    setBehind(cursor, true)
  }

  /// Takes a receiver out, and releases it and the owner at once.
  ///
  /// A release may run user code, so the hub is consistent before the first one.
  func detach(_ cursor: Cursor<Element, End>) {
    guard !cursor.isDetached else { return }
    cursor.isDetached = true
    let said = cursor.signals.load(ordering: .relaxed)
    if said & CursorSignal.cancelled == 0 { stop(cursor) }
    if cursor.isLimited, members.isWatched { report(cursor) }
    if cursor.isStalled { resume(cursor) }
    if said & CursorSignal.awaitsStart != 0 { setAwaitsStart(cursor, false) }
    if let backlog = cursor.limitedBacklog, backlog.lacksStart { noteLack(cursor, backlog) }
    if limitsDemand {
      noteDemandDue()
      let isWaitedFor = cursor.limitedBacklog?.policy.limitsDemand == true
      if cursor.slot >= 0, isWaitedFor { members.waiting &-= 1 }
    }
    let backlog: AnyObject? = cursor.backlog
    if let selection = cursor.limitedBacklog?.selection {
      withInbox { $0.selections.remove(selection) }
    }
    cursor.backlog = nil
    if cursor.slot >= 0 {
      unrest(cursor)
      if cursor.isIrregular { members.irregular &-= 1 }
      if said & CursorSignal.selects == 0 { countPlain(-1) }
      setLacksSubscription(cursor, false)
      if cursor.isLimited, !hasLog, !cursor.isSink { members.extras &-= 1 }
      members.slots.vacate(Int(cursor.slot))
      cursor.slot = -1
      if !members.isPassing { compactIfSparse() }
      setBehind(cursor, false)
      trim()
      if !cursor.isSink { Unmanaged.passUnretained(cursor).release() }
    }
    if signals.counter.isSet { tellLeave(of: cursor) }
    withExtendedLifetime(backlog) {}
    cursor.receiver.release()
    cursor.owner.close()
  }

  /// Marks a receiver so that nothing more starts on it, and counts it out of those that have
  /// requested a value.
  ///
  /// A cancel has done so already.
  func stop(_ cursor: Cursor<Element, End>) {
    let counted = CursorSignal.counted
    let countedOut = CursorSignal.countedOut
    // Marked as counted too, so that it is not counted in after this.
    let said = cursor.signals.bitwiseOr(
      CursorSignal.stopped | counted | countedOut,
      ordering: .acquiringAndReleasing)
    if said.oldValue & (counted | countedOut) == counted { countOutReceiver() }
  }

  func countOutReceiver() {
    signals.demandingReceivers.wrappingSubtract(1, ordering: .sequentiallyConsistent)
  }

  /// Counts a receiver among the regular ones, or not, as its state says.
  func updateRegularity(_ cursor: Cursor<Element, End>) {
    var isIrregular = true
    // A receiver that is behind takes its credit up when it is run.
    if !cursor.isBehind {
      cursor.takeUpCredit()
      isIrregular = !cursor.hasUnlimitedCredit || cursor.awaitsStart
    }
    guard isIrregular != cursor.isIrregular, cursor.slot >= 0 else { return }
    cursor.isIrregular = isIrregular
    members.irregular &+= isIrregular ? 1 : -1
    if cursor.selects { cursor.limitedBacklog?.selection?.isDirect = !isIrregular }
  }

  /// Counts a receiver that takes every value in or out, for other threads.
  @inline(__always)
  func countPlain(_ change: Int) {
    let known = signals.plainReceivers.load(ordering: .relaxed)
    signals.plainReceivers.store(known &+ change, ordering: .releasing)
  }

  func setLacksSubscription(_ cursor: Cursor<Element, End>, _ lacksSubscription: Bool) {
    guard cursor.lacksSubscription != lacksSubscription else { return }
    cursor.lacksSubscription = lacksSubscription
    members.lackingSubscription &+= lacksSubscription ? 1 : -1
  }

  func setBehind(_ cursor: Cursor<Element, End>, _ isBehind: Bool) {
    guard cursor.isBehind != isBehind else { return }
    cursor.isBehind = isBehind
    // What waits for it lies in its own backlog or in the log.
    if cursor.isLimited { return }
    members.behind &+= isBehind ? 1 : -1
    if members.behind == 0, !retention.newestIsCached, rules.mode == .newest {
      releaseNewest()
    }
  }

  /// Notes that a receiver waits before the value at `index`, which is kept for it.
  func rest(_ cursor: Cursor<Element, End>, at index: Int, in chunk: Chunk<Element>) {
    cursor.offset = chunk.offset(of: index)
    cursor.chunk = chunk.raw
    chunk.changeResting(at: index, arriving: true)
  }

  /// Lets a receiver wait in the log at a place, which a chunk or a later one holds, unless the log
  /// ends there.
  func rest(_ cursor: Cursor<Element, End>, from first: Chunk<Element>, at place: Int) {
    guard place < retention.log.end else { return }
    var chunk = first
    while place >= chunk.end, let next = chunk.next { chunk = next }
    rest(cursor, at: place, in: chunk)
  }

  func unrest(_ cursor: Cursor<Element, End>) {
    guard let raw = cursor.chunk else { return }
    cursor.chunk = nil
    let chunk = Chunk<Element>(raw)
    chunk.changeResting(at: chunk.index(at: cursor.offset), arriving: false)
  }
}

extension Hub {
  /// Takes a receiver in that has a backlog of its own or one that the hub's policy says; a sink
  /// takes every value, and needs one only for what it misses while it waits for a keyframe.
  @inline(never)
  func enterOnTerms(_ cursor: Cursor<Element, End>) {
    if limitsDemand {
      noteDemandDue()
      if let limits, let backlog = cursor.limitedBacklog, backlog.policy.limitsDemand {
        limits.largestCount = max(limits.largestCount, backlog.policy.count)
      }
    }
    if let limits, !cursor.isLimited, !cursor.isSink || hasKeyframes {
      cursor.setTerms(LimitedBacklog(limits.policy))
    }
    guard let backlog = cursor.limitedBacklog else { return giveReplay(to: cursor) }
    if limitsDemand, backlog.policy.limitsDemand { members.waiting &+= 1 }
    if !hasLog, !cursor.isSink { members.extras &+= 1 }
    // Headers have places among the values that wait.
    if rules.makeHeaders != nil { backlog.isCollecting = true }
    backlog.joinedAt = retention.log.end
    if let selection = backlog.selection { withInbox { $0.selections.append(selection) } }
    enter(cursor, backlog)
    if !backlog.policy.countsReplay { backlog.reserve() }
    if cursor.receivesNotices { setBehind(cursor, true) }
  }

  /// Gives a newcomer what it gets at the place where it joins.
  private func enter(_ cursor: Cursor<Element, End>, _ backlog: LimitedBacklog<Element, End>) {
    expireStart()
    let (place, hasUnknownGap) = resolve(backlog.place)
    if hasUnknownGap { backlog.entries.hasUnknownGap = true }
    let waitsForKeyframe = if case .nextStart = place { true } else { false }
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
