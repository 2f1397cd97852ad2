/// The closures that an operator such as `handleEvents` or `print` calls with everything that passes it.
@usableFromInline
package struct EventHandlers<Operator: Publisher>: Sendable {
  /// Called with the upstream's subscription, before the subscriber receives its own.
  var receiveSubscription: (@Sendable (any Subscription) -> Void)?
  /// Called with a value, before the subscriber receives it.
  var receiveOutput: (@Sendable (Operator.Output) -> Void)?
  /// Called with the completion, before the subscriber receives it.
  var receiveCompletion: (@Sendable (Subscribers.Completion<Operator.Failure>) -> Void)?
  /// Called with the first cancel, unless the completion came before it.
  var receiveCancel: (@Sendable () -> Void)?
  /// Called with a demand: a request on its way up, or what the subscriber returned for a value.
  var receiveRequest: (@Sendable (Subscribers.Demand, _ isReturned: Bool) -> Void)?

  /// Whether they have to see the subscription and the requests.
  var observesDemand: Bool { receiveSubscription != nil || receiveRequest != nil }
}
