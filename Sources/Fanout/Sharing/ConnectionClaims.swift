// `@unchecked Sendable` invariant: the state is reached only under the lock. Connections that leave
// it are closed and released outside the lock. `transitions` is the number of connections whose subscription has not
// arrived yet, or that are being closed, outside the lock; the thread that ends the last of these subscribes for a
// connection that was to start meanwhile, so that the upstream has one subscription at a time and no thread waits.

package import FanoutEngine
internal import Synchronization

/// The claims that keep a multicast's connection going: one for every `connect()`, and one that the
/// autoconnected subscribers hold together.
///
/// The release of the last claim closes the connection. The upstream has one subscription at a time: a connection that
/// is to start while another one is still being closed is started by the thread that closes that.
@usableFromInline
package final class ConnectionClaims: @unchecked Sendable {
  package struct State {
    var current: Connection?
    var number = 0
    var byHand = 0
    var subscribers = 0
    /// The number of connections that wait for their subscription or are being closed.
    var transitions = 0
    /// Whether the current connection is to be started after these.
    var isStartDue = false
    /// The end that was accepted, as the option to start again after it.
    var end: Restart?

    var isEnded: Bool { end != nil }

    /// Takes the connection out if nothing claims it and it has not ended.
    mutating func takeUnclaimed() -> Connection? {
      guard byHand == 0, subscribers == 0, !isEnded, let unclaimed = current else { return nil }
      beginToClose()
      return unclaimed
    }

    /// Takes the connection out, to be closed outside the lock.
    mutating func beginToClose() {
      current = nil
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

  @usableFromInline init() { noteCreation(of: self, isPart: true) }

  /// Claims the connection for one `connect()`.
  ///
  /// - Parameter make: The closure that makes a connection of this number if there is none. It runs
  ///   under the lock, so it only allocates.
  /// - Returns: The connection, or nil after the end.
  @usableFromInline
  package func claimByHand(_ make: (Int) -> Connection) -> Connection? {
    state.withLock { state in
      guard !state.isEnded else { return nil }
      state.byHand += 1
      return Self.current(&state, make)
    }
  }

  /// Releases the claim of one `connect()` on this connection.
  @usableFromInline
  package func release(_ connection: Connection) {
    let unclaimed = state.withLock { state -> Connection? in
      guard state.current?.lineage == connection.lineage else { return nil }
      state.byHand -= 1
      return state.takeUnclaimed()
    }
    if let unclaimed { close(unclaimed) }
  }

  /// Subscribes to the upstream for a connection, once; or leaves that to a thread that still closes another one.
  @usableFromInline
  package func start(_ connection: Connection) {
    guard !connection.hasStarted.load(ordering: .acquiring) else { return }
    let starts = state.withLock { $0.current === connection && $0.beginToStart() }
    if starts { subscribe(connection) }
  }

  private func subscribe(_ connection: Connection) {
    connection.subscribe()
    endStart(of: connection)
  }

  /// Notes that the subscription of a connection has arrived, or does not arrive any more.
  @usableFromInline
  package func endStart(of connection: Connection) {
    guard connection.isStarting.load(ordering: .acquiring) else { return }
    endTransition { connection.isStarting.exchange(false, ordering: .relaxed) }
  }

  /// Closes a connection that was taken out.
  func close(_ connection: Connection) {
    connection.close()
    endTransition { true }
  }

  /// Ends a start or a close, if the closure says so under the lock, and starts the connection that waits for that.
  private func endTransition(if isOne: () -> Bool) {
    let next = state.withLock { state -> Connection? in
      guard isOne() else { return nil }
      state.transitions -= 1
      return state.isStartDue && state.beginToStart() ? state.current : nil
    }
    if let next { subscribe(next) }
  }

  /// Counts an autoconnected subscriber in, before it joins; returns nil after the end.
  @usableFromInline
  package func enter(_ make: (Int) -> Connection) -> Connection? {
    state.withLock { state in
      state.subscribers += 1
      guard !state.isEnded else { return nil }
      return Self.current(&state, make)
    }
  }

  /// Counts an autoconnected subscriber out.
  @usableFromInline
  package func leave() {
    let unclaimed = state.withLock { state -> Connection? in
      state.subscribers -= 1
      return state.takeUnclaimed()
    }
    if let unclaimed { close(unclaimed) }
  }

  /// Replaces the connection, which the caller is to close, by a new one that has the same claims and one of the
  /// caller's, so that it is not closed before it was opened.
  ///
  /// - Parameter make: The closure that makes a connection of this number. It runs under the lock, so it only
  ///   allocates.
  /// - Returns: Both connections, or nil if there is none or it has ended.
  func replace(_ make: (Int) -> Connection) -> (old: Connection, new: Connection)? {
    state.withLock { state in
      guard let old = state.current, !state.isEnded else { return nil }
      state.beginToClose()
      state.byHand += 1
      let new = Self.current(&state, make)
      new.lineage = old.lineage
      return (old, new)
    }
  }

  /// Whether there is a connection that has not ended.
  var isConnected: Bool { state.withLock { $0.current != nil && !$0.isEnded } }

  /// Accepts the end of this connection, unless the connection has been closed before.
  @usableFromInline
  package func end(_ connection: Connection, isFailure: Bool) -> Bool {
    state.withLock { state in
      guard state.current === connection, !state.isEnded else { return false }
      state.end = isFailure ? .afterFailure : .afterFinish
      return true
    }
  }

  /// Returns whether the connection has come to one of these ends.
  func hasEnded(in ends: Restart) -> Bool {
    state.withLock { $0.end.map(ends.contains) ?? false }
  }

  /// Whether a claim by `connect()` has not been released yet.
  package var isClaimedByHand: Bool { state.withLock { $0.byHand > 0 } }

  static func current(_ state: inout State, _ make: (Int) -> Connection) -> Connection {
    if let current = state.current { return current }
    state.number += 1
    let made = make(state.number)
    made.lineage = state.number
    state.current = made
    return made
  }
}
