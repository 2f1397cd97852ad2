// Relaxed loads: invariant: the gate changes only under the lock of the inbox, which is held at
// each of them.

public import Synchronization

/// The outcome of a signal that a thread brought to the hub.
@usableFromInline enum Acceptance: Sendable {
  /// The signal came too late, or from a connection that is no longer the current one.
  case refused
  /// The hub was idle: the caller holds the drain and delivers the signal itself.
  case direct
  /// The signal lies in the inbox, and the caller has become the holder of the drain.
  case holding
  /// The signal lies in the inbox for the delivering thread.
  case left
  /// Nothing was done: a loop fetches values, and is to get this one too.
  case observed
}

extension Hub {
  /// Passes a value on to every receiver that can take it, or leaves it to the thread that is
  /// delivering.
  ///
  /// Ignored if it does not come from the current connection.
  @inlinable
  public func send(_ element: Element, from connection: Int = 0) {
    guard !rules.exposesCurrentValue, drain.tryEnter() else {
      return leaveValue(element, from: connection)
    }
    if signals.gate.load(ordering: .acquiring) == connection {
      pass(element)
    } else {
      guard acceptsObserved(element, from: connection) else { return }
      passQueued(element)
    }
    leave()
  }

  /// Leaves a value to the thread that is delivering, unless the hub is idle or tells its newest
  /// value.
  @usableFromInline
  @inline(never)
  func leaveValue(_ element: Element, from connection: Int) {
    guard isSenderSought else {
      if rules.exposesCurrentValue { return sendExposed(element, from: connection) }
      let acceptance = withInbox { accept(element, from: connection, &$0) }
      return proceed(with: element, from: connection, acceptance)
    }
    leaveSoughtValue(element, from: connection)
  }

  @inline(never)
  private func sendExposed(_ element: Element, from connection: Int) {
    sendLocked(element, from: connection)
  }

  /// Leaves a value of a hub that does not tell its newest one, under the lock, to the thread that
  /// delivers, unless the hub is idle.
  @inlinable
  @inline(__always)
  func accept(
    _ element: Element, from connection: Int, _ inbox: inout Inbox<Element, End>
  ) -> Acceptance {
    let known = signals.gate.load(ordering: .relaxed)
    if known != connection { return Self.acceptance(ifGateIs: known, of: connection) }
    // A thread that found the drain taken a moment ago looks before it writes where the other
    // thread does.
    if drain.isIdle, drain.tryEnter() { return .direct }
    return leave(element, &inbox)
  }

  /// Sends a value to a hub that tells its newest value, which every value of such a hub needs the
  /// lock for.
  @inlinable
  public func sendNewest(_ element: Element, from connection: Int = 0) {
    guard isSenderSought else { return sendLocked(element, from: connection) }
    leaveSoughtValue(element, from: connection)
  }

  /// Accepts a value under the lock, and delivers it or leaves it to the thread that is delivering.
  @inlinable
  @inline(__always)
  func sendLocked(_ element: Element, from connection: Int) {
    let acceptance: Acceptance
    do {
      // What is displaced is released outside the lock, and before the next value is delivered.
      var displaced: Element?
      if rules.exposesCurrentValue { displaced = element }
      acceptance = withInbox { accept(element, &displaced, from: connection, &$0) }
    }
    guard case .direct = acceptance, retention.keeping == .newest else {
      return proceed(with: element, from: connection, acceptance)
    }
    passRemembered(element, releasing: rememberAsNewest(element))
    leave()
  }

  /// Does what is left to do for a value that was accepted, or refused, under the lock.
  @usableFromInline
  @inline(never)
  func proceed(with element: Element, from connection: Int, _ acceptance: Acceptance) {
    switch acceptance {
    case .direct: passAndLeave(element)
    case .holding: runOut()
    case .observed: enqueueObserved(element, from: connection)
    case .refused, .left: break
    }
  }

  /// Sends a value that is accepted in a step with something else.
  ///
  /// - Parameters:
  ///   - element: The value.
  ///   - step: A closure that calls its argument once, under a lock of the caller's.
  package func send(_ element: Element, acceptedIn step: (_ accept: () -> Void) -> Void) {
    let arrives = isSenderSought && arrives()
    var acceptance = Acceptance.refused
    var takesOver = false
    step {
      withInbox { inbox in
        acceptance = accept(element, from: 0, &inbox)
        if arrives { takesOver = hasArrived(acceptance) }
      }
    }
    // What a loop fetches is accepted later, and so not in this step.
    if case .observed = acceptance { preconditionFailure("No loop may fetch from such a hub.") }
    if takesOver { runOut() }
    proceed(with: element, from: 0, acceptance)
  }

  // Not inlined: the type of a value that is displaced would be looked up, also where the value is
  // left.
  @inline(never)
  func passAndLeave(_ element: Element) {
    pass(element)
    leave()
  }

