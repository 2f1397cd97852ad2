public import FanoutEngine

/// A step of an operator that delivers one value, its result, and finishes.
///
/// The value of ``StepResult/last(_:)`` is the result. Other values only change the state.
@usableFromInline
package protocol FinalStep: ValueStep where UpstreamFailure == Failure {
  /// The result when the upstream has finished, or nil if there is none.
  func result(_ state: State) -> Output?
}

/// The subscription of every operator that is a ``FinalStep``.
///
/// It requests everything from the upstream, and holds the result until the subscriber requests it.
@usableFromInline
package final class FinalStepSubscription<Step: FinalStep, Downstream: Subscriber>:
  FinalValueSubscription<StepBody<Step, Step.State, Downstream>, Downstream>, Subscriber
where Downstream.Input == Step.Output, Downstream.Failure == Step.Failure {
  @usableFromInline package typealias Failure = Step.UpstreamFailure

  @inlinable
  init(_ step: Step, _ state: Step.State, downstream: Downstream) {
    super.init(StepBody(step, state, downstream: downstream), name: Step.name)
  }

  @usableFromInline
  package override func didReceiveSubscription() { stage.request(.unlimited) }

  @inlinable
  package func receive(_ input: Step.Input) -> Subscribers.Demand {
    var result: Step.Output?
    _ = stage.withBody { body in
      if case .last(let last) = body.step(input) { result = last }
    }
    if let result { endEarly(with: result) }
    return .none
  }

  /// Releases the upstream, and holds the result until the subscriber requests it.
  @usableFromInline
  func endEarly(with result: Step.Output) {
    if let downstream = finishEarly() { offer(result, to: downstream) }
  }

  @usableFromInline
  package override func receive(completion: Subscribers.Completion<Downstream.Failure>) {
    guard case .finished = completion else { return end(completion) }
    guard let (downstream, result) = finish(taking: { ($0.downstream, $0.step.result($0.state)) })
    else { return }
    if let result {
      offer(result, to: downstream)
    } else {
      downstream.receive(completion: .finished)
    }
  }
}
