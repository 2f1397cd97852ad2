// Unmanaged reference: invariant: the body of the stage is the one that the initialiser of
// `HandlingSubscription` made.

package import FanoutEngine
internal import Synchronization

/// The subscription of every operator that calls closures with what passes, and changes nothing;
/// see `HandlingSubscription`.
@usableFromInline
package class ObservedSubscription<Operator: Publisher, Downstream: Subscriber>:
  OperatorSubscription<OperatorBody<Downstream>, Downstream>, Subscriber
where Downstream.Input == Operator.Output, Downstream.Failure == Operator.Failure {
  @usableFromInline
  package func receive(_ input: Downstream.Input) -> Subscribers.Demand { .none }

  @usableFromInline
  package func _receiveFused(_ input: Downstream.Input) -> Subscribers.Demand { .none }

  @usableFromInline
  package override func receive(completion: Subscribers.Completion<Downstream.Failure>) {}
}

/// The subscription with what it does.
///
/// The handlers see a cancel once, and nothing after it.
package class HandlingSubscription<Handlers: EventHandlers, Downstream: Subscriber>:
  ObservedSubscription<Handlers.Operator, Downstream>
where
  Downstream.Input == Handlers.Operator.Output, Downstream.Failure == Handlers.Operator.Failure
{
  typealias Body = StepBody<Handlers, Void, Downstream>

  final let hasCancelled = AtomicValue<Bool>(false)
  final let observesDemand: Bool

  init(_ handlers: Handlers, name: StaticString, downstream: Downstream) {
    observesDemand = handlers.observesDemand
    super.init(Body(handlers, (), downstream: downstream), name: name)
  }

  /// Whether a cancel has begun; the body is released after the handler of a cancel was called.
  @inline(__always)
  final var isCancelling: Bool { hasCancelled.load(ordering: .acquiring) }

  /// Runs a closure with the body; its type would be looked up if the stage knew it.
  @inline(__always)
  final func with<Result>(_ body: AnyObject, _ run: (Body) -> Result) -> Result {
    Unmanaged<Body>.fromOpaque(Unmanaged.passUnretained(body).toOpaque())
      ._withUnsafeGuaranteedRef(run)
  }

  /// Runs a closure with the handlers, unless the subscription is over.
  final func observe(_ tell: (Handlers) -> Void) {
    _ = stage.withBody { if !isCancelling { with($0) { tell($0.step) } } }
  }

  /// False if the handlers have to see the demand: a fused subscriber receives no subscription and
  /// makes no request.
  package final override var passesGuard: Bool { !observesDemand }

  package final override func willHandOn(_ subscription: any Subscription) {
    observe { $0.received(subscription: subscription) }
  }

  package final override func request(_ credit: Credit) {
    guard credit != .none else { return }
    observe { $0.received(request: credit.demand, isReturned: false) }
    stage.request(credit)
  }

  package final override func willCancel() {
    guard !hasCancelled.exchange(true, ordering: .acquiringAndReleasing) else { return }
    _ = stage.withBody { with($0) { $0.step.receivedCancel() } }
  }

  package final override func receive(_ input: Downstream.Input) -> Subscribers.Demand {
    // Not by the stage: the type of its body would be looked up.
    stage.reference.withObject { with($0) { pass(input, $0, isGuarded: false) } } ?? .none
  }

  package override func _receiveFused(_ input: Downstream.Input) -> Subscribers.Demand {
    stage.deliver {
      with($0) { pass(input, $0, isGuarded: true) }
    } otherwise: {
      receive(input)
    }
  }

  @inline(__always)
  final func pass(_ input: Downstream.Input, _ body: Body, isGuarded: Bool) -> Subscribers.Demand {
    guard !isCancelling else { return .none }
    body.step.received(output: input)
    // The handler may have cancelled.
    guard !stage.isClosed, !isCancelling else { return .none }
    let demand = body.downstream.receive(input, isGuarded: isGuarded)
    if demand != .none, !stage.isClosed, !isCancelling {
      body.step.received(request: demand, isReturned: true)
    }
    return demand
  }

  package final override func receive(completion: Subscribers.Completion<Downstream.Failure>) {
    beginIfEarly()
    observe { $0.received(completion: completion) }
    if !isCancelling { end(completion) }
  }
}
