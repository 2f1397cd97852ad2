// `@unchecked Sendable` invariant: the subject is set once, the claims have a lock of their own,
// everything else is a constant. Unsafe cast: `made` holds only what `createSubject` made.

public import FanoutEngine

extension Publishers {
  /// A publisher that lets many subscribers share one subscription to its upstream, through a
  /// subject, once it is told to connect.
  ///
  /// | starts | stops | a late subscriber gets | slow subscriber | memory |
  /// | --- | --- | --- | --- | --- |
  /// | at `connect()` | when the last claim is let go | what the subject gives | as the subject | as the subject |
  ///
  /// - Completion: the upstream is released, then the subject completes its subscribers; later
  ///   `connect()`s do nothing.
  /// - Concurrency: every method may be called from any thread, also inside `receive`.
  /// - Ownership: retains its upstream publisher and its subject always, its connection while that
  ///   is live or ended. A subscription retains it.
  public final class Multicast<Upstream: Publisher, SubjectType: Subject>: ConnectablePublisher
  where Upstream.Output == SubjectType.Output, Upstream.Failure == SubjectType.Failure {
    /// The upstream's values.
    public typealias Output = Upstream.Output
    /// The upstream's failure.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream
    /// Makes the subject.
    public let createSubject: () -> SubjectType

    @usableFromInline typealias MakeConnection = (
      _ number: Int, _ upstream: Upstream, _ subject: SubjectType, _ claims: ConnectionClaims
    ) -> Connection

    @usableFromInline let claims = ConnectionClaims()
    @usableFromInline let made = OnceReference()
    let makeUpstreamConnection: MakeConnection
    /// Whether the subject serves one connection after another, each with a memory of its own.
    @usableFromInline let isReplaying: Bool

    /// Makes a multicast through a subject.
    ///
    /// - Parameters:
    ///   - upstream: where the values come from.
    ///   - createSubject: makes the subject when it is first needed, once for the multicast's life
    ///     (of two threads that need it first at the same moment, each may make one, of which one
    ///     is dropped). Runs outside any lock.
    @inlinable
    public convenience init(upstream: Upstream, createSubject: @escaping () -> SubjectType) {
      self.init(
        upstream: upstream, isReplaying: false, createSubject: createSubject
      ) { _, upstream, subject, claims in
        UpstreamConnection(
          upstream: upstream, target: SubjectTarget(subject: subject), claims: claims
        ) { $0.receive(subscriber: $1) }
      }
    }

    @usableFromInline
    init(
      upstream: Upstream, isReplaying: Bool, createSubject: @escaping () -> SubjectType,
      makeConnection: @escaping MakeConnection
    ) {
      self.upstream = upstream
      self.isReplaying = isReplaying
      self.createSubject = createSubject
      makeUpstreamConnection = makeConnection
      noteCreation(of: self)
    }

    /// Attaches a subscriber to the subject; nothing is started.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let subject = self.subject
      if isReplaying, let replaying = subject as? ReplaySubject<Output, Failure> {
        replaying.attach(subscriber, owner: self, name: .multicast)
      } else {
        subject.receive(
          subscriber: RelayedSubscription(downstream: subscriber, parent: self))
      }
    }

    /// Subscribes to the upstream, unless that has been done and not been undone.
    ///
    /// - Returns: a claim on the connection, an ``AnyCancellable``: the upstream is cancelled when
    ///   the last claim is cancelled or dropped. After the upstream's completion it does nothing.
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
      let subject = self.subject
      let connection = claims.claimByHand { makeConnection($0, subject) }
      guard let connection else { return AnyCancellable {} }
      connection.open()
      let claim = AnyCancellable(Claim(claims: claims, connection: connection))
      connection.start()
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
  convenience init(upstream: Upstream, replay: Replay<Upstream.Output>) {
    self.init(
      upstream: upstream, isReplaying: true,
      createSubject: { ReplaySubject(replay, isOpen: false) }
    ) { number, upstream, subject, claims in
      UpstreamConnection(
        upstream: upstream, target: ReplayTarget(subject: subject, number: number), claims: claims
      ) { $0.receive(subscriber: $1) }
    }
  }
}

/// What one `connect()` returns.
final class Claim: Link, Cancellable {
  let claims: ConnectionClaims
  let connection: Connection

  init(claims: ConnectionClaims, connection: Connection) {
    self.claims = claims
    self.connection = connection
    super.init(isPart: true)
  }

  override func cancel() { claims.release(connection) }
}

extension Claim: ReferenceListing {
  package var heldReferences: [HeldReference] {
    [.value("claims", claims), .value("connection", connection)]
  }
}

extension Publishers.Multicast: ReferenceListing {
  package var heldReferences: [HeldReference] {
    let subject: HeldReference? = made.object.map { .value("made", $0) }
    let held: [HeldReference?] = [
      .value("upstream", upstream), .closure("createSubject", createSubject),
      .value("claims", claims), subject,
      .closure("makeUpstreamConnection", makeUpstreamConnection),
    ]
    return held.compactMap { $0 }
  }
}
