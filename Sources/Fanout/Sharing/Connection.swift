public import FanoutEngine
internal import Synchronization

/// One subscription of a shared publisher to its upstream, with an identity of its own.
///
/// It lives from the first claim to the upstream's completion, or until the last claim is released.
@usableFromInline package class Connection: DeliverySource {
  // Made while the lock of the claims is held.
  package override class var isMadeUnderLock: Bool { true }

  /// The number of the connection, counted from 1.
  @usableFromInline let number: Int
  /// The number of the first connection of those that were made to replace one another.
  ///
  /// It is set under the lock of the claims when the connection is made.
  @exclusivity(unchecked) final var lineage = 0

  /// Whether everything is ready for its values.
  let isOpen = AtomicValue<Bool>(false)
  /// Whether the upstream was subscribed to, or never will be.
  ///
  /// It is set under the lock of the claims.
  let hasStarted = AtomicValue<Bool>(false)
  /// Whether the upstream is being subscribed to and its subscription has not arrived.
  ///
  /// It changes under the lock of the claims.
  let isStarting = AtomicValue<Bool>(false)

  init(_ number: Int) {
    self.number = number
    super.init()
  }

  /// Subscribes to the upstream; the claims call it once.
  package func subscribe() {}
}

/// The claims on connections to an upstream, which pass on its values.
@usableFromInline
package protocol ConnectionTarget: ConnectionClaims {
  associatedtype Upstream: Publisher

  /// The upstream publisher.
  var upstream: Upstream { get }

  func send(_ value: Upstream.Output, from number: Int)
  func finish(_ completion: Subscribers.Completion<Upstream.Failure>, from number: Int)
}

/// A connection to an upstream.
@usableFromInline
package final class UpstreamConnection<Target: ConnectionTarget>: Connection, Subscriber,
  Subscription
{
  @usableFromInline package final class Body: ReceiverBody {
    @usableFromInline package let target: Target

    @usableFromInline
    init(_ target: Target) {
      self.target = target
      super.init()
    }
  }

  @usableFromInline package let stage: ReceiverStage<Body>
  /// The closure that subscribes to the upstream, formed where its type is known, so that this and
  /// the whole chain above are specialised.
  let subscribing: (UpstreamConnection) -> Void

  @usableFromInline
  init(
    _ number: Int, _ stage: consuming ReceiverStage<Body>,
    subscribing: @escaping (UpstreamConnection) -> Void = { connection in
      connection.stage.withBody { $0.target.upstream }?.receive(subscriber: connection)
    }
  ) {
    self.stage = stage
    self.subscribing = subscribing
    super.init(number)
  }

  package override func subscribe() { subscribing(self) }

  @usableFromInline
  package func receive(subscription: any Subscription) {
    guard stage.attach(deliverySource(of: subscription), for: self),
      let target = stage.withBody({ $0.target })
    else { return }
    // From here on a close cancels the upstream.
    target.endStart(of: self)
    target.accept(self)
  }

  @inlinable
  package func receive(_ input: Target.Upstream.Output) -> Subscribers.Demand {
    _ = stage.withBody { $0.target.send(input, from: number) }
    return .none
  }

  @inlinable
  @inline(__always)
  package func _receiveFused(_ input: Target.Upstream.Output) -> Subscribers.Demand {
    stage.deliver {
      $0.target.send(input, from: number)
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
  package func receive(completion: Subscribers.Completion<Target.Upstream.Failure>) {
    // The claims decide between this completion and the release of the last claim.
    let failure: (any Error)? = if case .failure(let error) = completion { error } else { nil }
    let isAccepted = stage.withBody { $0.target.end(self, failure: failure) } ?? false
    guard isAccepted else { return }
    stage.finish(for: self, taking: { $0.target })?.finish(completion, from: number)
  }

  package override func request(_ credit: Credit) {
    // A backlog waits, and the upstream is to drop nothing meanwhile.
    let isPart = credit != .none && !credit.isUnlimited
    stage.request(isPart && stage.disallowDrops() ? .unlimited : credit)
  }

  @usableFromInline
  package func request(_ demand: Subscribers.Demand) { stage.request(demand.credit) }

  package override var isOver: Bool { stage.isClosed }

  package override func cancel(thenRelease receiver: ChainNode?) {
    stage.cancel(for: self)
    receiver?._sourceDidQuiesce()
  }

  package override func _sourceDidQuiesce() { stage.release() }
}