  /// Leaves a value, under the lock, to the thread that delivers, unless the hub is idle.
  @inlinable
  @inline(__always)
  func accept(
    _ element: Element, _ newest: inout Element?, from connection: Int,
    _ inbox: inout Inbox<Element, End>
  ) -> Acceptance {
    guard rules.exposesCurrentValue else { return accept(element, from: connection, &inbox) }
    let known = signals.gate.load(ordering: .relaxed)
    if known != connection { return Self.acceptance(ifGateIs: known, of: connection) }
    swap(&inbox.newest, &newest)
    inbox.acceptedCount &+= 1
    return drain.tryEnterAlone() ? .direct : leave(element, &inbox)
  }

  /// Returns the acceptance of a value of a connection by a gate that is not simply that
  /// connection.
  @usableFromInline
  @inline(never)
  static func acceptance(ifGateIs known: Int, of connection: Int) -> Acceptance {
    Self.connection(of: known) == connection ? .observed : .refused
  }

  /// Takes the drain if the hub is idle; called without the lock of the inbox.
  ///
  /// A value for a hub that exposes its current value needs the lock in any case. So there a thread
  /// takes the drain under the lock only, and `accept` takes it without another locked instruction.
  @inline(__always)
  func tryEnter() -> Bool {
    rules.exposesCurrentValue ? tryEnterLocked() : drain.tryEnter()
  }

  @inline(never)
  func tryEnterLocked() -> Bool {
    drain.isIdle && withInbox { _ in drain.tryEnterAlone() }
  }

  /// Ends the connection: nothing of it is accepted any more, and its end reaches every receiver
  /// after the values that it has still to get.
  public func finish(_ end: End, from connection: Int = 0) {
    var served = DeferredWork()
    let acceptance = withInbox { inbox -> Acceptance in
      guard changeGate(isEnd: true, isOpening: false, connection, &inbox) else { return .refused }
      offerEnd(end, &inbox, &served)
      return drain.tryEnter() ? .direct : leave(.end, &inbox)
    }
    carryOut(&served, asHolder: acceptance == .direct)
    act(on: acceptance, isLimited: false) { $0.passEnd(end) }
  }

  /// Begins a connection with nothing retained; from now on only its values are accepted.
  ///
  /// Connections are numbered upwards from 1. Does nothing if this one or a later one was opened
  /// before, or after an end.
  public func open(_ connection: Int) { change(isOpening: true, connection) }

  /// Closes the connection, unless it has ended or is no longer the current one.
  ///
  /// What is retained of it is given up, but an attached receiver still gets what waits for it.
  public func close(_ connection: Int) { change(isOpening: false, connection) }

  /// Gives up what a newcomer would get; the attached receivers notice nothing.
  public func clear() {
    // Before it is queued: a loop that begins behind it must know.
    if hasKeyframes { signals.newcomersWait.store(true, ordering: .releasing) }
    let acceptance = withInbox { inbox -> Acceptance in
      if let log = inbox.pullLog { log.starts.noteClear(at: log.log.end) }
      return drain.tryEnter() ? .direct : leave(.clear, &inbox)
    }
    act(on: acceptance) { $0.clearReplay() }
  }

  /// Opens or closes a connection.
  func change(isOpening: Bool, _ connection: Int) {
    var served = DeferredWork()
    let acceptance = withInbox { inbox -> Acceptance in
      guard changeGate(isEnd: false, isOpening: isOpening, connection, &inbox) else {
        return .refused
      }
      if isOpening, let log = inbox.pullLog, log.seeksStarts {
        // A loop that has waited for a start lacks none, and is told what it has missed.
        if log.requestsStarts { log.cursors.forEach { noteTaken($0, in: log, &served) } }
        serveAll(in: log, &inbox, &served)
      }
      return drain.tryEnter() ? .direct : leave(isOpening ? .open : .close, &inbox)
    }
    carryOut(&served, asHolder: acceptance == .direct)
    act(on: acceptance) { $0.resetRetention(opening: isOpening) }
  }

  /// Decides, under the lock, which connection's values are accepted from now on; returns whether
  /// anything has changed.
  func changeGate(
    isEnd: Bool, isOpening: Bool, _ connection: Int, _ inbox: inout Inbox<Element, End>
  ) -> Bool {
    let known = signals.gate.load(ordering: .relaxed)
    let wanted: Int
    if isOpening {
      guard known != Self.endedGate, inbox.opened < connection else { return false }
      inbox.opened = connection
      wanted = inbox.pullLog == nil ? connection : connection + Self.observed
    } else {
      guard Self.connection(of: known) == connection else { return false }
      wanted = isEnd ? Self.endedGate : Self.closedGate
    }
    signals.gate.store(wanted, ordering: .releasing)
    // Behind an end a newcomer still gets the replay.
    if !isEnd { inbox.pullLog?.noteConnection(opening: isOpening) }
    return true
  }

  /// Leaves a value, under the lock, to the thread that delivers.
  @usableFromInline
  func leave(_ element: Element, _ inbox: inout Inbox<Element, End>) -> Acceptance {
    inbox.values.append(element)
    return leave(.value, &inbox)
  }

