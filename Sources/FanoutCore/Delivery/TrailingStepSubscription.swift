// Invariant: the state of the body is reached only inside `receive(_:)` and at the end, which a
// publisher never calls at the same time.

public import FanoutEngine

/// The subscription of every operator that may deliver one more value when the upstream has ended.
///
/// A ``StepResult/value(_:)`` of its step is a value that passes. Other results only change the
/// state, and another value is not requested in the place of one that is left out. The subscription
/// passes demand up, and holds the last value until the subscriber requests it.
@usableFromInline
package class TrailingStepSubscription<Step: ValueStep, Downstream: Subscriber>:
  FinalValueSubscription<StepBody<Step, Step.State, Downstream>, Downstream>, Subscriber
where Downstream.Input == Step.Operator.Output, Downstream.Failure == Step.Operator.Failure {
  @usableFromInline package typealias Failure = Step.UpstreamFailure

  /// Whether the last value follows a failure, which it replaces, and not a finish.
  final let replacesFailure: Bool
  /// The credit that no value has used; the last value needs one of it.
  @usableFromInline final let outstanding = CreditAccount()
  @usableFromInline final let inputsPerOutput: Int

  init(
    _ step: consuming Step, _ state: consuming Step.State, name: StaticString,
    inputsPerOutput: Int, replacesFailure: Bool, downstream: consuming Downstream
  ) {
    self.inputsPerOutput = inputsPerOutput
    self.replacesFailure = replacesFailure
    super.init(StepBody(step, state, downstream: downstream), name: name)
  }

  /// Returns the last value, or nil if there is none.
  func last(_ state: Step.State) -> Downstream.Input? { nil }

  package final override func didRequest(_ credit: Credit) {
    guard outstanding.add(credit) else { return ask() }
    stage.request((credit.demand * inputsPerOutput).credit)
  }

  @inlinable
  package final func receive(_ input: Step.Input) -> Subscribers.Demand {
    stage.withBody { body in
      // What the step releases may have cancelled.
      guard case .value(let output) = body.step(input), !stage.isClosed else { return .none }
      return outstanding.deliver(output, to: body.downstream) { _ in ask() } * inputsPerOutput
    } ?? .none
  }

  @usableFromInline
  package final func receive(completion: Subscribers.Completion<Step.UpstreamFailure>) {
    beginIfEarly()
    switch completion {
    case .finished where replacesFailure:
      end(.finished)
    case .failure(let error) where !replacesFailure:
      if let failure = stage.withBody({ $0.step.failure(error) }) { end(.failure(failure)) }
    default:
      guard let (downstream, last) = finish(taking: { ($0.downstream, self.last($0.state)) }) else {
        return
      }
      if let last {
        offer(last, to: downstream, isRequested: outstanding.close() != .none)
      } else {
        downstream.receive(completion: .finished)
      }
    }
  }
}

/// The subscription of an operator that replaces a failure with the state of its step.
@usableFromInline
package final class ReplacingSubscription<Step: ValueStep, Downstream: Subscriber>:
  TrailingStepSubscription<Step, Downstream>
where
  Downstream.Input == Step.Operator.Output, Downstream.Failure == Step.Operator.Failure,
  Step.State == Step.Operator.Output
{
  @usableFromInline
  package init(
    _ step: consuming Step, _ state: consuming Step.State, name: StaticString,
    downstream: consuming Downstream
  ) {
    super.init(
      step, state, name: name, inputsPerOutput: 1, replacesFailure: true,
      downstream: downstream)
  }

  override func last(_ state: Step.State) -> Downstream.Input? { state }
}

/// The subscription of an operator whose last value is the state of its step, if there is one.
@usableFromInline
package final class TrailingOptionalSubscription<Step: ValueStep, Downstream: Subscriber>:
  TrailingStepSubscription<Step, Downstream>
where
  Downstream.Input == Step.Operator.Output, Downstream.Failure == Step.Operator.Failure,
  Step.State == Step.Operator.Output?
{
  @usableFromInline
  package init(
    _ step: consuming Step, _ state: consuming Step.State, name: StaticString,
    downstream: consuming Downstream
  ) {
    super.init(
      step, state, name: name, inputsPerOutput: 1, replacesFailure: false,
      downstream: downstream)
  }

  override func last(_ state: Step.State) -> Downstream.Input? { state }
}

/// The subscription of an operator whose last value is the state of its step, unless that is empty.
@usableFromInline
package final class TrailingArraySubscription<Step: ValueStep, Downstream: Subscriber>:
  TrailingStepSubscription<Step, Downstream>
where
  Downstream.Input == Step.Operator.Output, Downstream.Failure == Step.Operator.Failure,
  Step.State == Step.Operator.Output, Step.Operator.Output: Collection
{
  @usableFromInline
  package init(
    _ step: consuming Step, _ state: consuming Step.State, name: StaticString,
    inputsPerOutput: Int, downstream: consuming Downstream
  ) {
    super.init(
      step, state, name: name, inputsPerOutput: inputsPerOutput, replacesFailure: false,
      downstream: downstream)
  }

  override func last(_ state: Step.State) -> Downstream.Input? { state.isEmpty ? nil : state }
}
