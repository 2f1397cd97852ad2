public import FanoutCore
public import FanoutEngine

/// The subscriber to one of the publishers that are combined.
///
/// It is a structure, so that it takes no object of its own where a publisher's subscription stores it.
@usableFromInline
package struct CombinedSubscriber<Input, Output, Failure: Error>: Subscriber {
  package let parent: CombinedSubscription<Output, Failure>
  package let source: CombinedValues<Input>

  @usableFromInline package var combineIdentifier: CombineIdentifier { CombineIdentifier(source) }

  @usableFromInline
  package func receive(subscription: any Subscription) {
    let credit = credit(on: deliverySource(of: subscription))
    // Some publishers treat a request for nothing as an error.
    if credit != .none { source.request(credit) }
  }

  @usableFromInline
  package func receive(_ input: Input) -> Subscribers.Demand {
    if !source.isClosed { parent.accept(input, from: source) }
    return .none
  }

  /// Accepts the source without receiving a subscription.
  @usableFromInline
  package func _fuse(_ upstream: DeliverySource) -> Credit? { credit(on: upstream) }

  /// Accepts the source; returns what to request from it.
  private func credit(on upstream: DeliverySource) -> Credit {
    source.attach(upstream) ? parent.didAttach(source) : .none
  }

  @usableFromInline
  package func receive(completion: Subscribers.Completion<Failure>) {
    guard source.finish() else { return }
    if case .failure = completion { parent.fail(completion) } else { parent.didFinish(source) }
  }
}

/// The subscriber to a publisher whose completion means nothing to the others.
@usableFromInline
package struct TriggerSubscriber<Input, Failure: Error, Output, ParentFailure: Error>: Subscriber {
  package let base: CombinedSubscriber<Input, Output, ParentFailure>

  @usableFromInline package var combineIdentifier: CombineIdentifier { base.combineIdentifier }

  @usableFromInline
  package func receive(subscription: any Subscription) { base.receive(subscription: subscription) }

  @usableFromInline
  package func receive(_ input: Input) -> Subscribers.Demand { base.receive(input) }

  @usableFromInline
  package func _fuse(_ upstream: DeliverySource) -> Credit? { base._fuse(upstream) }

  @usableFromInline
  package func receive(completion: Subscribers.Completion<Failure>) { _ = base.source.finish() }
}

@available(*, unavailable)
extension CombinedSubscriber: Sendable {}

@available(*, unavailable)
extension TriggerSubscriber: Sendable {}
