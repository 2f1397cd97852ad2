public import FanoutEngine

/// The subscription of every operator that delivers one value, its result, and finishes.
///
/// A ``StepResult/last(_:)`` of its step is the result, and ``StepResult/failure(_:)`` ends without one. Other
/// results only change the state. The subscription requests everything from the upstream, and holds the result
/// until the subscriber requests it.
@usableFromInline
package final class FinalStepSubscription<Step: ValueStep, Downstream: Subscriber>:
  FinalValueSubscription<StepBody<Step, Step.State, Downstream>, Downstream>, Subscriber
where Downstream.Input == Step.Operator.Output, Downstream.Failure == Step.Operator.Failure {
  @usableFromInline package typealias Failure = Step.UpstreamFailure

  /// The closure that returns the result when the upstream has finished, or nil if there is none.
  let result: (Step.State) -> Downstream.Input?

  @usableFromInline
  package init(
    _ step: consuming Step, _ state: consuming Step.State, name: StaticString,
    downstream: consuming Downstream,
    result: @escaping (Step.State) -> Downstream.Input?
  ) {
    self.result = result
    super.init(StepBody(step, state, downstream: downstream), name: name)
  }

  package override func didReceiveSubscription() { stage.request(.unlimited) }

  @inlinable
  package func receive(_ input: Step.Input) -> Subscribers.Demand {
    switch stage.withBody({ $0.step(input) }) {
    case .last(let result): endEarly(with: result)
    case .failure(let error): endEarly(.failure(error))
    case .value, .skip, .ignore, .finished, nil: break
    }
    return .none
  }

  /// Releases the upstream, and holds the result until the subscriber requests it.
  @usableFromInline
  func endEarly(with result: Downstream.Input) {
    finish(isEarly: true) { offer(result, to: $0) }
  }

  @usableFromInline
  package func receive(completion: Subscribers.Completion<Step.UpstreamFailure>) {
    beginIfEarly()
    if case .failure(let error) = completion {
      // A closure of the step's may have cancelled, and then this ends nothing.
      if let failure = stage.withBody({ $0.step.failure(error) }) { end(.failure(failure)) }
      return
    }
    guard let (downstream, result) = finish(taking: { ($0.downstream, result($0.state)) })
    else { return }
    if let result {
      offer(result, to: downstream)
    } else {
      downstream.receive(completion: .finished)
    }
  }
}
