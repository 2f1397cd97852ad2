// `@unchecked Sendable` invariant: all properties are constants, and the claims have a lock of
// their own. Unmanaged reference: invariant: the counter is used while the owner that comes with it
// lives.

public import FanoutEngine

extension Publishers {
  /// A publisher that shares one subscription to its upstream among many subscribers through a
  /// subject, and starts at ``connect()``.
  ///
  /// - Starts: at `connect()`.
  /// - Stops: when the last claim is released.
  /// - A late subscriber gets: what the subject gives.
  /// - A slow subscriber: as the subject.
  /// - Memory: as the subject.
  ///
  /// - Completion: releases the upstream, then the subject completes its subscribers. Later calls
  ///   of `connect()` do nothing, unless a ``Restart`` says so.
  /// - Concurrency: every method may be called from any thread, also inside `receive`.
  /// - Ownership: retains its upstream publisher and its subject always, its connection while that
  ///   is live or ended. A subscription retains the multicast.
  public final class Multicast<Upstream: Publisher, SubjectType: Subject>: ConnectablePublisher,
    UpstreamTypes
  where Upstream.Output == SubjectType.Output, Upstream.Failure == SubjectType.Failure {
    /// The upstream publisher.
    public let upstream: Upstream
    /// The closure that creates the subject.
    @preconcurrency public let createSubject: @Sendable () -> SubjectType

    /// The objects that the subscribers share.
    package enum Target {
      case core(Current<ShareCore<Upstream.Output, Upstream.Failure>>)
      case subject(SubjectClaims<Upstream, SubjectType>)
    }

    package let target: Target

    /// Creates a multicast through a subject.
    ///
    /// - Parameters:
    ///   - upstream: The upstream publisher.
    ///   - createSubject: The closure that creates the subject when it is first needed, once for
    ///     the multicast's life. If two threads need it first at the same moment, each may create
    ///     one, of which one is discarded. The closure runs outside any lock.
    @preconcurrency
    public convenience init(
      upstream: Upstream, createSubject: @escaping @Sendable () -> SubjectType
    ) {
      self.init(
        upstream: upstream, createSubject: createSubject,
        target: .subject(SubjectClaims(upstream, createSubject: createSubject)))
    }

    init(
      upstream: Upstream, createSubject: @escaping @Sendable () -> SubjectType, target: Target
    ) {
      self.upstream = upstream
      self.createSubject = createSubject
      self.target = target
      noteCreation(of: self)
    }

    /// Attaches the specified subscriber to the subject without starting anything.
    ///
    /// - Parameter subscriber: The subscriber to attach.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Upstream.Output, S.Failure == Failure {
      guard let (hub, owner, _) = sharing else {
        return subject.receive(
          subscriber: RelayedSubscription(downstream: subscriber, parent: self))
      }
      hub.attach(subscriber, owner: owner, name: .multicast)
    }

    /// Attaches the closures of a sink.
    @_documentation(visibility: internal)
    @inlinable
    public func _sink(
      _ closures: consuming SinkClosures<Upstream.Output, Subscribers.Completion<Failure>>
    )
      -> AnyCancellable
    {
      guard let (hub, owner, _) = sharing else {
        return Subscribers.Sink(closures).attached { receive(subscriber: $0) }
      }
      return hub.sink(closures, owner: owner)
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
      guard let claim = claims.connect() else { return AnyCancellable {} }
      return AnyCancellable(claim)
    }

    /// The hub and the counter that are shared, and what a subscription retains for both; nil if a
    /// subject delivers.
    @usableFromInline var sharing:
      (
        hub: Hub<Upstream.Output, Subscribers.Completion<Failure>>, owner: AnyObject,
        counter: Unmanaged<SubscriberCounter>
      )?
    {
      guard case .core(let current) = target else { return nil }
      if case .one(let core) = current { return (core.hub, self, .passUnretained(core)) }
      let core = current.object
      return (core.hub, core, .passUnretained(core))
    }

    /// The subject that delivers, made when it is first needed.
    @usableFromInline var subject: SubjectType {
      guard case .subject(let claims) = target else { return createSubject() }
      return claims.subject
    }

    /// The claims on the connection, or on the newest one.
    var claims: ConnectionClaims {
      switch target {
      case .core(let core): core.object
      case .subject(let claims): claims
      }
    }
  }
}

extension Publishers.Multicast: @unchecked Sendable
where Upstream: Sendable, Upstream.Output: Sendable, SubjectType: Sendable {}

extension Publishers.Multicast
where SubjectType == ReplaySubject<Upstream.Output, Upstream.Failure> {
  @usableFromInline
  convenience init(
    upstream: Upstream, replay: Replay<Upstream.Output>, restart: Restart = [],
    backlog: Backlog<Upstream.Output, Upstream.Failure>? = nil,
    observer: (any SharingObserver)? = nil, parts: ShareParts<Upstream> = ShareParts()
  ) {
    self.init(
      upstream: upstream, createSubject: { ReplaySubject(replay) },
      target: .core(
        UpstreamShareCore.current(upstream, replay, restart: restart, backlog, observer, parts)))
  }
}
