// Invariant: the state of the body is reached only inside `receive(_:)` and at the end, which a publisher
// never calls at the same time.

public import FanoutEngine

/// A step of an operator that may deliver one more value when the upstream has finished.
///
/// ``StepResult/value(_:)`` is a value that passes. Other results only change the state, and another value is
/// not requested in the place of one that is left out.
@usableFromInline
package protocol TrailingStep: ValueStep {
  /// Returns the demand for the upstream that a demand of the subscriber's leads to.
  func upstreamDemand(for demand: Subscribers.Demand) -> Subscribers.Demand

  /// The value that follows the others when the upstream has finished, or nil if there is none.
  func trailing(_ state: State) -> Output?
}

extension TrailingStep {
  @usableFromInline
  package func upstreamDemand(for demand: Subscribers.Demand) -> Subscribers.Demand { demand }
}

/// The subscription of every operator that is a ``TrailingStep``.
///
/// It passes demand up, and holds the last value until the subscriber requests it.
@_fixed_layout
@usableFromInline
package final class TrailingStepSubscription<Step: TrailingStep, Downstream: Subscriber>:
  FinalValueSubscription<StepBody<Step, Step.State, Downstream>, Downstream>, Subscriber
where Downstream.Input == Step.Output, Downstream.Failure == Step.Failure {
  @usableFromInline package typealias Failure = Step.UpstreamFailure

  /// The credit that no value has used; the last value needs one of it.
  let outstanding = OutstandingCredit()

  @usableFromInline
  package init(_ step: Step, _ state: Step.State, downstream: Downstream) {
    super.init(StepBody(step, state, downstream: downstream), name: Step.name)
  }

  package override func didRequest(_ credit: Credit) {
    guard outstanding.add(credit) else { return ask() }
    let demand = stage.withBody { $0.step.upstreamDemand(for: credit.demand) }
    if let demand { stage.request(demand.credit) }
  }

  @usableFromInline
  package func receive(_ input: Step.Input) -> Subscribers.Demand {
    stage.withBody { body in
      // What the step releases may have cancelled.
      guard case .value(let output) = body.step(input), !stage.isClosed else { return .none }
      let more = outstanding.deliver(output, to: body.downstream) { _ in ask() }
      return body.step.upstreamDemand(for: more)
    } ?? .none
  }

  @usableFromInline
  package func receive(completion: Subscribers.Completion<Step.UpstreamFailure>) {
    beginIfEarly()
    if case .failure(let error) = completion {
      if let failure = stage.withBody({ $0.step.failure(error) }) { end(.failure(failure)) }
      return
    }
    guard let (downstream, last) = finish(taking: { ($0.downstream, $0.step.trailing($0.state)) })
    else { return }
    if let last {
      offer(last, to: downstream, isRequested: outstanding.close() != .none)
    } else {
      downstream.receive(completion: .finished)
    }
  }
}
