// `@unchecked Sendable` invariant: the subject is set once, the claims have a lock of their own,
// everything else is a constant. Unsafe cast: `made` holds only what `createSubject` made.

public import FanoutEngine

extension Publishers {
  /// A publisher that shares one subscription to its upstream among many subscribers through a
  /// subject, and starts at ``connect()``.
  ///
  /// | starts | stops | a late subscriber gets | slow subscriber | memory |
  /// | --- | --- | --- | --- | --- |
  /// | at `connect()` | when the last claim is released | what the subject gives | as the subject | as the subject |
  ///
  /// - Completion: releases the upstream, then the subject completes its subscribers. Later calls
  ///   of `connect()` do nothing, unless a ``Restart`` says so.
  /// - Concurrency: every method may be called from any thread, also inside `receive`.
  /// - Ownership: retains its upstream publisher and its subject always, its connection while that
  ///   is live or ended. A subscription retains the multicast.
  public final class Multicast<Upstream: Publisher, SubjectType: Subject>: ConnectablePublisher
  where Upstream.Output == SubjectType.Output, Upstream.Failure == SubjectType.Failure {
    /// The upstream's output.
    public typealias Output = Upstream.Output
    /// The upstream's failure.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream
    /// The closure that creates the subject.
    public let createSubject: () -> SubjectType

    @usableFromInline package typealias MakeConnection = (
      _ number: Int, _ upstream: Upstream, _ subject: SubjectType, _ claims: ConnectionClaims
    ) -> Connection

    @usableFromInline package let claims = ConnectionClaims()
    @usableFromInline package let made = AtomicLazyReference()
    package let makeUpstreamConnection: MakeConnection
    /// Whether the subject serves one connection after another, each with a replay of its own.
    @usableFromInline package let isReplaying: Bool
    /// The multicasts that stand in for this one, if it starts again after an end.
    @usableFromInline package let generations: Generations<Multicast>?

    /// Creates a multicast through a subject.
    ///
    /// - Parameters:
    ///   - upstream: The upstream publisher.
    ///   - createSubject: The closure that creates the subject when it is first needed, once for
    ///     the multicast's life. If two threads need it first at the same moment, each may create
    ///     one, of which one is discarded. The closure runs outside any lock.
    @inlinable
    public convenience init(upstream: Upstream, createSubject: @escaping () -> SubjectType) {
      self.init(
        upstream: upstream, isReplaying: false, createSubject: createSubject
      ) { _, upstream, subject, claims in
        UpstreamConnection(
          upstream: upstream, target: SubjectTarget(subject: subject), claims: claims
        ) { $1.handle($0) }
      }
    }

    @usableFromInline
    package init(
      upstream: Upstream, isReplaying: Bool, restart: Restart = [],
      createSubject: @escaping () -> SubjectType, makeConnection: @escaping MakeConnection
    ) {
      self.upstream = upstream
      // One that stands behind others has no subject of its own.
      self.isReplaying = isReplaying && restart.isEmpty
      self.createSubject = createSubject
      makeUpstreamConnection = makeConnection
      generations =
        restart.isEmpty
        ? nil
        : Generations {
          $0.claims.hasEnded(in: restart)
        } make: {
          Multicast(
            upstream: upstream, isReplaying: isReplaying, createSubject: createSubject,
            makeConnection: makeConnection)
        }
      noteCreation(of: self)
    }

    /// Attaches the specified subscriber to the subject without starting anything.
    ///
    /// - Parameter subscriber: The subscriber to attach.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      if isReplaying, let replaying = subject as? ReplaySubject<Output, Failure> {
        replaying.hub.attach(subscriber, owner: self, name: .multicast)
      } else if let generation = generations?.current {
        generation.receive(subscriber: subscriber)
      } else {
        subject.receive(
          subscriber: RelayedSubscription(downstream: subscriber, parent: self))
      }
    }

    /// Attaches the closures of a sink.
    @_documentation(visibility: internal)
    @inlinable
    public func _sink(_ closures: consuming SinkClosures<Output, Subscribers.Completion<Failure>>)
      -> AnyCancellable
    {
      if isReplaying, let replaying = subject as? ReplaySubject<Output, Failure> {
        return replaying.hub.sink(closures, owner: self)
      }
      if let generation = generations?.current { return generation._sink(closures) }
      return Subscribers.Sink(closures).attached { receive(subscriber: $0) }
    }

    /// Subscribes to the upstream, unless a connection exists already.
    ///
    /// - Returns: A claim on the connection, an ``AnyCancellable`` that is declared as in Combine.
    ///   The upstream is cancelled when the last claim is cancelled or released. After the
    ///   upstream's completion, cancelling the claim does nothing. To pass the claim to another
    ///   isolation, write `AnyCancellable(shared.connect())`, which is `Sendable`.
    ///
    /// ```swift
    /// import Fanout
    ///
    /// let source = PassthroughSubject<Int, Never>()
    /// let shared = source.multicast(replay: .none)
    /// let reader = shared.sink { print($0) }
    /// let first = shared.connect()
    /// let second = shared.connect()
    /// source.send(1)
    /// first.cancel()
    /// source.send(2)
    /// second.cancel()
    /// source.send(3)
    /// reader.cancel()
    /// // Prints:
    /// // 1
    /// // 2
    /// ```
    public func connect() -> any Cancellable {
      if let generations { return generations.current.connect() }
      let subject = self.subject
      let connection = claims.claimByHand { makeConnection($0, subject) }
      guard let connection else { return AnyCancellable {} }
      connection.open()
      let claim = AnyCancellable(Claim(claims: claims, connection: connection))
      claims.start(connection)
      return claim
    }

    func makeConnection(_ number: Int, _ subject: SubjectType) -> Connection {
      makeUpstreamConnection(number, upstream, subject, claims)
    }

    @inlinable var subject: SubjectType {
      unsafeDowncast(made.object ?? made.setIfEmpty(createSubject()), to: SubjectType.self)
    }
  }
}

extension Publishers.Multicast: @unchecked Sendable
where Upstream: Sendable, Upstream.Output: Sendable {}

extension Publishers.Multicast
where SubjectType == ReplaySubject<Upstream.Output, Upstream.Failure> {
  @inlinable
  convenience init(
    upstream: Upstream, replay: Replay<Upstream.Output>, restart: Restart = [],
    backlog: Backlog<Upstream.Failure>? = nil
  ) {
    backlog?.check(replay)
    self.init(
      upstream: upstream, isReplaying: true, restart: restart,
      createSubject: { ReplaySubject(replay, backlog: backlog, isOpen: false) }
    ) { number, upstream, subject, claims in
      UpstreamConnection(
        upstream: upstream, target: ReplayTarget(subject: subject, number: number), claims: claims
      ) { $1.handle($0) }
    }
  }
}

extension Publishers.Multicast: Reconnecting {
  @usableFromInline
  func reconnect() {
    let subject = self.subject
    guard let (old, new) = claims.replace({ makeConnection($0, subject) }) else { return }
    claims.close(old)
    new.open()
    claims.start(new)
    claims.release(new)
  }

  @usableFromInline var isConnected: Bool { claims.isConnected }
}

/// The claim that one `connect()` returns.
package final class Claim: ChainNode, Cancellable {
  package let claims: ConnectionClaims
  package let connection: Connection

  init(claims: ConnectionClaims, connection: Connection) {
    self.claims = claims
    self.connection = connection
    super.init(isPart: true)
  }

  package override func cancel() { claims.release(connection) }
}
