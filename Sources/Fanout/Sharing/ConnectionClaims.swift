// Invariant: the state is reached only under the lock. Connections that leave it are closed and
// released outside the lock. `transitions` is the number of connections whose subscription has not
// arrived yet, or that are being closed, outside the lock; the thread that ends the last of these
// subscribes for a connection that was to start meanwhile, so that the upstream has one
// subscription at a time and no thread waits.

package import FanoutEngine
internal import Synchronization

/// The claims that keep a shared publisher's connection going: one for every `connect()`, and one
/// that the autoconnected subscribers hold together.
///
/// The release of the last claim closes the connection. The upstream has one subscription at a
/// time: a connection that is to start while another one is still being closed is started by the
/// thread that closes that.
///
/// It counts the autoconnected subscribers itself, across all autoconnects.
@usableFromInline package class ConnectionClaims: SubscriberCounter {
  package struct State {
    var current: Connection?
    var number = 0
    var byHand = 0
    var subscribers = 0
    /// The number of connections that wait for their subscription or are being closed.
    var transitions = 0
    /// Whether the current connection is to be started after these.
    var isStartDue = false
    /// Whether the current connection has its subscription, and has requested nothing because no
    /// subscriber has.
    var awaitsFirstRequest = false
    /// The end that was accepted, as the option to start again after it.
    var end: Restart?
    /// The counter that keeps the connection without a subscriber, as its claim is one of
    /// `subscribers`.
    weak var keeper: LingeringCounter?

    var isEnded: Bool { end != nil }

    /// Whether the current connection needs neither to be opened nor to be started.
    var isRunning: Bool {
      guard let current, current.hasStarted.load(ordering: .relaxed) else { return false }
      return current.isOpen.load(ordering: .acquiring)
    }

    /// Takes the connection out if nothing claims it and it has not ended.
    mutating func takeUnclaimed() -> Connection? {
      guard byHand == 0, subscribers == 0, !isEnded, let unclaimed = current else { return nil }
      beginToClose()
      return unclaimed
    }

    /// Takes the connection out, to be closed outside the lock.
    mutating func beginToClose() {
      current = nil
      awaitsFirstRequest = false
      isStartDue = false
      transitions += 1
    }

    /// Returns whether the caller is to start the current connection now.
    mutating func beginToStart() -> Bool {
      guard transitions == 0, let current, !current.hasStarted.load(ordering: .relaxed) else {
        isStartDue = transitions > 0
        return false
      }
      current.hasStarted.store(true, ordering: .releasing)
      current.isStarting.store(true, ordering: .releasing)
      isStartDue = false
      transitions = 1
      return true
    }
  }

  package let state = Lock(State())
  /// The events for an observer, if there is one.
  package final let events: ObserverEvents?

  init(_ events: ObserverEvents? = nil) {
    self.events = events
    super.init()
  }

  package final override var hasEnded: Bool { state.withLock { $0.isEnded } }

  /// Makes a connection of this number, under the lock, so that it only allocates.
  func makeConnection(_ number: Int) -> Connection {
    fatalError("ConnectionClaims.makeConnection(_:) is abstract; override it in the subclass.")
  }

  /// Gets everything ready for the values of a connection of this number; every subscriber does so
  /// before it joins.
  func prepare(_ number: Int) {}

  /// Notes that a connection has its subscription, from which it requests what is wanted.
  func accept(_ connection: any Connection & Subscription) {}

  /// Gives up everything that was ready for a connection of this number, before its upstream is
  /// cancelled.
  func discard(_ number: Int) {}

  /// Claims the connection for one `connect()`, and starts it.
  ///
  /// Returns nil after the end.
  package final func connect() -> Claim? {
    let claimed = state.withLock { state -> Connection? in
      guard !state.isEnded else { return nil }
      state.byHand += 1
      return current(&state)
    }
    guard let claimed else { return nil }
    open(claimed)
    let claim = Claim(claims: self, connection: claimed)
    start(claimed)
    return claim
  }

  /// Releases the claim of one `connect()` on this connection.
  final func release(_ connection: Connection) {
    let unclaimed = state.withLock { state -> Connection? in
      guard state.current?.lineage == connection.lineage else { return nil }
      state.byHand -= 1
      return state.takeUnclaimed()
    }
    if let unclaimed { close(unclaimed) }
  }

  /// Opens a connection before a subscriber joins, also one that another subscriber made: otherwise
  /// the subscriber would receive the replay of an older connection.
  private func open(_ connection: Connection) {
    guard !connection.isOpen.load(ordering: .acquiring) else { return }
    prepare(connection.number)
    connection.isOpen.store(true, ordering: .releasing)
  }

  /// Subscribes to the upstream for a connection, once; or leaves that to a thread that still
  /// closes another one.
  package final override func start(_ connection: AnyObject) {
    let connection = unsafeDowncast(connection, to: Connection.self)
    guard !connection.hasStarted.load(ordering: .acquiring) else { return }
    let starts = state.withLock { $0.current === connection && beginToStart(&$0) }
    if starts { subscribe(connection) }
  }

  private func beginToStart(_ state: inout State) -> Bool {
    guard state.beginToStart() else { return false }
    events?.noteConnection()
    return true
  }

  private func subscribe(_ connection: Connection) {
    events?.tell()
    connection.subscribe()
    endStart(of: connection)
  }

  /// Notes that the subscription of a connection has arrived, or does not arrive any more.
  package final func endStart(of connection: Connection) {
    guard connection.isStarting.load(ordering: .acquiring) else { return }
    endTransition { connection.isStarting.exchange(false, ordering: .relaxed) }
  }

  /// Closes a connection that was taken out.
  final func close(_ connection: Connection) {
    discard(connection.number)
    connection.cancel()
    if let events, connection.hasStarted.load(ordering: .acquiring) {
      events.noteEnd(.disconnected)
    }
    endTransition { true }
    events?.tell()
  }

  /// Ends a start or a close, if the closure says so under the lock, and starts the connection that
  /// waits for that.
  private func endTransition(if isOne: () -> Bool) {
    let next = state.withLock { state -> Connection? in
      guard isOne() else { return nil }
      state.transitions -= 1
      return state.isStartDue && beginToStart(&state) ? state.current : nil
    }
    if let next { subscribe(next) }
  }

  package final override func enter() -> AnyObject? {
    let connection = state.withLock { state -> Connection? in
      state.subscribers += 1
      return state.isEnded || state.isRunning ? nil : current(&state)
    }
    if let connection { open(connection) }
    return connection
  }

  package final override func keep(for keeper: LingeringCounter) {
    state.withLock { state in
      state.subscribers += 1
      state.keeper = keeper
    }
  }

  // The connection itself has noted its end; a subscriber's own end is none of the connection's.
  package override func leave(atEnd: Bool) {
    let unclaimed = state.withLock { state -> Connection? in
      state.subscribers -= 1
      return state.takeUnclaimed()
    }
    if let unclaimed { close(unclaimed) }
  }

  /// Closes the connection, and starts a new one with its claims; does nothing if there is none, or
  /// it has ended.
  final func reconnect() {
    let connections = state.withLock { state -> (old: Connection, new: Connection)? in
      guard let old = state.current, !state.isEnded else { return nil }
      state.beginToClose()
      // A claim of this call, so that the new one is not closed before it was opened.
      state.byHand += 1
      let new = current(&state)
      new.lineage = old.lineage
      return (old, new)
    }
    guard let (old, new) = connections else { return }
    close(old)
    open(new)
    start(new)
    release(new)
  }

  /// Whether there is a connection that has not ended.
  final var isConnected: Bool { state.withLock { $0.current != nil && !$0.isEnded } }

  /// Accepts the end of this connection, unless the connection has been closed before.
  package final func end(_ connection: Connection, failure: (any Error)?) -> Bool {
    let (isAccepted, keeper) = state.withLock { state -> (Bool, LingeringCounter?) in
      guard state.current === connection, !state.isEnded else { return (false, nil) }
      state.awaitsFirstRequest = false
      state.end = failure == nil ? .afterFinish : .afterFailure
      events?.noteEnd(failure.map { .failed($0) } ?? .finished)
      return (true, state.keeper)
    }
    events?.tell()
    keeper?.connectionEnded()
    return isAccepted
  }

  /// Returns whether the connection has come to one of these ends.
  final func hasEnded(in ends: Restart) -> Bool {
    state.withLock { $0.end.map(ends.contains) ?? false }
  }

  /// Whether a claim by `connect()` has not been released yet.
  package final var isClaimedByHand: Bool { state.withLock { $0.byHand > 0 } }

  /// Returns the current connection, which it makes if there is none.
  private func current(_ state: inout State) -> Connection {
    if let current = state.current { return current }
    state.number += 1
    let made = makeConnection(state.number)
    made.lineage = state.number
    state.current = made
    return made
  }
}

/// The claim that one `connect()` returns.
package final class Claim: ChainNode, Cancellable {
  // Weakly, so that a claim on a connection that has ended keeps no replay and no upstream. A
  // connection that has not ended and its claims retain each other.
  package weak let claims: ConnectionClaims?
  package let connection: Connection

  init(claims: ConnectionClaims, connection: Connection) {
    self.claims = claims
    self.connection = connection
    super.init(isPart: true)
  }

  package override func cancel() { claims?.release(connection) }
}
