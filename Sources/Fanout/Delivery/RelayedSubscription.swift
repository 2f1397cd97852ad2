public import FanoutEngine
public import Synchronization

/// A subscriber's subscription to a connectable publisher, which tells when the subscriber leaves.
///
/// It hands its subscriber itself, passes everything else through, and lets go of the subscriber and
/// of the publisher at cancel and at the completion.
@usableFromInline
final class RelayedSubscription<Downstream: Subscriber>: RelayedSource<
  RelayedSubscription<Downstream>.Body
>, Subscriber, Subscription, CustomStringConvertible, CustomReflectable,
CustomPlaygroundDisplayConvertible
{
  @usableFromInline
  final class Body: ReceiverBody {
    @usableFromInline let downstream: Downstream
    @usableFromInline let parent: AnyObject
    @usableFromInline let counter: SubscriberCounter?
    @usableFromInline let hasLeft = AtomicValue<Bool>(false)

    @inlinable
    init(downstream: Downstream, parent: AnyObject, counter: SubscriberCounter?) {
      self.downstream = downstream
      self.parent = parent
      self.counter = counter
      super.init()
    }

    /// Counts the subscriber out, once: a cancel and the completion may both come.
    @usableFromInline
    func leave(atEnd: Bool) {
      guard let counter, !hasLeft.exchange(true, ordering: .acquiringAndReleasing) else { return }
      counter.leave(atEnd: atEnd)
    }
  }

  @usableFromInline typealias Input = Downstream.Input
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline
  init(downstream: Downstream, parent: AnyObject, counter: SubscriberCounter? = nil) {
    super.init(Body(downstream: downstream, parent: parent, counter: counter))
  }

  @usableFromInline
  func receive(subscription: any Subscription) {
    guard attach(deliverySource(of: subscription)) else { return }
    _ = stage.withBody { $0.downstream.receive(subscription: self) }
  }

  @inlinable
  func receive(_ input: Input) -> Subscribers.Demand {
    stage.withBody { $0.downstream.receive(input) } ?? .none
  }

  @inlinable
  @inline(__always)
  func _receiveGuarded(_ input: Input) -> Subscribers.Demand {
    stage.deliver {
      $0.downstream._receiveGuarded(input)
    } otherwise: {
      receive(input)
    }
  }

  @inlinable
  func _adopt(_ source: DeliverySource) -> Credit? {
    guard stage.adoptGuard(source) else { return nil }
    return stage.withBody { $0.downstream._adopt(self) } ?? nil
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) {
    let downstream = finish { body in
      body.leave(atEnd: true)
      return body.downstream
    }
    downstream?.receive(completion: completion)
  }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) { request(demand.credit) }

  @usableFromInline
  override func didCancel(_ body: Body) { body.leave(atEnd: false) }

  @usableFromInline var description: String { "Multicast" }
  @usableFromInline var playgroundDescription: Any { description }
  @usableFromInline var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}

extension RelayedSubscription: ReferenceListing {
  package var heldReferences: [HeldReference] { relayReferences }
}

extension RelayedSubscription.Body: ReferenceListing {
  package var heldReferences: [HeldReference] {
    let held = bodyReferences + [.value("downstream", downstream), .value("parent", parent)]
    return counter.map { held + [.value("counter", $0)] } ?? held
  }
}
