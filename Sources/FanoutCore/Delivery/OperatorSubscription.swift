public import FanoutEngine

/// What every operator shares: it hands its subscriber itself as the subscription, passes requests
/// and cancels up, and lets go of its body at cancel and at the completion.
///
/// Operators call `receive(subscriber:)` of their upstream and not `subscribe(_:)`: if every stage
/// went through that one function, the optimiser would take a chain of stages for an endless
/// recursion and leave it unspecialised, which costs fifty times as much a value.
@usableFromInline
class OperatorSubscription<Body: OperatorBody<Downstream>, Downstream: Subscriber>: RelayedSource<
  Body
>, Subscription, CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible,
ReferenceListing
{
  /// Its own name, or nil if it shows its upstream's.
  @usableFromInline let name: StaticString?

  @usableFromInline
  init(_ body: Body, name: StaticString?) {
    self.name = name
    super.init(body)
  }

  /// Accepts the upstream's subscription and hands this one on.
  @usableFromInline
  final func receive(subscription: any Subscription) {
    guard attach(source(of: subscription)) else { return }
    willHandOn(subscription)
    _ = stage.withBody { $0.downstream.receive(subscription: self) }
    didReceiveSubscription()
  }

  /// Called with the upstream's subscription before the subscriber is told of this one.
  @usableFromInline
  func willHandOn(_ subscription: any Subscription) {}

  /// What is asked for more and cancelled as the upstream.
  @usableFromInline
  func source(of subscription: any Subscription) -> DeliverySource {
    deliverySource(of: subscription)
  }

  /// Called when the subscriber has been told.
  @usableFromInline
  func didReceiveSubscription() {}

  /// What is asked for at the start, besides what an adopted subscriber asks for.
  @usableFromInline var creditOfItsOwn: Credit { .none }

  /// Whether a value is passed on within the upstream's delivery of it, and at no other time.
  @usableFromInline var passesGuard: Bool { true }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Downstream.Failure>) { end(completion) }

  /// Ends with the upstream: lets go of everything, then tells the subscriber.
  @usableFromInline
  final func end(_ completion: Subscribers.Completion<Downstream.Failure>) {
    finish(taking: { $0.downstream })?.receive(completion: completion)
  }

  /// Ends before the upstream does, which is cancelled.
  @usableFromInline
  final func endEarly(_ completion: Subscribers.Completion<Downstream.Failure>) {
    let downstream = finish { body in
      body.adopted?.cancel()
      return body.downstream
    }
    downstream?.receive(completion: completion)
  }

  @usableFromInline
  final func request(_ demand: Subscribers.Demand) { request(demand.credit) }

  package var heldReferences: [HeldReference] { relayReferences }

  @usableFromInline final var description: String {
    if let name { return "\(name)" }
    let upstream = stage.withBody { $0.adopted } ?? nil
    return upstream.map { String(describing: $0) } ?? "Empty"
  }
  @usableFromInline final var playgroundDescription: Any { description }
  @usableFromInline final var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}

/// The part of an operator that is let go of as a whole: its subscriber, closures and state.
@usableFromInline
class OperatorBody<Downstream: Subscriber>: ReceiverBody, ReferenceListing {
  @usableFromInline let downstream: Downstream

  @inlinable
  init(downstream: Downstream) {
    self.downstream = downstream
    super.init()
  }

  package var heldReferences: [HeldReference] {
    bodyReferences + [.value("downstream", downstream)]
  }
}

extension OperatorSubscription {
  /// Adopts a source that guards the deliveries, and has the subscriber adopt this one.
  ///
  /// Returns what the subscriber asks for at the start, or nil if it has to be told of its
  /// subscription.
  @inlinable
  final func _adopt(_ source: DeliverySource) -> Credit? {
    guard passesGuard, stage.adoptGuard(source) else { return nil }
    let credit = stage.withBody { $0.downstream._adopt(self) } ?? nil
    return credit.map { $0 + creditOfItsOwn }
  }
}
