public import FanoutCore
public import FanoutEngine

/// The base of the subscriptions with a queue of their own: the subscriber to the only upstream, if
/// there is one.
///
/// It has the methods that a publisher and a subscriber call, once for all operators.
@usableFromInline
package class SubscribedSource<Input, Failure: Error>: DrainedSource, Subscriber,
  DescribedSubscription
{
  /// The upstream, for an operator that has exactly one.
  package final let stage: ReceiverStage<ReceiverBody>
  package final let name: ConstantText

  /// Creates a subscription without an upstream.
  ///
  /// - Parameters:
  ///   - name: The name of the operator.
  ///   - body: The body of the stage, which is released when the upstream has ended or everything
  ///     is released.
  init(name: StaticString, body: ReceiverBody) {
    stage = ReceiverStage(body)
    self.name = ConstantText(name)
    super.init()
  }

  /// Runs when the upstream has been accepted, before the subscriber receives its subscription.
  package func didAttach() {}

  /// Gives the subscriber its subscription and lets deliveries start.
  ///
  /// It is called once; nothing is delivered before.
  package func begin() {}

  /// Accepts the only upstream's subscription, then gives the subscriber this one.
  @usableFromInline
  package func receive(subscription: any Subscription) {
    guard stage.attach(deliverySource(of: subscription), for: self) else { return }
    didAttach()
    begin()
  }

  @usableFromInline
  package func receive(_ input: Input) -> Subscribers.Demand { .none }

  @usableFromInline
  package func receive(completion: Subscribers.Completion<Failure>) {}

  @usableFromInline
  package final func request(_ demand: Subscribers.Demand) { request(demand.credit) }

  package override func disallowDrops() -> Bool { stage.disallowDrops() }

  @usableFromInline package final var description: String { "\(name)" }
}
