public import FanoutEngine

/// Hands what it receives to a subject, as which it is known to the publisher.
@usableFromInline
final class SubjectSubscriber<Downstream: Subject>: DeliverySource, Subscriber, Subscription,
  CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible
{
  @usableFromInline typealias Input = Downstream.Output
  @usableFromInline typealias Failure = Downstream.Failure

  final class Body: ReceiverBody {
    let subject: Downstream

    init(_ subject: Downstream) {
      self.subject = subject
      super.init()
    }
  }

  let stage: ReceiverStage<Body>

  @usableFromInline
  init(_ subject: Downstream) {
    stage = ReceiverStage(Body(subject))
    super.init()
  }

  @usableFromInline func receive(subscription: any Subscription) {
    guard stage.attach(deliverySource(of: subscription), for: self) else { return }
    _ = stage.withBody { $0.subject.send(subscription: self) }
  }

  @usableFromInline func receive(_ input: Input) -> Subscribers.Demand {
    _ = stage.withBody { $0.subject.send(input) }
    return .none
  }

  @usableFromInline func receive(completion: Subscribers.Completion<Failure>) {
    stage.finish(for: self, taking: { $0.subject })?.send(completion: completion)
  }

  @usableFromInline override func request(_ credit: Credit) { stage.request(credit) }

  @usableFromInline func request(_ demand: Subscribers.Demand) { stage.request(demand.credit) }

  /// A subject that lists its upstreams may forget this one.
  @usableFromInline override var isOver: Bool { stage.isClosed }

  @usableFromInline override func cancel(thenRelease receiver: Link?) {
    stage.cancel(for: self)
    receiver?._releaseFromGuard()
  }

  @usableFromInline override func _releaseFromGuard() { stage.release() }

  @usableFromInline var description: String { "Subject" }
  @usableFromInline var playgroundDescription: Any { description }
  @usableFromInline var customMirror: Mirror {
    let subject = stage.withBody { $0.subject }
    let children: [Mirror.Child] = [
      ("downstreamSubject", subject as Any),
      ("upstreamSubscription", stage.withBody { $0.adopted } as Any),
      ("subject", subject as Any),
    ]
    return Mirror(self, children: children)
  }
}

extension SubjectSubscriber: ReferenceListing {
  package var heldReferences: [HeldReference] { stage.heldReferences }
}

extension SubjectSubscriber.Body: ReferenceListing {
  package var heldReferences: [HeldReference] { bodyReferences + [.value("subject", subject)] }
}
