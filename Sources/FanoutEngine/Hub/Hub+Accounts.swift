// The functions without another comment are called by the holder of the drain. An observer is
// called where receivers may be called too: without a lock, and while the hub is consistent.

internal import Synchronization

extension Hub {
  /// Lets an observer learn of the events of all receivers; called before one comes.
  public func observeReceivers(_ observer: ReceiverCounter) {
    signals.counter.setAlone(observer)
    signals.areAccountsRead.store(true, ordering: .releasing)
    beginReporting()
  }

  /// Returns the accounts of the receivers, and then those of the loops that fetch; called under
  /// the lock of the inbox.
  func accounts(_ inbox: inout Inbox<Element, End>) -> [ReceiverStatus] {
    guard let log = inbox.pullLog else { return inbox.accounts.members.map(\.status) }
    return inbox.accounts.members.map(\.status) + log.cursors.members.map(log.account)
  }

  /// Makes the accounts of all receivers readable, and has that done after each value that not all
  /// of them take.
  func beginReporting() {
    if !members.isWatched {
      members.accounts = [:]
      members.extras &+= 1
      forEachCursor { cursor in
        openAccount(of: cursor)
        // It lacks the newest value, and is looked at from now on.
        if cursor.isStalled, !cursor.isLimited, cursor.chunk == nil { resume(cursor) }
      }
    }
    reportAllNow()
  }

  /// Makes the accounts of all receivers readable, and tells the observer what is new in them.
  @inline(never)
  func reportAllNow() {
    // A sink without a backlog takes every value, so that its account never changes.
    forEachCursor { if !$0.isSink || $0.isLimited { report($0) } }
    tellEvents()
  }

  /// Makes the account of a receiver readable that has been run, and tells the observer what is new
  /// in it.
  ///
  /// While a value goes through the receivers, that is done behind it.
  @inline(never)
  func reportNow(_ cursor: Cursor<Element, End>) {
    guard !members.isPassing else { return }
    report(cursor)
    tellEvents()
  }

  /// Makes the account of a receiver readable, and notes what is new in it.
  @inline(never)
  func report(_ cursor: Cursor<Element, End>) {
    guard let account = members.accounts?[ObjectIdentifier(cursor)] else { return }
    let backlog = cursor.limitedBacklog
    account.waiting.store(reportedWaiting(cursor), ordering: .relaxed)
    account.missed.store(
      backlog.map { missedCount(of: cursor, $0) } ?? account.dropped, ordering: .relaxed)
    account.rejoinCount.store(backlog?.rejoinCount ?? 0, ordering: .relaxed)
    account.conflated.store(backlog?.conflated ?? 0, ordering: .relaxed)
    guard let observer else { return }
    let limit = backlog?.policy.count ?? .max
    _ = account.told.tell(account.status, limit: limit, observer)
  }

  /// Returns the number of values that wait for a receiver, also if it is stalled.
  func reportedWaiting(_ cursor: Cursor<Element, End>) -> Int {
    let waiting = waitingCount(cursor)
    guard let backlog = cursor.limitedBacklog else {
      // What is left of it is the newest value, which the hub has.
      return rules.mode == .newest && cursor.isBehind ? max(waiting, 1) : waiting
    }
    // One that slides has no place: what waits are its own values and the newest of the log.
    if case .sliding = backlog.stall { return waiting &+ backlog.policy.count }
    return waiting
  }

  /// Keeps a value for a receiver without a backlog, or drops one, which goes to its account.
  @inline(never)
  func retainOrDropWatched(_ element: Element, _ cursor: Cursor<Element, End>) {
    let known = reportedWaiting(cursor)
    retainRequested(element, for: cursor)
    let dropped = known &+ 1 &- reportedWaiting(cursor)
    members.accounts?[ObjectIdentifier(cursor)]?.dropped &+= dropped
  }

  /// Tells that a receiver has joined.
  @inline(never)
  func tellJoin(of cursor: Cursor<Element, End>) {
    if members.isWatched { openAccount(of: cursor) }
    tellCount()
  }

  /// Tells that a receiver has left, if it had joined.
  @inline(never)
  func tellLeave(of cursor: Cursor<Element, End>) {
    if let account = members.accounts?.removeValue(forKey: ObjectIdentifier(cursor)) {
      withInbox { $0.accounts.remove(account) }
      // That of a receiver with a backlog is complete already.
      if !cursor.isLimited { account.missed.store(account.dropped, ordering: .relaxed) }
      if let observer { account.told.tellLeave(account.status, observer) }
    }
    tellCount()
  }

  func openAccount(of cursor: Cursor<Element, End>) {
    let account = ReceiverAccount(label: cursor.limitedBacklog?.label)
    members.accounts?[ObjectIdentifier(cursor)] = account
    withInbox { $0.accounts.append(account) }
    account.told.number = observer?.noteJoin(label: account.label) ?? 0
  }

  /// The observer that wants events; any thread may ask.
  var observer: ReceiverCounter? {
    guard let counter = signals.counter.object else { return nil }
    let observer = unsafeDowncast(counter, to: ReceiverCounter.self)
    return observer.wantsEvents ? observer : nil
  }

  /// Passes events on to the observer, if there is one.
  func tellEvents() {
    guard let observer else { return }
    whileStable { observer.deliver() }
  }
}
