// Unsafe casts: invariant: `Inbox.controls` and the work hold cursors of this hub only.

internal import Synchronization

extension Hub {
  /// Does what was left, until nothing is and the drain could be let go, or until another thread
  /// goes on with it (`Hub+Handover`).
  ///
  /// Everything loops here, so that neither nested sends nor nested requests grow the stack.
  ///
  /// - Parameter isLimited: Whether the thread has brought no value, so that a task may go on after
  ///   a while. For a thread that sends it may not: when its outermost `send` returns, what it has
  ///   sent is delivered (D3).
  @usableFromInline
  package func runOut(isLimited: Bool = false) {
    var turns = 0
    var visit = Visit()
    let mark = ThreadMark.number
    worklist.isOwnTurn = true
    // What lies there was taken up by another holder, which has left it.
    worklist.foreign = worklist.batch.count
    worklist.turnsBeforeRest = Handover.count
    repeat {
      signals.deliverer.store(mark, ordering: .relaxed)
      while doNext() {
        turns &+= 1
        if isLimited {
          if turns & (BoundedDelivery.count &- 1) == 0, handsOver() { return }
          if worklist.foreign > 0, visit.isOver(), leavesRest(isLimited: true, isOver: true) {
            return
          }
        }
        if turns >= worklist.turnsBeforeRest, leavesRest(isLimited: isLimited) { return }
      }
      signals.deliverer.store(0, ordering: .relaxed)
      #if DEBUG
        checkInvariants()
      #endif
    } while !drain.tryLeave()
  }

  /// Passes the drain on to a task, if this thread's deliveries are limited (`BoundedDelivery`).
  @inline(never)
  func handsOver() -> Bool {
    guard BoundedDelivery.isLimiting else { return false }
    signals.deliverer.store(0, ordering: .relaxed)
    return BoundedDelivery.handOver { self.runOut(isLimited: true) }
  }

  /// Does one piece of work.
  ///
  /// Requests and cancels come first, because they take effect at once, and then the receivers that
  /// are due. But after a number of requests and cancels everything has its turn, however many more
  /// there are.
  func doNext() -> Bool {
    if worklist.controlCount >= FairTurns.count &- 2 &* FairTurns.step {
      serveInTurn()
    } else if drain.has(.control) {
      takeControl()
    } else if worklist.hasDue {
      if let cursor = worklist.takeDue() { run(cursor) } else { requestFromUpstream() }
    } else if !worklist.batch.isEmpty {
      takeOneUp()
    } else if drain.has(.queued) {
      takeBatch()
    } else if worklist.isUpstreamRequestPostponed {
      noteDemandDue()
    } else {
      return false
    }
    return true
  }

  /// Runs the receivers that are due by now, lets the upstream be asked for more, and takes up the
  /// oldest piece of work that was left.
  @inline(never)
  func serveInTurn() {
    if drain.has(.control) { takeControl() }
    worklist.controlCount = 0
    var known = worklist.due.count &- worklist.dueHead
    while known > 0, let cursor = worklist.takeDue() {
      run(cursor)
      known &-= 1
    }
    if worklist.isUpstreamRequestDue { requestFromUpstream() }
    if worklist.batch.isEmpty, drain.has(.queued) { takeBatch() }
    if !worklist.batch.isEmpty { takeOneUp() }
  }

  /// Does the oldest piece of work that was taken out of the inbox.
  func takeOneUp() {
    worklist.controlCount = 0
    // A thread that reads what is retained is met before anything changes it.
    meetReaders()
    worklist.isOwnTurn = worklist.own.take(worklist.batch.count &- 1)
    takingUp(self)
  }

  /// Takes up the oldest piece of work; there is one.
  @inlinable
  func takeUp() {
    if findsValue(), let element = worklist.values.takeOldest() { passQueued(element) }
  }

  /// Takes up the oldest piece of work, unless it is a value, which the caller takes; returns
  /// whether it is.
  @usableFromInline
  func findsValue() -> Bool {
    guard let work = worklist.batch.popLast() else { return false }
    if case .value = work { return true }
    perform(work)
    return false
  }

  /// Passes on a value that did not come straight from a sender: compiled once for all callers.
  @inlinable
  @inline(never)
  func passQueued(_ element: Element) { pass(element) }

  /// Takes up control messages: releases receivers that were cancelled, and notes those that have
  /// requested values.
  ///
  /// It takes some of the messages, if there are many. It delivers nothing, so it may be called
  /// between two values of a run.
  @usableFromInline
  func takeControl() {
    var list: [ControlMessage] = []
    let hasUnpinned = withInbox { inbox in
      takeForeignCount(from: &inbox)
      if inbox.controls.count <= FairTurns.step {
        drain.clear(.control)
        swap(&inbox.controls, &list)
      } else {
        // The note stays for the others, so that no sink is called without a look at its cursor.
        list = Array(inbox.controls.prefix(FairTurns.step))
        inbox.controls.removeFirst(FairTurns.step)
      }
      return inbox.unpinned.count > 0
    }
    if hasUnpinned { movePins() }
    worklist.controlCount &+= max(list.count, 1)
    // By index: a message that is copied is retained.
    for index in 0..<list.count {
      let cursor = unsafeDowncast(list[index].cursor, to: Cursor<Element, End>.self)
      cursor.signals.bitwiseAnd(~CursorSignal.noted, ordering: .acquiringAndReleasing)
      if cursor.isStopped {
        detach(cursor)
        list[index].receiver?._sourceDidQuiesce()
      } else {
        worklist.addDue(cursor)
      }
    }
  }

  /// Takes up, under the lock, the count of what other threads have left.
  func takeForeignCount(from inbox: inout Inbox<Element, End>) {
    worklist.foreign &+= inbox.foreign
    inbox.foreign = 0
  }

  func takeBatch() {
    withInbox { inbox in
      drain.clear(.queued)
      // The storage of a burst must not stay. Under the lock, because another thread may look
      // at the batch.
      if worklist.batch.capacity > 1024 {
        worklist.batch = []
        worklist.values.destroy()
      }
      inbox.takeWork(into: &worklist.batch, &worklist.values)
      takeForeignCount(from: &inbox)
      worklist.own = OwnWork()
      swap(&inbox.own, &worklist.own)
    }
    let count = worklist.batch.count
    if count > Handover.count { worklist.turnsBeforeRest = 0 }
    worklist.batch.reverse()
    if !worklist.own.places.isEmpty { worklist.own.reverse(count) }
  }

  func perform(_ work: Work) {
    switch work {
    case .end: if let end = withInbox({ $0.end }) { passEnd(end) }
    case .join(let joining):
      let cursor = unsafeDowncast(joining, to: Cursor<Element, End>.self)
      enter(cursor)
      if cursor.isReady { worklist.addDue(cursor) }
    case .joinPulling(let cursor): enter(unsafeDowncast(cursor, to: PullCursor<Element, End>.self))
    case .open: resetRetention(opening: true)
    case .close: resetRetention(opening: false)
    case .clear: clearReplay()
    case .count: tellCount()
    case .report: beginReporting()
    case .upstream(let upstream):
      if limitsDemand { limits?.begin(upstream, at: acceptedCount) }
      retention.starting.hasUpstream = true
      noteDemandDue()
    case .value, .withdrawn: break
    }
  }
}

/// The share of the requests and cancels of a hub in the time of the thread that delivers.
package enum FairTurns: Sendable {
  /// The greatest number of requests and cancels before receivers, upstream and values have their
  /// turn.
  package static var count: Int { 128 }
  /// The greatest number of them that are taken up at a time.
  static var step: Int { 32 }
}
