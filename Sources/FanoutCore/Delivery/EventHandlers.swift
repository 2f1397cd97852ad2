/// The observer that calls closures, for `handleEvents`.
@usableFromInline
package struct EventHandlers<Input, Failure: Error>: DeliveryObserver {
  @usableFromInline let receiveSubscription: (@Sendable (any Subscription) -> Void)?
  @usableFromInline let receiveOutput: (@Sendable (Input) -> Void)?
  @usableFromInline let receiveCompletion: (@Sendable (Subscribers.Completion<Failure>) -> Void)?
  @usableFromInline let receiveCancel: (@Sendable () -> Void)?
  @usableFromInline let receiveRequest: (@Sendable (Subscribers.Demand) -> Void)?

  @inlinable package static var name: StaticString { "HandleEvents" }

  @usableFromInline package var observesDemand: Bool {
    receiveSubscription != nil || receiveRequest != nil
  }

  @usableFromInline
  package func observe(subscription: any Subscription) { receiveSubscription?(subscription) }

  @inlinable
  package func observe(demand: Subscribers.Demand, isReturned: Bool) { receiveRequest?(demand) }

  @inlinable
  @inline(__always)
  package func observe(value: Input) { receiveOutput?(value) }

  @usableFromInline
  package func observe(completion: Subscribers.Completion<Failure>) {
    receiveCompletion?(completion)
  }

  @usableFromInline
  package func observeCancel() { receiveCancel?() }
}
