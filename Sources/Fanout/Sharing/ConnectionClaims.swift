// `@unchecked Sendable` invariant: the state is reached only under the lock. Connections that leave
// it are closed and released outside.

internal import FanoutEngine

/// Who keeps a multicast's connection going: every `connect()` has a claim, and the autoconnected
/// subscribers hold one together.
///
/// The last one to go closes it.
@usableFromInline
final class ConnectionClaims: @unchecked Sendable {
  struct State {
    var current: Connection?
    var number = 0
    var byHand = 0
    var subscribers = 0
    var isEnded = false

    /// Gives the connection up if nobody claims it and it has not ended.
    mutating func takeUnclaimed() -> Connection? {
      guard byHand == 0, subscribers == 0, !isEnded, let unclaimed = current else { return nil }
      current = nil
      return unclaimed
    }
  }

  let state = Lock(State())

  @usableFromInline init() { noteCreation(of: self, isPart: true) }

  /// Claims the connection for one `connect()`.
  ///
  /// - Parameter make: makes a connection of this number if there is none; runs under the lock, so
  ///   it only allocates.
  /// - Returns: the connection, or nil after the end.
  @usableFromInline
  func claimByHand(_ make: (Int) -> Connection) -> Connection? {
    state.withLock { state in
      guard !state.isEnded else { return nil }
      state.byHand += 1
      return Self.current(&state, make)
    }
  }

  /// Lets go of one claim by hand on this connection.
  @usableFromInline
  func release(_ connection: Connection) {
    let unclaimed = state.withLock { state -> Connection? in
      guard state.current === connection else { return nil }
      state.byHand -= 1
      return state.takeUnclaimed()
    }
    unclaimed?.close()
  }

  /// Counts an autoconnected subscriber in, before it joins; nil after the end.
  @usableFromInline
  func enter(_ make: (Int) -> Connection) -> Connection? {
    state.withLock { state in
      state.subscribers += 1
      guard !state.isEnded else { return nil }
      return Self.current(&state, make)
    }
  }

  /// Counts an autoconnected subscriber out.
  @usableFromInline
  func leave() {
    let unclaimed = state.withLock { state -> Connection? in
      state.subscribers -= 1
      return state.takeUnclaimed()
    }
    unclaimed?.close()
  }

  /// Accepts the end of this connection, unless it has been closed before.
  @usableFromInline
  func end(_ connection: Connection) -> Bool {
    state.withLock { state in
      guard state.current === connection, !state.isEnded else { return false }
      state.isEnded = true
      return true
    }
  }

  /// Whether somebody called `connect()` and has not let go.
  var isClaimedByHand: Bool { state.withLock { $0.byHand > 0 } }

  static func current(_ state: inout State, _ make: (Int) -> Connection) -> Connection {
    if let current = state.current { return current }
    state.number += 1
    let made = make(state.number)
    state.current = made
    return made
  }
}

extension ConnectionClaims: ReferenceListing {
  package var heldReferences: [HeldReference] { [.value("state", state.withLock { $0 })] }
}
