internal import FanoutEngine

/// A step of an operator that delivers one value, its result, and finishes.
///
/// The value of ``StepResult/last(_:)`` is the result, and ``StepResult/failure(_:)`` ends without one. Other
/// values only change the state.
@usableFromInline
package protocol FinalStep: ValueStep {
  /// Returns the result when the upstream has finished, or nil if there is none.
  ///
  /// By default that is the state, if it has the type of the result.
  func result(_ state: State) -> Output?
}

extension FinalStep where State == Output {
  @usableFromInline
  package func result(_ state: State) -> Output? { state }
}

extension FinalStep where State == Output? {
  @usableFromInline
  package func result(_ state: State) -> Output? { state }
}

/// The subscription of every operator that is a ``FinalStep``.
///
/// It requests everything from the upstream, and holds the result until the subscriber requests it.
@_fixed_layout
@usableFromInline
package final class FinalStepSubscription<Step: FinalStep, Downstream: Subscriber>:
  FinalValueSubscription<StepBody<Step, Step.State, Downstream>, Downstream>, Subscriber
where Downstream.Input == Step.Output, Downstream.Failure == Step.Failure {
  @usableFromInline package typealias Failure = Step.UpstreamFailure

  @usableFromInline
  package init(_ step: Step, _ state: Step.State, downstream: Downstream) {
    super.init(StepBody(step, state, downstream: downstream), name: Step.name)
  }

  package override func didReceiveSubscription() { stage.request(.unlimited) }

  @usableFromInline
  package func receive(_ input: Step.Input) -> Subscribers.Demand {
    var result: Step.Output?
    var failure: Step.Failure?
    _ = stage.withBody { body in
      switch body.step(input) {
      case .last(let last): result = last
      case .failure(let error): failure = error
      case .value, .skip, .ignore, .finished: break
      }
    }
    if let result { endEarly(with: result) }
    if let failure { endEarly(.failure(failure)) }
    return .none
  }

  /// Releases the upstream, and holds the result until the subscriber requests it.
  func endEarly(with result: Step.Output) {
    if let downstream = finishEarly() { offer(result, to: downstream) }
  }

  @usableFromInline
  package func receive(completion: Subscribers.Completion<Step.UpstreamFailure>) {
    beginIfEarly()
    if case .failure(let error) = completion {
      // A closure of the step's may have cancelled, and then this ends nothing.
      if let failure = stage.withBody({ $0.step.failure(error) }) { end(.failure(failure)) }
      return
    }
    guard let (downstream, result) = finish(taking: { ($0.downstream, $0.step.result($0.state)) })
    else { return }
    if let result {
      offer(result, to: downstream)
    } else {
      downstream.receive(completion: .finished)
    }
  }
}
