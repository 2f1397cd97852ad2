public import FanoutCore
public import FanoutEngine

/// The subscriber to one of the publishers that an operator combines.
///
/// It is a structure, so that it takes no object of its own where a publisher's subscription stores it.
@frozen @usableFromInline
package struct CombinedSubscriber<Source: CombinedSource, Downstream: Subscriber>: Subscriber {
  @usableFromInline package typealias Input = Source.Value
  @usableFromInline package typealias Failure = Downstream.Failure

  @usableFromInline package let parent: CombinedSubscription<Downstream>
  @usableFromInline package let source: Source

  @inlinable
  init(_ parent: CombinedSubscription<Downstream>, _ source: Source) {
    self.parent = parent
    self.source = source
  }

  @usableFromInline package var combineIdentifier: CombineIdentifier { CombineIdentifier(source) }

  @usableFromInline
  package func receive(subscription: any Subscription) {
    let credit = credit(on: deliverySource(of: subscription))
    // Some publishers treat a request for nothing as an error.
    if credit != .none { source.request(credit) }
  }

  @inlinable
  package func receive(_ input: Input) -> Subscribers.Demand {
    if !source.isClosed { parent.accept(input, from: source) }
    return .none
  }

  /// Accepts the source without receiving a subscription.
  @inlinable
  package func _fuse(_ upstream: DeliverySource) -> Credit? { credit(on: upstream) }

  /// Accepts the source, and returns what to request from it.
  @inlinable
  func credit(on upstream: DeliverySource) -> Credit {
    source.attach(upstream) ? parent.didAttach(source) : .none
  }

  @inlinable
  package func receive(completion: Subscribers.Completion<Failure>) {
    guard source.finish() else { return }
    if case .failure = completion { parent.fail(completion) } else { parent.didFinish(source) }
  }
}

/// The subscriber to a publisher whose completion means nothing to the operator.
@frozen @usableFromInline
package struct TriggerSubscriber<
  Source: CombinedSource, Failure: Error, Downstream: Subscriber
>: Subscriber {
  @usableFromInline package typealias Input = Source.Value

  @usableFromInline package let base: CombinedSubscriber<Source, Downstream>

  @inlinable
  init(_ parent: CombinedSubscription<Downstream>, _ source: Source) {
    base = CombinedSubscriber(parent, source)
  }

  @usableFromInline package var combineIdentifier: CombineIdentifier { base.combineIdentifier }

  @usableFromInline
  package func receive(subscription: any Subscription) { base.receive(subscription: subscription) }

  @inlinable
  package func receive(_ input: Input) -> Subscribers.Demand { base.receive(input) }

  @inlinable
  package func _fuse(_ upstream: DeliverySource) -> Credit? { base._fuse(upstream) }

  @inlinable
  package func receive(completion: Subscribers.Completion<Failure>) { _ = base.source.finish() }
}

@available(*, unavailable)
extension CombinedSubscriber: Sendable {}

@available(*, unavailable)
extension TriggerSubscriber: Sendable {}
