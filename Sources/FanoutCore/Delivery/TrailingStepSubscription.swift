// Invariant: the state of the body is reached only inside `receive(_:)` and at the end, which a publisher
// never calls at the same time.

public import FanoutEngine

/// The subscription of every operator that may deliver one more value when the upstream has ended.
///
/// A ``StepResult/value(_:)`` of its step is a value that passes. Other results only change the state, and another
/// value is not requested in the place of one that is left out. The subscription passes demand up, and holds the
/// last value until the subscriber requests it.
@usableFromInline
package final class TrailingStepSubscription<Step: ValueStep, Downstream: Subscriber>:
  FinalValueSubscription<StepBody<Step, Step.State, Downstream>, Downstream>, Subscriber
where Downstream.Input == Step.Operator.Output, Downstream.Failure == Step.Operator.Failure {
  @usableFromInline package typealias Failure = Step.UpstreamFailure

  /// The credit that no value has used; the last value needs one of it.
  @usableFromInline let outstanding = OutstandingCredit()
  @usableFromInline let inputsPerOutput: Int
  /// Whether the last value follows a failure, which it replaces, and not a finish.
  let replacesFailure: Bool
  /// The closure that returns the last value, or nil if there is none.
  let last: (Step.State) -> Downstream.Input?

  @usableFromInline
  package init(
    _ step: consuming Step, _ state: consuming Step.State, name: StaticString,
    inputsPerOutput: Int = 1, replacesFailure: Bool = false, downstream: consuming Downstream,
    last: @escaping (Step.State) -> Downstream.Input?
  ) {
    self.inputsPerOutput = inputsPerOutput
    self.replacesFailure = replacesFailure
    self.last = last
    super.init(StepBody(step, state, downstream: downstream), name: name)
  }

  package override func didRequest(_ credit: Credit) {
    guard outstanding.add(credit) else { return ask() }
    stage.request((credit.demand * inputsPerOutput).credit)
  }

  @inlinable
  package func receive(_ input: Step.Input) -> Subscribers.Demand {
    stage.withBody { body in
      // What the step releases may have cancelled.
      guard case .value(let output) = body.step(input), !stage.isClosed else { return .none }
      return outstanding.deliver(output, to: body.downstream) { _ in ask() } * inputsPerOutput
    } ?? .none
  }

  @usableFromInline
  package func receive(completion: Subscribers.Completion<Step.UpstreamFailure>) {
    beginIfEarly()
    switch completion {
    case .finished where replacesFailure:
      end(.finished)
    case .failure(let error) where !replacesFailure:
      if let failure = stage.withBody({ $0.step.failure(error) }) { end(.failure(failure)) }
    default:
      guard let (downstream, last) = finish(taking: { ($0.downstream, last($0.state)) }) else {
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
