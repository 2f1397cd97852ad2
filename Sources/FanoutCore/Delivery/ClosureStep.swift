/// The step of an operator that needs no type of its own: a closure.
///
/// The closure is formed where the operator's types are known, and so is compiled for them. A value
/// takes one more call than it does with a type; only the operators that are used most have one.
@frozen
@usableFromInline
package struct ClosureStep<Operator: Publisher, Input, State, Errors: StepErrors>: ThrowingStep
where Errors.Failure == Operator.Failure {
  @usableFromInline package typealias Decide =
    @Sendable (Input, inout State) throws -> StepResult<Operator.Output, Operator.Failure>

  @usableFromInline let decide: Decide

  @inlinable
  package init(_ decide: @escaping Decide) { self.decide = decide }

  @inlinable
  @inline(__always)
  package func step(
    _ value: Input, _ state: inout State
  ) throws -> StepResult<Operator.Output, Operator.Failure> {
    try decide(value, &state)
  }
}

/// The step of an operator whose closure is not `Sendable`, as those of a step are: the closure is
/// its state.
@frozen
@usableFromInline
package struct CallingStep<Operator: Publisher, Input, Errors: StepErrors>: ThrowingStep
where Errors.Failure == Operator.Failure {
  @inlinable
  package init() {}

  @inlinable
  @inline(__always)
  package func step(
    _ value: Input, _ call: inout (Input) throws -> Operator.Output
  ) throws -> StepResult<Operator.Output, Operator.Failure> {
    .value(try call(value))
  }
}
