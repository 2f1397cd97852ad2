package import FanoutEngine

/// A subscriber that sends everything it receives into a subject.
///
/// The publisher sees it under the subject's name.
package final class SubjectSubscriber<Downstream: Subject>: DeliverySource, Subscriber,
  DescribedSubscription
{
  package typealias Input = Downstream.Output
  package typealias Failure = Downstream.Failure

  package final class Body: ReceiverBody {
    package let subject: Downstream

    init(_ subject: Downstream) {
      self.subject = subject
      super.init()
    }
  }

  package let stage: ReceiverStage<Body>

  package init(_ subject: Downstream) {
    stage = ReceiverStage(Body(subject))
    super.init()
  }

  package func receive(subscription: any Subscription) {
    guard stage.attach(deliverySource(of: subscription), for: self) else { return }
    _ = stage.withBody { $0.subject.send(subscription: self) }
  }

  package func receive(_ input: Input) -> Subscribers.Demand {
    _ = stage.withBody { $0.subject.send(input) }
    return .none
  }

  package func receive(completion: Subscribers.Completion<Failure>) {
    stage.finish(for: self, taking: { $0.subject })?.send(completion: completion)
  }

  package override func request(_ credit: Credit) { stage.request(credit) }

  package func request(_ demand: Subscribers.Demand) {
    stage.request(demand.credit)
  }

  /// Whether the subject may remove this subscription from its list of upstreams.
  package override var isOver: Bool { stage.isClosed }

  package override func cancel(thenRelease receiver: ChainNode?) {
    stage.cancel(for: self)
    receiver?._sourceDidQuiesce()
  }

  package override func _sourceDidQuiesce() { stage.release() }

  package var description: String { "Subject" }
  package var customMirror: Mirror {
    let subject = stage.withBody { $0.subject }
    let children: [Mirror.Child] = [
      ("downstreamSubject", subject as Any),
      ("upstreamSubscription", stage.withBody { $0.adopted } as Any),
      ("subject", subject as Any),
    ]
    return Mirror(self, children: children)
  }
}
