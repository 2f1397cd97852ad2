package import FanoutEngine
internal import Synchronization

/// The subscription of a subscriber that gets its values from another subscription, and not from a
/// hub of Fanout's; it reports when the subscriber leaves.
///
/// It gives itself to the subscriber as the subscription and forwards everything else. At a cancel
/// and at the completion it releases the subscriber and the publisher.
@usableFromInline
package final class RelayedSubscription<Downstream: Subscriber>: PassingSubscription<
  RelayedSubscription<Downstream>.Body, Downstream
>, Subscriber
{
  @usableFromInline package final class Body: OperatorBody<Downstream> {
    package let parent: AnyObject
    package let counter: SubscriberCounter?
    package let hasLeft = AtomicValue<Bool>(false)

    init(downstream: Downstream, parent: AnyObject, counter: SubscriberCounter?) {
      self.parent = parent
      self.counter = counter
      super.init(downstream: downstream)
    }

    /// Counts the subscriber out, once: a cancel and the completion may both arrive.
    package func leave(atEnd: Bool) {
      guard let counter, !hasLeft.exchange(true, ordering: .acquiringAndReleasing) else { return }
      counter.leave(atEnd: atEnd)
    }
  }

  @usableFromInline
  package init(downstream: Downstream, parent: AnyObject, counter: SubscriberCounter? = nil) {
    super.init(
      Body(downstream: downstream, parent: parent, counter: counter), name: "Multicast")
  }

  @usableFromInline
  package override func receive(completion: Subscribers.Completion<Downstream.Failure>) {
    beginIfEarly()
    let downstream = finish { body in
      body.leave(atEnd: true)
      return body.downstream
    }
    downstream?.receive(completion: completion)
  }

  package override func didCancel(_ body: Body) { body.leave(atEnd: false) }
}
