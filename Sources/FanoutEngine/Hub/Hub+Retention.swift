internal import Synchronization

extension Hub {
  /// Keeps a value for receivers that join later, or that cannot take it yet; returns the newest
  /// value that it has replaced, which is to be released when the replay is stable.
  @inlinable
  @inline(__always)
  func remember(_ element: Element) -> Element? {
    switch retention.keeping {
    case .nothing: break
    case .newest: return rememberAsNewest(element)
    case .everything:
      // No trim is needed: values of an earlier connection are released when the receivers that
      // rest there read on or leave.
      retention.log.append(element)
    case .last, .sinceKeyframe, .withStarts, .custom: rememberByRules(element)
    }
    return nil
  }

  /// Keeps a value where the rules forget others, or a cache decides.
  @usableFromInline
  @inline(never)
  func rememberByRules(_ element: Element) {
    switch retention.keeping {
    case .nothing, .newest, .everything: break
    case .last:
      retention.log.append(element)
      if retention.log.cachedCount > rules.limit { retention.log.forgetOne() }
      trim()
    case .sinceKeyframe: rememberSinceKeyframe(element)
    case .withStarts: rememberWithStarts(element)
    case .custom:
      if let cache = retention.cache {
        let mark = ThreadMark.number
        signals.recorder.store(mark, ordering: .relaxed)
        cache.record(element)
        // The receivers that are called now may read its contents.
        signals.recorder.store(mark | 1, ordering: .relaxed)
      }
      keepForLaggards(element)
    }
  }

  /// Keeps a value in a log from which no newcomer gets anything, for the receivers that lag or are
  /// about to.
  @inline(__always)
  func keepForLaggards(_ element: Element) {
    if members.irregular > members.stalled.takingNothing {
      retention.log.append(element)
    } else {
      retention.starting.offLog &+= 1
    }
  }

  @inlinable
  @inline(__always)
  func rememberAsNewest(_ element: Element) -> Element? {
    if members.lackingSubscription > 0 { retention.displaced = retention.newest }
    retention.newestIsCached = true
    var displaced: Element? = element
    swap(&retention.newest, &displaced)
    return displaced
  }

  @inline(__always)
  func rememberSinceKeyframe(_ element: Element) {
    var isStart = false
    if let isKeyframe = rules.isKeyframe { isStart = recording { isKeyframe(element) } }
    if isStart, members.awaiting > 0 { startAwaiting() }
    retention.log.append(element)
    if isStart { retention.log.forgetAllButNewest() }
    trim()
  }

  /// Runs a closure that calls user code while the replay is not stable, so that this code can read
  /// it; called by the holder of the drain.
  ///
  /// Only the thread itself reads it there: for others the holder would have to look at the notes
  /// behind each call.
  @inline(__always)
  func recording<Result>(_ body: () -> Result) -> Result {
    signals.recorder.store(ThreadMark.number, ordering: .relaxed)
    let result = body()
    signals.recorder.store(0, ordering: .relaxed)
    return result
  }

  /// Calls user code or releases values while the replay is stable, so that these and other threads
  /// can read it; called by the holder of the drain, which looks at the notes before it changes the
  /// replay.
  @inline(__always)
  func whileStable(_ body: () -> Void) {
    let wasStable = signals.replayIsStable.load(ordering: .relaxed)
    signals.replayIsStable.store(true, ordering: .releasing)
    body()
    signals.replayIsStable.store(wasStable, ordering: .releasing)
  }

  /// Releases what no receiver can be given any more.
  ///
  /// Each release may run user code.
  @inline(__always)
  func trim() {
    if retention.log.head < retention.log.start { releaseForgotten() }
  }

  @usableFromInline
  @inline(never)
  func releaseForgotten() {
    // The release of a value changes neither: what it does to this hub waits for the holder of the
    // drain.
    let end = min(
      retention.log.start, retention.passFloor, retention.runFloor, retention.slideFloor)
    // A receiver that lags may keep all of it.
    guard retention.log.firstChunk(forgettingBefore: end) != nil else { return }
    whileStable {
      withUnsafeTemporaryAllocation(of: Element.self, capacity: 1) { memory in
        guard let slot = memory.baseAddress else { return }
        while retention.log.moveFirst(before: end, to: slot) { slot.deinitialize(count: 1) }
      }
    }
  }

  /// Releases the newest value, which no newcomer and no receiver gets any more.
  @inline(never)
  func releaseNewest() {
    guard let newest = retention.newest.take() else { return }
    whileStable { withExtendedLifetime(newest) {} }
    meetReaders()
  }

  /// Gives up what is retained of a connection, and begins anew if another one opens.
  func resetRetention(opening: Bool) {
    if rules.mode != .lossy { forgetConnection(opening: opening) }
    limits?.upstream = nil
    if rules.startRequests != nil {
      retention.starting.hasUpstream = false
      noteDemandDue()
    }
    if let cache = retention.cache, cache.isSnapshot, members.slots.occupied > 0 {
      passSnapshot(cache)
    }
  }

  @inline(never)
  func forgetConnection(opening: Bool) {
    retention.newestIsCached = false
    if members.behind == 0 { releaseNewest() }
    let old = retention.cache
    retention.cache = opening ? rules.makeCache?() : nil
    retention.log.forgetAll()
    retention.starting.meter.keepLast(0)
    retention.starting.openedAt = retention.log.end
    retention.starting.openedPosition = acceptedCount
    trim()
    whileStable { withExtendedLifetime(old) {} }
    meetReaders()
    if retention.keeping == .withStarts { renewStart(opening: opening) }
  }

  /// Gives the contents of a new cache to the attached receivers, behind what waits for them.
  ///
  /// What comes next is a change of the contents.
  @inline(never)
  func passSnapshot(_ cache: CustomCache<Element>) {
    let contents = cache.contents()
    whileStable {
      for element in contents {
        keepForLaggards(element)
        if members.irregular > 0 { passWithCare(element) } else { passStraight(element) }
      }
    }
  }

  /// Gives up what a newcomer would get, but for the newest value of a hub that tells it; one with
  /// keyframes lets newcomers wait for the next.
  @inline(never)
  func clearReplay() {
    if !rules.exposesCurrentValue {
      retention.newestIsCached = false
      if members.behind == 0 { releaseNewest() }
    }
    // A state is not a replay: without it the changes that follow would mean nothing.
    if retention.cache?.isSnapshot == true { return }
    let old = retention.cache
    if retention.cache != nil { retention.cache = rules.makeCache?() }
    moveStart(to: retention.log.end)
    clearHeaders()
    if rules.isKeyframe != nil, retention.starting.availability == .available {
      retention.keeping = .withStarts
      retention.starting.availability = .exceeded
    }
    trim()
    whileStable { withExtendedLifetime(old) {} }
  }
}
