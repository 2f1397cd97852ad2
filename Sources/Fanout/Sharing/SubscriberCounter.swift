// Unsafe casts: `start` is given only what `enter` of the same counter returned.

package import FanoutEngine

/// A counter that acts for an autoconnected publisher as its subscribers come and go.
@usableFromInline
package class SubscriberCounter: SubscriberCounting {
  @usableFromInline init() { noteCreation(of: self, isPart: true) }

  /// Whether the upstream of the connection has ended, as far as the counter knows.
  @usableFromInline package var hasEnded: Bool { false }

  /// Counts a subscriber in before it joins; returns the connection to pass to `start(_:)`.
  @usableFromInline package func enter() -> AnyObject? { nil }
  /// Starts the connection after the subscriber has joined.
  @usableFromInline package func start(_ connection: AnyObject) {}
  /// Counts a subscriber out, after a cancel or at the completion.
  @usableFromInline package func leave(atEnd: Bool) {}
}

/// A counter for the subscribers of a connectable publisher from outside the package.
package final class ConnectableCounter<Upstream: ConnectablePublisher>: SubscriberCounter {
  /// A connection that may be cancelled before it exists.
  package final class Cell {
    package struct State {
      var connection: (any Cancellable)?
      var isStarted = false
      var isCancelled = false
    }
    package let state = Lock(State())

    func start(_ connect: () -> any Cancellable) {
      let isFirst = state.withLock { state in
        defer { state.isStarted = true }
        return !state.isStarted && !state.isCancelled
      }
      guard isFirst else { return }
      let connection = connect()
      let isUnwanted = state.withLock { state in
        if !state.isCancelled { state.connection = connection }
        return state.isCancelled
      }
      if isUnwanted { connection.cancel() }
    }

    func cancel() {
      let connection = state.withLock { state in
        defer { state.connection = nil }
        state.isCancelled = true
        return state.connection
      }
      connection?.cancel()
    }
  }

  package struct State {
    var subscribers = 0
    var cell: Cell?
    var isEnded = false
  }

  package let state = Lock(State())
  package let upstream: Upstream

  init(_ upstream: Upstream) {
    self.upstream = upstream
    super.init()
  }

  package override var hasEnded: Bool { state.withLock { $0.isEnded } }

  package override func enter() -> AnyObject? {
    state.withLock { state in
      state.subscribers += 1
      guard !state.isEnded else { return nil }
      let cell = state.cell ?? Cell()
      state.cell = cell
      return cell
    }
  }

  package override func start(_ connection: AnyObject) {
    unsafeDowncast(connection, to: Cell.self).start(upstream.connect)
  }

  /// Counts a subscriber out; after a completion nothing is started again.
  ///
  /// If the last subscriber leaves by its completion, the connection is released but not cancelled:
  /// the others may still be about to receive theirs, and need the connection until then.
  package override func leave(atEnd: Bool) {
    let last = state.withLock { state -> Cell? in
      state.subscribers -= 1
      if atEnd { state.isEnded = true }
      guard state.subscribers == 0 else { return nil }
      defer { state.cell = nil }
      return state.cell
    }
    if !atEnd { last?.cancel() }
    withExtendedLifetime(last) {}
  }
}

@available(*, unavailable)
extension SubscriberCounter: Sendable {}
