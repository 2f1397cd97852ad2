/// The reactions of an operator such as `handleEvents` or `print` to everything that passes it.
package protocol EventHandlers: Sendable {
  /// The operator's publisher.
  associatedtype Operator: Publisher

  /// Whether they have to see the subscription and the requests.
  var observesDemand: Bool { get }

  /// Called with the upstream's subscription, before the subscriber receives its own.
  func received(subscription: any Subscription)

  /// Called with a value, before the subscriber receives it.
  func received(output: Operator.Output)

  /// Called with the completion, before the subscriber receives it.
  func received(completion: Subscribers.Completion<Operator.Failure>)

  /// Called with the first cancel, unless the completion came before it.
  func receivedCancel()

  /// Called with a demand: a request on its way up, or what the subscriber returned for a value.
  func received(request demand: Subscribers.Demand, isReturned: Bool)
}
