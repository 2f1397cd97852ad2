public import Synchronization

extension Hub {
  /// What became of something that was brought to the hub.
  @usableFromInline
  enum Acceptance {
    /// It came too late, or from a connection that is no longer the current one.
    case refused
    /// The hub was idle: the caller holds the drain and is to do it itself.
    case direct
    /// It was left in the inbox, and the caller has become the holder of the drain.
    case holding
    /// It was left in the inbox for the thread that delivers.
    case left
  }

  /// Passes a value on to every receiver that can take it, or leaves it to the thread that is
  /// delivering.
  ///
  /// Ignored if it does not come from the current connection.
  @inlinable
  public func send(_ element: Element, from connection: Int = 0) {
    guard !tellsNewest, drain.tryEnter() else { return leaveValue(element, from: connection) }
    if gate.load(ordering: .acquiring) == connection { pass(element) }
    leave()
  }

  @inlinable
  func leaveValue(_ element: Element, from connection: Int) {
    let work = Work<Element, End>.value(element)
    let acceptance: Acceptance
    do {
      // Released outside the lock, and before the next value is delivered.
      var displaced: Element?
      acceptance = inbox.withLock { inbox -> Acceptance in
        guard gate.load(ordering: .relaxed) == connection else { return .refused }
        if tellsNewest {
          displaced = inbox.newest
          inbox.newest = element
        }
        return accept(work, &inbox)
      }
      withExtendedLifetime(displaced) {}
    }
    perform(work, after: acceptance)
  }

  /// Ends the connection: nothing of it is accepted any more, and its end reaches every receiver
  /// after what is owed to it.
  @inlinable
  public func finish(_ end: End, from connection: Int = 0) {
    let work = Work<Element, End>.end(end)
    let acceptance = inbox.withLock { inbox -> Acceptance in
      guard gate.load(ordering: .relaxed) == connection else { return .refused }
      gate.store(Self.endedGate, ordering: .releasing)
      return accept(work, &inbox)
    }
    perform(work, after: acceptance)
  }

  /// Begins a connection with a clean memory; from now on only its values are accepted.
  ///
  /// Connections are numbered upwards from 1. Does nothing if this one or a later one was opened
  /// before, or after an end.
  public func open(_ connection: Int) {
    if gate.load(ordering: .acquiring) == connection { return }
    perform(
      .open,
      after: inbox.withLock { inbox in
        guard !isEnded, inbox.opened < connection else { return .refused }
        inbox.opened = connection
        gate.store(connection, ordering: .releasing)
        return accept(.open, &inbox)
      })
  }

  /// Closes the connection, unless it has ended or is no longer the current one: its memory goes,
  /// but who is attached still gets what it is owed.
  public func close(_ connection: Int) {
    perform(
      .close,
      after: inbox.withLock { inbox in
        guard gate.load(ordering: .relaxed) == connection else { return .refused }
        gate.store(Self.closedGate, ordering: .releasing)
        return accept(.close, &inbox)
      })
  }

  /// Decides, under the lock, who does something that is not refused.
  @inlinable
  func accept(_ work: Work<Element, End>, _ inbox: inout Inbox<Element, End>) -> Acceptance {
    if drain.tryEnter() { return .direct }
    inbox.work.append(work)
    return drain.announce(.queued) ? .holding : .left
  }

  /// Does, outside the lock, what was decided there.
  @inlinable
  func perform(_ work: Work<Element, End>, after acceptance: Acceptance) {
    switch acceptance {
    case .direct:
      perform(work)
      leave()
    case .holding: runOut()
    case .refused, .left: break
    }
  }

  /// Gives a cursor its place and starts it at once, for a receiver that need not be told of its
  /// subscription; instead of `join(_:)` and the cursor's `begin()`.
  @inlinable
  public func start(_ cursor: Cursor<Element, End>, asking credit: Credit) {
    // Nobody else reaches the cursor before it has its place, but for who cancels.
    cursor.credit = credit
    let said = cursor.signals.bitwiseOr(
      CursorSignal.ready | CursorSignal.asked | CursorSignal.counted,
      ordering: .acquiringAndReleasing
    ).oldValue
    join(cursor)
    if said & CursorSignal.counted == 0 { countInOne() }
  }

  /// Gives a cursor its place: behind everything accepted so far, before everything later.
  @inlinable
  public func join(_ cursor: Cursor<Element, End>) {
    if drain.tryEnter() {
      enter(cursor)
      if cursor.isReady { run(cursor) }
      return leave()
    }
    let isHolding = inbox.withLock { inbox in
      inbox.work.append(.join(cursor))
      return drain.announce(.queued)
    }
    if isHolding { runOut() }
  }

  /// Sees to a cursor that has begun, has asked for more, or was cancelled.
  @inlinable
  func attend(_ cursor: Cursor<Element, End>, thenRelease receiver: Link? = nil) {
    if drain.tryEnter() {
      if cursor.isStopped {
        detach(cursor)
        receiver?.releaseFromGuard()
      } else {
        run(cursor)
      }
      return leave()
    }
    let isHolding = inbox.withLock { inbox in
      inbox.attention.append(Attention(cursor: cursor, receiver: receiver))
      return drain.announce(.attention)
    }
    if isHolding { runOut() }
  }

  /// Counts a receiver among those who have asked; the first one is told to the owner.
  @inlinable
  func countInOne() {
    if askers.wrappingAdd(1, ordering: .sequentiallyConsistent).oldValue == 0 { whenAsked?() }
  }

  /// Counts a receiver among those who have asked, once.
  @inlinable
  func receiverAsked(_ cursor: Cursor<Element, End>) {
    let said = cursor.signals.bitwiseOr(
      CursorSignal.counted, ordering: .acquiringAndReleasing
    ).oldValue
    guard said & CursorSignal.counted == 0 else { return }
    countInOne()
  }
}

@available(*, unavailable)
extension Hub.Acceptance: Sendable {}
