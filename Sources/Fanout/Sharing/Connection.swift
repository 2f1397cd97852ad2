public import FanoutEngine
internal import Synchronization

/// One subscription of a multicast to its upstream, with an identity of its own.
///
/// It lives from the first claim to the upstream's completion, or until the last claim is let go.
@usableFromInline
class Connection: DeliverySource {
  // Under the lock of the claims.
  @usableFromInline override class var isMadeUnderLock: Bool { true }

  let isOpen = AtomicValue<Bool>(false)
  let hasStarted = AtomicValue<Bool>(false)

  /// Makes the multicast's subject ready for this connection, once or, by several threads, at least
  /// once: it is ready for each of them when this returns.
  final func open() {
    guard !isOpen.load(ordering: .acquiring) else { return }
    openTarget()
    isOpen.store(true, ordering: .releasing)
  }

  /// Subscribes to the upstream, once.
  final func start() {
    guard !hasStarted.load(ordering: .relaxed),
      !hasStarted.exchange(true, ordering: .acquiringAndReleasing)
    else { return }
    subscribe()
  }

  @usableFromInline func openTarget() {}
  @usableFromInline func subscribe() {}
  /// Cancels the upstream and gives up what was remembered.
  @usableFromInline func close() {}
}

/// A connection from an upstream to a target.
@usableFromInline
final class UpstreamConnection<Upstream: Publisher, Target: ConnectionTarget>: Connection,
  Subscriber, Subscription
where Target.Output == Upstream.Output, Target.Failure == Upstream.Failure {
  @usableFromInline
  final class Body: ReceiverBody {
    @usableFromInline let upstream: Upstream
    @usableFromInline let target: Target
    @usableFromInline let claims: ConnectionClaims

    @inlinable
    init(upstream: Upstream, target: Target, claims: ConnectionClaims) {
      self.upstream = upstream
      self.target = target
      self.claims = claims
      super.init()
    }
  }

  @usableFromInline typealias Input = Upstream.Output
  @usableFromInline typealias Failure = Upstream.Failure
  @usableFromInline typealias Subscribe = (Upstream, UpstreamConnection) -> Void

  @usableFromInline let stage: ReceiverStage<Body>
  /// Formed where the upstream's type is known, so that the whole chain above is specialised.
  @usableFromInline let subscribeTo: Subscribe

  @inlinable
  init(
    upstream: Upstream, target: Target, claims: ConnectionClaims, subscribe: @escaping Subscribe
  ) {
    stage = ReceiverStage(Body(upstream: upstream, target: target, claims: claims))
    subscribeTo = subscribe
    super.init()
  }

  @usableFromInline
  override func openTarget() { _ = stage.withBody { $0.target.open() } }

  @usableFromInline
  override func subscribe() {
    guard let upstream = stage.withBody({ $0.upstream }) else { return }
    subscribeTo(upstream, self)
  }

  @usableFromInline
  override func close() {
    let target = stage.withBody { $0.target }
    target?.close()
    cancel()
    target?.didClose()
  }

  @usableFromInline
  func receive(subscription: any Subscription) {
    guard stage.attach(deliverySource(of: subscription), for: self) else { return }
    _ = stage.withBody { $0.target.receive(subscription: self) }
  }

  @inlinable
  func receive(_ input: Input) -> Subscribers.Demand {
    _ = stage.withBody { $0.target.send(input) }
    return .none
  }

  @inlinable
  @inline(__always)
  func _receiveGuarded(_ input: Input) -> Subscribers.Demand {
    stage.deliver {
      $0.target.send(input)
      return .none
    } otherwise: {
      receive(input)
    }
  }

  @inlinable
  func _adopt(_ source: DeliverySource) -> Credit? {
    stage.adoptGuard(source)
    return nil
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) {
    // The arbiter between this completion and the last claim's release.
    let isAccepted = stage.withBody { $0.claims.end(self) } ?? false
    guard isAccepted else { return }
    stage.finish(for: self, taking: { $0.target })?.finish(completion)
  }

  @usableFromInline
  override func request(_ credit: Credit) { stage.request(credit) }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) { stage.request(demand.credit) }

  @usableFromInline override var isOver: Bool { stage.isClosed }

  @usableFromInline
  override func cancel(thenRelease receiver: Link?) {
    stage.cancel(for: self)
    receiver?._releaseFromGuard()
  }

  @usableFromInline
  override func _releaseFromGuard() { stage.release() }
}

extension UpstreamConnection: ReferenceListing {
  package var heldReferences: [HeldReference] {
    stage.heldReferences + [.closure("subscribeTo", subscribeTo)]
  }
}

extension UpstreamConnection.Body: ReferenceListing {
  package var heldReferences: [HeldReference] {
    bodyReferences + [
      .value("upstream", upstream), .value("target", target), .value("claims", claims),
    ]
  }
}

/// A connection that says whether it lives for its own sake, or for its subscribers'.
package protocol ClaimedConnection: AnyObject {
  /// Whether somebody called `connect()` and has not let go.
  var isClaimedByHand: Bool { get }
}

extension UpstreamConnection: ClaimedConnection {
  @usableFromInline
  package var isClaimedByHand: Bool { stage.withBody { $0.claims.isClaimedByHand } ?? false }
}
