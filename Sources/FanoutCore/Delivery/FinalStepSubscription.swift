public import FanoutEngine

/// The subscription of every operator that delivers one value, its result, and finishes.
///
/// A subclass says what the result is when the upstream finishes; here there is none then.
///
/// A ``StepResult/last(_:)`` of its step is the result, and ``StepResult/failure(_:)`` ends without
/// one. Other results only change the state. The subscription requests everything from the
/// upstream, and holds the result until the subscriber requests it.
@usableFromInline
package class FinalStepSubscription<Step: ValueStep, Downstream: Subscriber>:
  FinalValueSubscription<StepBody<Step, Step.State, Downstream>, Downstream>, Subscriber
where Downstream.Input == Step.Operator.Output, Downstream.Failure == Step.Operator.Failure {
  @usableFromInline package typealias Failure = Step.UpstreamFailure

  @usableFromInline
  package init(
    _ step: consuming Step, _ state: consuming Step.State, name: StaticString,
    downstream: consuming Downstream
  ) {
    super.init(StepBody(step, state, downstream: downstream), name: name)
  }

  /// Returns the result when the upstream has finished, or nil if there is none.
  package func result(_ state: Step.State) -> Downstream.Input? { nil }

  package final override func didReceiveSubscription() { stage.request(.unlimited) }

  @inlinable
  package final func receive(_ input: Step.Input) -> Subscribers.Demand {
    switch stage.withBody({ $0.step(input) }) {
    case .last(let result): endEarly(with: result)
    case .failure(let error): endEarly(.failure(error))
    case .value, .skip, .ignore, .finished, nil: break
    }
    return .none
  }

  /// Releases the upstream, and holds the result until the subscriber requests it.
  @usableFromInline
  final func endEarly(with result: Downstream.Input) {
    finish(isEarly: true) { offer(result, to: $0) }
  }

  @usableFromInline
  package final func receive(completion: Subscribers.Completion<Step.UpstreamFailure>) {
    beginIfEarly()
    if case .failure(let error) = completion {
      // A closure of the step's may have cancelled, and then this ends nothing.
      if let failure = stage.withBody({ $0.step.failure(error) }) { end(.failure(failure)) }
      return
    }
    guard let (downstream, result) = finish(taking: { ($0.downstream, self.result($0.state)) })
    else { return }
    if let result {
      offer(result, to: downstream)
    } else {
      downstream.receive(completion: .finished)
    }
  }
}

/// The subscription of an operator whose result is the state of its step.
@usableFromInline
package final class FinalStateSubscription<Step: ValueStep, Downstream: Subscriber>:
  FinalStepSubscription<Step, Downstream>
where
  Downstream.Input == Step.Operator.Output, Downstream.Failure == Step.Operator.Failure,
  Step.State == Step.Operator.Output
{
  @usableFromInline
  package override init(
    _ step: consuming Step, _ state: consuming Step.State, name: StaticString,
    downstream: consuming Downstream
  ) {
    super.init(step, state, name: name, downstream: downstream)
  }

  package override func result(_ state: Step.State) -> Downstream.Input? { state }
}

/// The subscription of an operator whose result is the state of its step, if there is one.
@usableFromInline
package final class FinalOptionalSubscription<Step: ValueStep, Downstream: Subscriber>:
  FinalStepSubscription<Step, Downstream>
where
  Downstream.Input == Step.Operator.Output, Downstream.Failure == Step.Operator.Failure,
  Step.State == Step.Operator.Output?
{
  @usableFromInline
  package override init(
    _ step: consuming Step, _ state: consuming Step.State, name: StaticString,
    downstream: consuming Downstream
  ) {
    super.init(step, state, name: name, downstream: downstream)
  }

  package override func result(_ state: Step.State) -> Downstream.Input? { state }
}

/// The subscription of an operator that looks for a value, and whose result is false if there is
/// none.
@usableFromInline
package final class SearchSubscription<Step: ValueStep, Downstream: Subscriber>:
  FinalStepSubscription<Step, Downstream>
where
  Downstream.Input == Step.Operator.Output, Downstream.Failure == Step.Operator.Failure,
  Step.Operator.Output == Bool
{
  @usableFromInline
  package override init(
    _ step: consuming Step, _ state: consuming Step.State, name: StaticString,
    downstream: consuming Downstream
  ) {
    super.init(step, state, name: name, downstream: downstream)
  }

  package override func result(_ state: Step.State) -> Downstream.Input? { false }
}
