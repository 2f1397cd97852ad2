public import FanoutEngine
internal import Synchronization

/// One subscription of a multicast to its upstream, with an identity of its own.
///
/// It lives from the first claim to the upstream's completion, or until the last claim is released.
@usableFromInline
package class Connection: DeliverySource {
  // Made while the lock of the claims is held.
  @usableFromInline package override class var isMadeUnderLock: Bool { true }

  /// The number of the first connection of those that were made to replace one another.
  ///
  /// It is set under the lock of the claims when the connection is made.
  @exclusivity(unchecked) final var lineage = 0

  let isOpen = AtomicValue<Bool>(false)
  /// Whether the upstream was subscribed to, or never will be.
  ///
  /// It is set under the lock of the claims.
  let hasStarted = AtomicValue<Bool>(false)
  /// Whether the upstream is being subscribed to and its subscription has not arrived.
  ///
  /// It changes under the lock of the claims.
  let isStarting = AtomicValue<Bool>(false)

  /// Prepares the multicast's subject for this connection.
  ///
  /// It runs once or, if several threads call it at the same time, at least once: the subject is
  /// ready for each of them when this returns.
  final func open() {
    guard !isOpen.load(ordering: .acquiring) else { return }
    openTarget()
    isOpen.store(true, ordering: .releasing)
  }

  @usableFromInline package func openTarget() {}
  /// Subscribes to the upstream; the claims call it once.
  @usableFromInline package func subscribe() {}
  /// Cancels the upstream and discards the replay.
  @usableFromInline package func close() {}
}

/// A connection from an upstream to a target.
@usableFromInline
package final class UpstreamConnection<Upstream: Publisher, Target: ConnectionTarget>: Connection,
  Subscriber, Subscription
where Target.Output == Upstream.Output, Target.Failure == Upstream.Failure {
  @usableFromInline
  package final class Body: ReceiverBody {
    @usableFromInline package let upstream: Upstream
    @usableFromInline package let target: Target
    @usableFromInline package let claims: ConnectionClaims

    @inlinable
    init(upstream: Upstream, target: Target, claims: ConnectionClaims) {
      self.upstream = upstream
      self.target = target
      self.claims = claims
      super.init()
    }
  }

  @usableFromInline package typealias Input = Upstream.Output
  @usableFromInline package typealias Failure = Upstream.Failure
  /// The events that need the types of upstream and target.
  @usableFromInline
  package enum Event: Sendable {
    case open, subscribe, close
  }

  @usableFromInline package typealias Handle = (Event, UpstreamConnection) -> Void

  @usableFromInline package let stage: ReceiverStage<Body>
  /// The closure that calls `handle(_:)`, formed where the types of upstream and target are known, so that
  /// this and the whole chain above are specialised.
  @usableFromInline package let handleEvent: Handle

  @inlinable
  init(
    upstream: Upstream, target: Target, claims: ConnectionClaims, handleEvent: @escaping Handle
  ) {
    stage = ReceiverStage(Body(upstream: upstream, target: target, claims: claims))
    self.handleEvent = handleEvent
    super.init()
  }

  @inlinable
  @inline(__always)
  func handle(_ event: Event) {
    switch event {
    case .open:
      _ = stage.withBody { $0.target.open() }
    case .subscribe:
      stage.withBody { $0.upstream }?.receive(subscriber: self)
    case .close:
      let target = stage.withBody { $0.target }
      target?.close()
      cancel()
      target?.didClose()
    }
  }

  @usableFromInline
  package override func openTarget() { handleEvent(.open, self) }

  @usableFromInline
  package override func subscribe() { handleEvent(.subscribe, self) }

  @usableFromInline
  package override func close() { handleEvent(.close, self) }

  @usableFromInline
  package func receive(subscription: any Subscription) {
    guard stage.attach(deliverySource(of: subscription), for: self),
      let (claims, target) = stage.withBody({ ($0.claims, $0.target) })
    else { return }
    // From here on a close cancels the upstream.
    claims.endStart(of: self)
    target.receive(subscription: self)
  }

  @inlinable
  package func receive(_ input: Input) -> Subscribers.Demand {
    _ = stage.withBody { $0.target.send(input) }
    return .none
  }

  @inlinable
  @inline(__always)
  package func _receiveFused(_ input: Input) -> Subscribers.Demand {
    stage.deliver {
      $0.target.send(input)
      return .none
    } otherwise: {
      receive(input)
    }
  }

  @inlinable
  package func _fuse(_ source: DeliverySource) -> Credit? {
    stage.adoptGuard(source)
    return nil
  }

  @usableFromInline
  package func receive(completion: Subscribers.Completion<Failure>) {
    // The claims decide between this completion and the release of the last claim.
    let isFailure = if case .failure = completion { true } else { false }
    let isAccepted = stage.withBody { $0.claims.end(self, isFailure: isFailure) } ?? false
    guard isAccepted else { return }
    stage.finish(for: self, taking: { $0.target })?.finish(completion)
  }

  @usableFromInline
  package override func request(_ credit: Credit) { stage.request(credit) }

  @usableFromInline
  package func request(_ demand: Subscribers.Demand) { stage.request(demand.credit) }

  @usableFromInline package override var isOver: Bool { stage.isClosed }

  @usableFromInline
  package override func cancel(thenRelease receiver: ChainNode?) {
    stage.cancel(for: self)
    receiver?._sourceDidQuiesce()
  }

  @usableFromInline
  package override func _sourceDidQuiesce() { stage.release() }
}
