package import FanoutEngine
internal import Synchronization

/// The part that an operator such as `handleEvents` or `print` adds: it observes everything that
/// passes, and changes nothing.
@usableFromInline
package protocol DeliveryObserver: Sendable {
  /// The values that pass.
  associatedtype Input
  /// The failure that passes.
  associatedtype Failure: Error

  /// The operator's description.
  static var name: StaticString { get }

  /// Whether it has to see the subscription and the requests.
  var observesDemand: Bool { get }

  /// Observes the upstream's subscription, before the subscriber receives its own.
  func observe(subscription: any Subscription)
  /// Observes a demand: a request on its way up, or what the subscriber returned for a value.
  func observe(demand: Subscribers.Demand, isReturned: Bool)
  /// Observes a value, before the subscriber receives it.
  func observe(value: Input)
  /// Observes the completion, before the subscriber receives it.
  func observe(completion: Subscribers.Completion<Failure>)
  /// Observes the first cancel, unless the completion came before it.
  func observeCancel()
}

/// The subscription of every operator that is a ``DeliveryObserver``.
///
/// The observer sees a cancel once, and nothing after it.
@usableFromInline
package final class ObservedSubscription<Observer: DeliveryObserver, Downstream: Subscriber>:
  OperatorSubscription<StepBody<Observer, Void, Downstream>, Downstream>, Subscriber
where Downstream.Input == Observer.Input, Downstream.Failure == Observer.Failure {
  @usableFromInline package typealias Input = Observer.Input
  @usableFromInline package typealias Failure = Observer.Failure
  typealias Body = StepBody<Observer, Void, Downstream>

  let hasCancelled = AtomicValue<Bool>(false)
  let observesDemand: Bool

  @usableFromInline
  init(_ observer: Observer, downstream: Downstream) {
    observesDemand = observer.observesDemand
    super.init(Body(observer, (), downstream: downstream), name: Observer.name)
  }

  /// Whether a cancel has begun; the body is released after the observer has seen the cancel.
  var isCancelling: Bool { hasCancelled.load(ordering: .acquiring) }

  /// Runs a closure with the observer, unless the subscription is over.
  func observe(_ tell: (Observer) -> Void) {
    _ = stage.withBody { if !isCancelling { tell($0.step) } }
  }

  /// False if the observer has to see the demand: a fused subscriber receives no subscription and
  /// makes no request.
  package override var passesGuard: Bool { !observesDemand }

  package override func willHandOn(_ subscription: any Subscription) {
    observe { $0.observe(subscription: subscription) }
  }

  package override func request(_ credit: Credit) {
    guard credit != .none else { return }
    observe { $0.observe(demand: credit.demand, isReturned: false) }
    stage.request(credit)
  }

  package override func willCancel() {
    guard !hasCancelled.exchange(true, ordering: .acquiringAndReleasing) else { return }
    _ = stage.withBody { $0.step.observeCancel() }
  }

  @usableFromInline
  package func receive(_ input: Input) -> Subscribers.Demand {
    stage.withBody { pass(input, $0, isGuarded: false) } ?? .none
  }

  @usableFromInline
  @inline(__always)
  package func _receiveFused(_ input: Input) -> Subscribers.Demand {
    stage.deliver {
      pass(input, $0, isGuarded: true)
    } otherwise: {
      receive(input)
    }
  }

  @inline(__always)
  func pass(_ input: Input, _ body: Body, isGuarded: Bool) -> Subscribers.Demand {
    guard !isCancelling else { return .none }
    body.step.observe(value: input)
    // The observer may have cancelled.
    guard !stage.isClosed, !isCancelling else { return .none }
    let demand = body.downstream.receive(input, isGuarded: isGuarded)
    if demand != .none, !stage.isClosed, !isCancelling {
      body.step.observe(demand: demand, isReturned: true)
    }
    return demand
  }

  @usableFromInline
  package override func receive(completion: Subscribers.Completion<Downstream.Failure>) {
    beginIfEarly()
    observe { $0.observe(completion: completion) }
    if !isCancelling { end(completion) }
  }
}