  /// Leaves something, under the lock, to the thread that delivers.
  func leave(_ work: Work, _ inbox: inout Inbox<Element, End>) -> Acceptance {
    inbox.work.append(work)
    noteOrigin(in: &inbox)
    // The note is taken back under the lock only, so the holder of the drain has yet to take this
    // work up.
    if drain.isRunning(with: .queued) { return .left }
    return drain.announce(.queued) ? .holding : .left
  }

  /// Gives a cursor its place and starts it at once, for a receiver that need not be told of its
  /// subscription; instead of `join(_:)` and the cursor's `begin()`.
  ///
  /// - Parameters:
  ///   - cursor: The cursor.
  ///   - credit: The initial request of a `DemandCursor`. A sink takes every value.
  public func start(_ cursor: Cursor<Element, End>, asking credit: Credit) {
    // A sink has asked from the beginning, and no cancel can reach it yet.
    guard !cursor.isSink else {
      join(cursor)
      return countDemandingReceiver()
    }
    // Before the cursor has its place, only this thread and one that cancels it reach it.
    cursor.asDemandCursor.credit = credit
    let said = cursor.signals.bitwiseOr(
      CursorSignal.ready | CursorSignal.asked | CursorSignal.counted,
      ordering: .acquiringAndReleasing
    ).oldValue
    join(cursor)
    if said & CursorSignal.counted == 0 { countDemandingReceiver() }
  }

  /// Gives a cursor its place: behind everything accepted so far, before everything later.
  public func join(_ cursor: Cursor<Element, End>) {
    if tryEnter() {
      recording { enter(cursor) }
      if cursor.isReady { visit(cursor) }
      return leave(isLimited: true)
    }
    let isHolding = withInbox { inbox in
      // Its cancel does the rest.
      if cursor.isStopped { return false }
      inbox.appendJoin(of: cursor)
      return drain.announce(.queued)
    }
    if isHolding { runOut(isLimited: true) }
  }

  /// Sees to a cursor that has begun, has asked for more, or was cancelled.
  func attend(_ cursor: Cursor<Element, End>, thenRelease receiver: ChainNode? = nil) {
    if tryEnter() {
      if cursor.isStopped {
        recording { detach(cursor) }
        receiver?._sourceDidQuiesce()
      } else {
        visit(cursor)
      }
      return leave(isLimited: true)
    }
    leaveNote(cursor, thenRelease: receiver)
  }

  /// Gives a receiver what it lacks, in a call that brings no value: what other threads leave
  /// meanwhile is not its own.
  func visit(_ cursor: Cursor<Element, End>) {
    worklist.isOwnTurn = true
    signals.deliverer.store(ThreadMark.number, ordering: .relaxed)
    run(cursor)
    signals.deliverer.store(0, ordering: .relaxed)
  }

  /// Leaves it to the holder of the drain to see to a cursor.
  ///
  /// One message of a cursor is enough. A cursor that still waits for its turn to join needs none:
  /// its turn finds out what it has asked for, and a cancel takes it out at once.
  @inline(never)
  func leaveNote(_ cursor: Cursor<Element, End>, thenRelease receiver: ChainNode?) {
    var isWithdrawn = false
    // Released behind the lock.
    var backlog: ValueQueue<Element>?
    let isHolding = withInbox { inbox in
      if cursor.signals.load(ordering: .relaxed) & CursorSignal.queued != 0 {
        guard cursor.isStopped else { return false }
        inbox.withdrawJoin(of: cursor)
        cursor.isDetached = true
        swap(&cursor.backlog, &backlog)
        isWithdrawn = true
        return false
      }
      // In one step with a write: the holder sees what was asked for before this, or has not
      // cleared the mark yet.
      let said = cursor.signals.bitwiseOr(
        CursorSignal.noted, ordering: .acquiringAndReleasing
      ).oldValue
      if said & CursorSignal.noted != 0, receiver == nil { return false }
      inbox.controls.append(ControlMessage(cursor: cursor, receiver: receiver))
      noteOrigin(in: &inbox, isWork: false)
      return drain.announce(.control)
    }
    if isHolding { runOut(isLimited: true) }
    guard isWithdrawn else { return }
    withExtendedLifetime(backlog) {}
    // The holder of the drain does not know it.
    cursor.receiver.release()
    cursor.owner.close()
    receiver?._sourceDidQuiesce()
  }

  /// Counts a receiver among those that have requested a value.
  ///
  /// The first one lets the observer of demand ask the upstreams.
  func countDemandingReceiver() {
    let known = signals.demandingReceivers.wrappingAdd(1, ordering: .sequentiallyConsistent)
    if known.oldValue == 0 { requestUnrequested() }
  }

  /// Counts a receiver among those that have requested a value, once.
  package func receiverAsked(_ cursor: Cursor<Element, End>) {
    let said = cursor.signals.bitwiseOr(
      CursorSignal.counted, ordering: .acquiringAndReleasing
    ).oldValue
    if said & CursorSignal.counted == 0 { countDemandingReceiver() }
  }
}
