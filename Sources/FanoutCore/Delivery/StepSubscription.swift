// Invariant: `state` is reached only inside `receive(_:)` and at the end, which a publisher never
// calls at the same time.

public import FanoutEngine

/// The part of an operator's subscription that is released as a whole: subscriber, step and state.
@_fixed_layout
@usableFromInline
package final class StepBody<Step, State, Downstream: Subscriber>: OperatorBody<Downstream> {
  // A closure that is read out of a `let` is not retained for each value.
  @usableFromInline package let step: Step
  @exclusivity(unchecked) @usableFromInline package var state: State

  @inlinable
  init(_ step: Step, _ state: State, downstream: Downstream) {
    self.step = step
    self.state = state
    super.init(downstream: downstream)
  }
}

extension StepBody where Step: ValueStep, State == Step.State {
  /// Takes the step for a value; an error that it throws is a failure.
  @inlinable
  @inline(__always)
  func step(_ input: Step.Input) -> StepResult<Step.Output, Step.Failure> {
    do {
      // A state without bytes lies where another object may begin, and Thread Sanitizer would take a
      // modifying access for a race with that object. So the step gets a copy of it.
      if MemoryLayout<State>.size == 0 {
        var copy = state
        return try step.step(input, &copy)
      }
      return try step.step(input, &state)
    } catch {
      return .failure(step.failure(thrown: error))
    }
  }
}

/// The subscription of every operator that is a ``ValueStep``.
@_fixed_layout
@usableFromInline
package final class StepSubscription<Step: ValueStep, Downstream: Subscriber>:
  OperatorSubscription<StepBody<Step, Step.State, Downstream>, Downstream>, Subscriber
where Downstream.Input == Step.Output, Downstream.Failure == Step.Failure {
  @usableFromInline package typealias Failure = Step.UpstreamFailure
  @usableFromInline typealias Body = StepBody<Step, Step.State, Downstream>

  /// The outcome of a value once the subscriber has received it.
  @usableFromInline
  enum Passed {
    case demand(Subscribers.Demand)
    case ended(Subscribers.Completion<Step.Failure>)
  }

  // Stored beside the body, because code that is not specialised reads it at every subscription.
  @usableFromInline let initialCredit: Credit

  @inlinable
  package init(_ step: Step, _ state: Step.State, downstream: Downstream) {
    initialCredit = step.initialCredit
    super.init(Body(step, state, downstream: downstream), name: Step.name)
  }

  package override var creditOfItsOwn: Credit { initialCredit }

  package override func didReceiveSubscription() {
    if initialCredit != .none { stage.request(initialCredit) }
  }

  @inlinable
  package func receive(_ input: Step.Input) -> Subscribers.Demand {
    demand(of: stage.withBody { pass(input, $0, isGuarded: false) } ?? .demand(.none))
  }

  @inlinable
  @inline(__always)
  package func _receiveFused(_ input: Step.Input) -> Subscribers.Demand {
    demand(
      of: stage.deliver {
        pass(input, $0, isGuarded: true)
      } otherwise: {
        .demand(receive(input))
      })
  }

  /// Returns the demand after a value, or ends early if the step said so; no call uses the body any
  /// more.
  @inlinable
  @inline(__always)
  func demand(of passed: Passed) -> Subscribers.Demand {
    switch passed {
    case .demand(let demand): return demand
    case .ended(let completion):
      endEarly(completion)
      return .none
    }
  }

  // Each case checks for a cancel itself. So the optimiser can join the case to the place in the
  // step where the result is made.
  @inlinable
  @inline(__always)
  func pass(_ input: Step.Input, _ body: Body, isGuarded: Bool) -> Passed {
    switch body.step(input) {
    case .value(let output):
      // A closure of the step's may have cancelled.
      if Step.mayCancel, stage.isClosed { return .demand(.none) }
      return .demand(body.downstream.receive(output, isGuarded: isGuarded))
    case .skip:
      return .demand(stage.isClosed ? .none : .max(1))
    case .ignore:
      return .demand(.none)
    case .last(let output):
      if stage.isClosed { return .demand(.none) }
      _ = body.downstream.receive(output, isGuarded: isGuarded)
      return .ended(.finished)
    case .finished:
      return .ended(.finished)
    case .failure(let error):
      return .ended(.failure(error))
    }
  }

  @usableFromInline
  package func receive(completion: Subscribers.Completion<Step.UpstreamFailure>) {
    beginIfEarly()
    guard case .failure(let error) = completion else { return end(.finished) }
    // A closure of the step's may have cancelled, and then this ends nothing.
    if let failure = stage.withBody({ $0.step.failure(error) }) { end(.failure(failure)) }
  }
}

extension StepSubscription where Step.State == Void {
  @inlinable
  convenience init(_ step: Step, downstream: Downstream) {
    self.init(step, (), downstream: downstream)
  }
}

@available(*, unavailable)
extension StepSubscription.Passed: Sendable {}
