public import FanoutEngine
public import Synchronization

/// The subscription of a subscriber that gets its values from another subscription, and not from a hub of Fanout's;
/// it reports when the subscriber leaves.
///
/// It gives itself to the subscriber as the subscription and forwards everything else. At a cancel
/// and at the completion it releases the subscriber and the publisher.
@usableFromInline
package final class RelayedSubscription<Downstream: Subscriber>: RelayedSource<
  RelayedSubscription<Downstream>.Body
>, Subscriber, DescribedSubscription
{
  @_fixed_layout
  @usableFromInline package final class Body: ReceiverBody {
    @usableFromInline package let downstream: Downstream
    package let parent: AnyObject
    package let counter: SubscriberCounter?
    package let hasLeft = AtomicValue<Bool>(false)

    init(downstream: Downstream, parent: AnyObject, counter: SubscriberCounter?) {
      self.downstream = downstream
      self.parent = parent
      self.counter = counter
      super.init()
    }

    /// Counts the subscriber out, once: a cancel and the completion may both arrive.
    package func leave(atEnd: Bool) {
      guard let counter, !hasLeft.exchange(true, ordering: .acquiringAndReleasing) else { return }
      counter.leave(atEnd: atEnd)
    }
  }

  @usableFromInline package typealias Input = Downstream.Input
  @usableFromInline package typealias Failure = Downstream.Failure

  @usableFromInline
  package init(downstream: Downstream, parent: AnyObject, counter: SubscriberCounter? = nil) {
    super.init(Body(downstream: downstream, parent: parent, counter: counter))
  }

  @usableFromInline
  package func receive(subscription: any Subscription) {
    if attach(deliverySource(of: subscription)) { handOn() }
  }

  private func handOn() { _ = stage.withBody { $0.downstream.receive(subscription: self) } }

  @inlinable
  package func receive(_ input: Input) -> Subscribers.Demand {
    stage.withBody { $0.downstream.receive(input) } ?? .none
  }

  @inlinable
  @inline(__always)
  package func _receiveFused(_ input: Input) -> Subscribers.Demand {
    stage.deliver {
      $0.downstream._receiveFused(input)
    } otherwise: {
      receive(input)
    }
  }

  @inlinable
  package func _fuse(_ source: DeliverySource) -> Credit? {
    guard stage.adoptGuard(source) else { return nil }
    return stage.withBody { $0.downstream._fuse(self) } ?? nil
  }

  @usableFromInline
  package func receive(completion: Subscribers.Completion<Failure>) {
    if stage.noteEarlyEnd() { handOn() }
    let downstream = finish { body in
      body.leave(atEnd: true)
      return body.downstream
    }
    downstream?.receive(completion: completion)
  }

  @usableFromInline
  package func request(_ demand: Subscribers.Demand) { request(demand.credit) }

  package override func didCancel(_ body: Body) { body.leave(atEnd: false) }

  @usableFromInline package var description: String { "Multicast" }
}
