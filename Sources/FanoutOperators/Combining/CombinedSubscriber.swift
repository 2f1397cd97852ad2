public import FanoutCore
public import FanoutEngine

/// The subscriber to one of the publishers that are combined.
///
/// It is a structure, so that it takes no object of its own where a publisher's subscription stores
/// it.
@usableFromInline
package struct CombinedSubscriber<Input, Failure: Error, Output, ParentFailure: Error>: Subscriber {
  package let parent: CombinedSubscription<Output, ParentFailure>
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
    guard source.finish(), !source.endsUnnoticed else { return }
    switch completion {
    case .finished: parent.didFinish(source)
    case .failure(let error):
      // Another type of failure has only a publisher whose end goes unnoticed.
      if let error = error as? ParentFailure { parent.fail(.failure(error)) }
    }
  }
}
