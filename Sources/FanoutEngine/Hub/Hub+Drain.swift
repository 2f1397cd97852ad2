extension Hub {
  /// Does what was left, until nothing is and the drain could be let go.
  ///
  /// Everything loops here, so that neither nested sends nor nested requests grow the stack.
  ///
  /// - Parameter isLimited: Whether a task may go on after a while. It may not for a thread that sends:
  ///   when its outermost `send` returns, everything is delivered (D3).
  @inlinable
  package func runOut(isLimited: Bool = false) {
    var turns = 0
    repeat {
      while doNext() {
        turns &+= 1
        if isLimited, turns & (BoundedDelivery.count &- 1) == 0, handsOver() { return }
      }
    } while !drain.tryLeave()
  }

  /// Passes the drain on to a task, if this thread's deliveries are limited (`BoundedDelivery`).
  ///
  /// It is inlinable, so that the task runs specialised code.
  @inlinable
  @inline(never)
  func handsOver() -> Bool { BoundedDelivery.handOver { self.runOut(isLimited: true) } }

  /// Does one piece of work.
  ///
  /// Requests and cancels come first, because they take effect at once.
  @inlinable
  func doNext() -> Bool {
    if drain.has(.attention) {
      takeAttention()
    } else if worklist.hasDue {
      if let cursor = worklist.takeDue() { run(cursor) } else { openGate() }
    } else if !worklist.batch.isEmpty {
      // Whoever reads what is retained is met before anything changes it.
      drain.meetNotes()
      if drain.has(.attention) {
        takeAttention()
      } else if let work = worklist.batch.popLast() {
        perform(work)
      }
    } else if drain.has(.queued) {
      takeBatch()
    } else if worklist.isGateLate {
      noteRoom()
    } else {
      return false
    }
    return true
  }

  /// Lets go of those who were cancelled, and notes those who asked.
  ///
  /// Delivers nothing, so it may be called between two values of a run.
  @inlinable
  func takeAttention() {
    var list: [ControlMessage<Element, End>] = []
    let hasUnpinned = inbox.withLock { inbox in
      drain.clear(.attention)
      swap(&inbox.attention, &list)
      return !inbox.unpinned.isEmpty
    }
    waitForReaders()
    if hasUnpinned { movePins() }
    for item in list {
      if item.cursor.isStopped {
        detach(item.cursor)
        item.receiver?._sourceDidQuiesce()
      } else {
        worklist.addDue(item.cursor)
      }
    }
  }

  @inlinable
  func takeBatch() {
    // A burst must not keep its storage for ever.
    if worklist.batch.capacity > 1024 { worklist.batch = [] }
    inbox.withLock { inbox in
      drain.clear(.queued)
      swap(&inbox.work, &worklist.batch)
    }
    waitForReaders()
    worklist.batch.reverse()
  }

  @inlinable
  func perform(_ work: Work<Element, End>) {
    switch work {
    case .value(let element):
      pass(element)
    case .end(let end): passEnd(end)
    case .join(let cursor):
      enter(cursor)
      if cursor.isReady { worklist.addDue(cursor) }
    case .joinPulling(let cursor): enter(cursor)
    case .open: renewMemory(opening: true)
    case .close: renewMemory(opening: false)
    case .clear: clearReplay()
    case .count: tellCount()
    case .report: reportAll()
    case .upstream(let upstream):
      if isGating { limits?.begin(upstream, at: acceptedCount) }
      retention.starting.hasUpstream = true
      noteRoom()
    }
  }
}
