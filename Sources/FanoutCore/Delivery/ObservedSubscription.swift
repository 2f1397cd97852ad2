package import FanoutEngine
internal import Synchronization

/// The subscription of every operator that calls closures with what passes, and changes nothing.
///
/// They see a cancel once, and nothing after it.
@usableFromInline
package final class ObservedSubscription<Operator: Publisher, Downstream: Subscriber>:
  OperatorSubscription<StepBody<EventHandlers<Operator>, Void, Downstream>, Downstream>, Subscriber
where Downstream.Input == Operator.Output, Downstream.Failure == Operator.Failure {
  typealias Body = StepBody<EventHandlers<Operator>, Void, Downstream>

  let hasCancelled = AtomicValue<Bool>(false)
  let observesDemand: Bool

  @usableFromInline
  init(_ handlers: EventHandlers<Operator>, name: StaticString, downstream: Downstream) {
    observesDemand = handlers.observesDemand
    super.init(Body(handlers, (), downstream: downstream), name: name)
  }

  /// Whether a cancel has begun; the body is released after the closure for a cancel was called.
  var isCancelling: Bool { hasCancelled.load(ordering: .acquiring) }

  /// Runs a closure with the handlers, unless the subscription is over.
  func observe(_ tell: (EventHandlers<Operator>) -> Void) {
    _ = stage.withBody { if !isCancelling { tell($0.step) } }
  }

  /// False if the handlers have to see the demand: a fused subscriber receives no subscription and
  /// makes no request.
  package override var passesGuard: Bool { !observesDemand }

  package override func willHandOn(_ subscription: any Subscription) {
    observe { $0.receiveSubscription?(subscription) }
  }

  package override func request(_ credit: Credit) {
    guard credit != .none else { return }
    observe { $0.receiveRequest?(credit.demand, false) }
    stage.request(credit)
  }

  package override func willCancel() {
    guard !hasCancelled.exchange(true, ordering: .acquiringAndReleasing) else { return }
    _ = stage.withBody { $0.step.receiveCancel?() }
  }

  @usableFromInline
  package func receive(_ input: Downstream.Input) -> Subscribers.Demand {
    // Not by the stage: the type of its body would be looked up.
    stage.reference.withObject { body in
      Unmanaged<Body>.fromOpaque(Unmanaged.passUnretained(body).toOpaque())
        ._withUnsafeGuaranteedRef { pass(input, $0, isGuarded: false) }
    } ?? .none
  }

  @usableFromInline
  @inline(__always)
  package func _receiveFused(_ input: Downstream.Input) -> Subscribers.Demand {
    stage.deliver {
      pass(input, $0, isGuarded: true)
    } otherwise: {
      receive(input)
    }
  }

  @inline(__always)
  func pass(_ input: Downstream.Input, _ body: Body, isGuarded: Bool) -> Subscribers.Demand {
    guard !isCancelling else { return .none }
    body.step.receiveOutput?(input)
    // The closure may have cancelled.
    guard !stage.isClosed, !isCancelling else { return .none }
    let demand = body.downstream.receive(input, isGuarded: isGuarded)
    if demand != .none, !stage.isClosed, !isCancelling {
      body.step.receiveRequest?(demand, true)
    }
    return demand
  }

  @usableFromInline
  package override func receive(completion: Subscribers.Completion<Downstream.Failure>) {
    beginIfEarly()
    observe { $0.receiveCompletion?(completion) }
    if !isCancelling { end(completion) }
  }
}
