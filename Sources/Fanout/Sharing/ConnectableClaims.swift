package import FanoutEngine

/// The claims of the autoconnected subscribers on a connectable publisher from outside the package.
package final class ConnectableClaims<Upstream: ConnectablePublisher>: ConnectionClaims {
  package let upstream: Upstream

  init(_ upstream: Upstream) {
    self.upstream = upstream
    super.init()
  }

  override func makeConnection(_ number: Int) -> Connection {
    ConnectableConnection(number, of: upstream)
  }

  /// Counts a subscriber out; only its end tells that the upstream has ended.
  package override func leave(atEnd: Bool) {
    let (unclaimed, ended) = state.withLock { state -> (Connection?, Connection?) in
      if atEnd { state.end = .afterFinish }
      state.subscribers -= 1
      if let unclaimed = state.takeUnclaimed() { return (unclaimed, nil) }
      guard state.isEnded, state.subscribers == 0 else { return (nil, nil) }
      defer { state.current = nil }
      return (nil, state.current)
    }
    if let unclaimed { close(unclaimed) }
    // Behind the end of another subscriber the connection may still be there.
    if !atEnd { ended?.cancel() }
    withExtendedLifetime(ended) {}
  }
}

/// A connection of a connectable publisher from outside the package.
package final class ConnectableConnection<Upstream: ConnectablePublisher>: Connection {
  package struct State {
    var connection: (any Cancellable)?
    var isCancelled = false
  }

  package let state = Lock(State())
  package let upstream: Upstream

  init(_ number: Int, of upstream: Upstream) {
    self.upstream = upstream
    super.init(number)
  }

  package override func subscribe() {
    let connection = upstream.connect()
    let isUnwanted = state.withLock { state in
      if !state.isCancelled { state.connection = connection }
      return state.isCancelled
    }
    if isUnwanted { connection.cancel() }
  }

  package override func cancel(thenRelease receiver: ChainNode?) {
    let connection = state.withLock { state in
      defer { state.connection = nil }
      state.isCancelled = true
      return state.connection
    }
    connection?.cancel()
    receiver?._sourceDidQuiesce()
  }
}
