// Unsafe casts: `start` is given only what `enter` of the same counter returned.

internal import FanoutEngine

/// What an autoconnected publisher does as subscribers come and go.
@usableFromInline
class SubscriberCounter {
  @usableFromInline init() { noteCreation(of: self, isPart: true) }

  /// Counts a subscriber in before it joins, and returns the connection, for `start(_:)`.
  @usableFromInline func enter() -> AnyObject? { nil }
  /// Starts the connection, when the subscriber has joined.
  @usableFromInline func start(_ connection: AnyObject) {}
  /// Counts a subscriber out: because it was cancelled, or at the end of everything.
  @usableFromInline func leave(atEnd: Bool) {}
}

/// Counts the autoconnected subscribers of a multicast, with those of its other autoconnects.
@usableFromInline
final class MulticastCounter<Upstream: Publisher, SubjectType: Subject>: SubscriberCounter
where SubjectType.Output == Upstream.Output, SubjectType.Failure == Upstream.Failure {
  let multicast: Publishers.Multicast<Upstream, SubjectType>

  init(_ multicast: Publishers.Multicast<Upstream, SubjectType>) {
    self.multicast = multicast
    super.init()
  }

  override func enter() -> AnyObject? {
    let subject = multicast.subject
    let connection = multicast.claims.enter { multicast.makeConnection($0, subject) }
    // Its opening must be accepted before the subscriber joins, whoever made it: otherwise the
    // subscriber would be given what an older connection remembered.
    connection?.open()
    return connection
  }

  override func start(_ connection: AnyObject) {
    unsafeDowncast(connection, to: Connection.self).start()
  }

  // The connection itself has noted the end.
  override func leave(atEnd: Bool) { multicast.claims.leave() }
}

/// Counts the subscribers of a connectable publisher that was written elsewhere.
final class ConnectableCounter<Upstream: ConnectablePublisher>: SubscriberCounter {
  /// A connection that may be let go of before it is there.
  final class Cell {
    struct State {
      var connection: (any Cancellable)?
      var isStarted = false
      var isCancelled = false
    }
    let state = Lock(State())

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

  struct State {
    var subscribers = 0
    var cell: Cell?
    var isEnded = false
  }

  let state = Lock(State())
  let upstream: Upstream

  init(_ upstream: Upstream) {
    self.upstream = upstream
    super.init()
  }

  override func enter() -> AnyObject? {
    state.withLock { state in
      state.subscribers += 1
      guard !state.isEnded else { return nil }
      let cell = state.cell ?? Cell()
      state.cell = cell
      return cell
    }
  }

  override func start(_ connection: AnyObject) {
    unsafeDowncast(connection, to: Cell.self).start(upstream.connect)
  }

  /// After an end nothing is started again.
  ///
  /// Who leaves last by it lets go of the connection and does not cancel it; the others may have an
  /// end of their own still to come, and need it until then.
  override func leave(atEnd: Bool) {
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

extension MulticastCounter: ReferenceListing {
  package var heldReferences: [HeldReference] { [.value("multicast", multicast)] }
}

extension ConnectableCounter: ReferenceListing {
  package var heldReferences: [HeldReference] {
    [.value("state", state.withLock { $0 }), .value("upstream", upstream)]
  }
}

extension ConnectableCounter.Cell: ReferenceListing {
  package var heldReferences: [HeldReference] { [.value("state", state.withLock { $0 })] }
}
