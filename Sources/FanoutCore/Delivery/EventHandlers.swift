/// The observer that calls closures, for `handleEvents`.
@usableFromInline
package struct EventHandlers<Input, Failure: Error>: DeliveryObserver {
  let receiveSubscription: (@Sendable (any Subscription) -> Void)?
  let receiveOutput: (@Sendable (Input) -> Void)?
  let receiveCompletion: (@Sendable (Subscribers.Completion<Failure>) -> Void)?
  let receiveCancel: (@Sendable () -> Void)?
  let receiveRequest: (@Sendable (Subscribers.Demand) -> Void)?

  @usableFromInline package static var name: StaticString { "HandleEvents" }

  @usableFromInline package var observesDemand: Bool {
    receiveSubscription != nil || receiveRequest != nil
  }

  @usableFromInline
  package func observe(subscription: any Subscription) { receiveSubscription?(subscription) }

  @usableFromInline
  package func observe(demand: Subscribers.Demand, isReturned: Bool) { receiveRequest?(demand) }

  @usableFromInline
  @inline(__always)
  package func observe(value: Input) { receiveOutput?(value) }

  @usableFromInline
  package func observe(completion: Subscribers.Completion<Failure>) {
    receiveCompletion?(completion)
  }

  @usableFromInline
  package func observeCancel() { receiveCancel?() }
}
