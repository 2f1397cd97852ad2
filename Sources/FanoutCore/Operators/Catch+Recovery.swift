public import FanoutEngine

extension Publishers.Catch {
  /// Receives from the publisher that is gone on with.
  @usableFromInline
  final class Recovery<Downstream: Subscriber>: Link, Subscriber
  where Downstream.Input == Upstream.Output, Downstream.Failure == NewPublisher.Failure {
    @usableFromInline typealias Input = Upstream.Output
    @usableFromInline typealias Failure = NewPublisher.Failure

    @usableFromInline
    final class Body: OperatorBody<Downstream> {
      @usableFromInline
      override init(downstream: Downstream) {
        super.init(downstream: downstream)
      }
    }

    /// What to do with a request.
    struct Asking {
      /// What was asked for before there was anybody to ask.
      var early = Credit.none
      var hasSource = false
    }

    @usableFromInline let stage: ReceiverStage<Body>
    let asking = Lock(Asking())

    init(_ downstream: Downstream) {
      stage = ReceiverStage(Body(downstream: downstream))
      super.init(isPart: true)
    }

    @usableFromInline
    func request(_ credit: Credit) {
      let isNow = asking.withLock { asking in
        if !asking.hasSource { asking.early = asking.early + credit }
        return asking.hasSource
      }
      if isNow, credit != .none { stage.request(credit) }
    }

    @usableFromInline
    func receive(subscription: any Subscription) {
      guard stage.attach(deliverySource(of: subscription), for: self) else { return }
      let early = asking.withLock { asking in
        asking.hasSource = true
        return asking.early
      }
      if early != .none { stage.request(early) }
    }

    @inlinable
    func receive(_ input: Input) -> Subscribers.Demand {
      stage.withBody { $0.downstream.receive(input) } ?? .none
    }

    @usableFromInline
    func receive(completion: Subscribers.Completion<Failure>) {
      stage.finish(for: self, taking: { $0.downstream })?.receive(completion: completion)
    }

    @usableFromInline
    override func cancel() { stage.cancel(for: self) }

    @usableFromInline
    override func _releaseFromGuard() { stage.release() }
  }
}

extension Publishers.Catch.Recovery: ReferenceListing {
  package var heldReferences: [HeldReference] { stage.heldReferences }
}

@available(*, unavailable)
extension Publishers.Catch.Recovery.Asking: Sendable {}

@available(*, unavailable)
extension Publishers.Catch.Recovery: Sendable {}
