// Invariant: `state` is reached only inside `receive(_:)` and at the end, which a publisher never
// calls at the same time.

public import FanoutEngine

/// The part of an operator's subscription that is released as a whole: subscriber, step and state.
@usableFromInline
package final class StepBody<Step, State, Downstream: Subscriber>: OperatorBody<Downstream> {
  // A closure that is read out of a `let` is not retained for each value.
  @usableFromInline package let step: Step
  @usableFromInline @exclusivity(unchecked) package var state: State

  init(_ step: consuming Step, _ state: consuming State, downstream: consuming Downstream) {
    self.step = step
    self.state = state
    super.init(downstream: downstream)
  }
}

extension StepBody where Step: ValueStep, State == Step.State {
  /// Takes the step for a value; an error that it throws is a failure.
  @inlinable
  @inline(__always)
  func step(_ input: Step.Input) -> StepResult<Step.Operator.Output, Step.Operator.Failure> {
    do {
      // A state without bytes lies where another object may begin, and Thread Sanitizer would take
      // a modifying access for a race with that object. So the step gets a copy of it.
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
@usableFromInline
package final class StepSubscription<Step: ValueStep, Downstream: Subscriber>:
  OperatorSubscription<StepBody<Step, Step.State, Downstream>, Downstream>, Subscriber
where Downstream.Input == Step.Operator.Output, Downstream.Failure == Step.Operator.Failure {
  @usableFromInline package typealias Failure = Step.UpstreamFailure

  // Stored beside the body, because code that is not specialised reads it at every subscription.
  let initialCredit: Credit

  /// Creates a subscription with a step and its first state.
  ///
  /// Without a name it shows its upstream's description. `initialCredit` is the demand of its own,
  /// which it requests at the start.
  @usableFromInline
  package init(
    _ step: consuming Step, _ state: consuming Step.State, name: StaticString? = nil,
    initialCredit: Credit = .none, downstream: consuming Downstream
  ) {
    self.initialCredit = initialCredit
    super.init(StepBody(step, state, downstream: downstream), name: name)
  }

  package override var creditOfItsOwn: Credit { initialCredit }

  package override func didReceiveSubscription() {
    if initialCredit != .none { stage.request(initialCredit) }
  }

  @inlinable
  package func receive(_ input: Step.Input) -> Subscribers.Demand {
    var end: Subscribers.Completion<Downstream.Failure>?
    let demand = stage.withBody { pass(input, $0, isGuarded: false, &end) }
    if let end { endEarly(end) }
    return demand ?? .none
  }

  @inlinable
  @inline(__always)
  package func _receiveFused(_ input: Step.Input) -> Subscribers.Demand {
    var end: Subscribers.Completion<Downstream.Failure>?
    let demand = stage.deliver {
      pass(input, $0, isGuarded: true, &end)
    } otherwise: {
      receive(input)
    }
    if let end { endEarly(end) }
    return demand
  }

  // Each case checks for a cancel itself. So the optimiser can join the case to the place in the
  // step where the result is made.
  /// Passes a value on, and returns the demand after it; sets `end` if the step ends early.
  ///
  /// The caller delivers the end when no call uses the body any more.
  @inlinable
  @inline(__always)
  func pass(
    _ input: Step.Input, _ body: StepBody<Step, Step.State, Downstream>, isGuarded: Bool,
    _ end: inout Subscribers.Completion<Downstream.Failure>?
  ) -> Subscribers.Demand {
    switch body.step(input) {
    case .value(let output):
      // A closure of the step's may have cancelled, or what it has released.
      return stage.isClosed ? .none : body.downstream.receive(output, isGuarded: isGuarded)
    case .skip:
      return stage.isClosed ? .none : .max(1)
    case .ignore:
      return .none
    case .last(let output):
      if passLast(output, body, isGuarded: isGuarded) { end = .finished }
      return .none
    case .finished:
      end = .finished
      return .none
    case .failure(let error):
      end = .failure(error)
      return .none
    }
  }

  // Once in a subscription, so it is not worth the code where the types are known.
  /// Passes on the value with which the step ends, and returns the end; nil if there is none.
  @usableFromInline
  @inline(never)
  func passLast(
    _ output: Downstream.Input, _ body: StepBody<Step, Step.State, Downstream>, isGuarded: Bool
  ) -> Bool {
    if stage.isClosed { return false }
    _ = body.downstream.receive(output, isGuarded: isGuarded)
    return true
  }

  @usableFromInline
  package func receive(completion: Subscribers.Completion<Step.UpstreamFailure>) {
    beginIfEarly()
    guard case .failure(let error) = completion else { return end(.finished) }
    // A closure of the step's may have cancelled, and then this ends nothing.
    if let failure = stage.withBody({ $0.step.failure(error) }) { end(.failure(failure)) }
  }
}
