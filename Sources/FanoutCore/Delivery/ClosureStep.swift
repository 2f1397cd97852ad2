/// The step of an operator that needs no type of its own: a closure.
///
/// The closure is formed where the operator's types are known, and so is compiled for them. A value takes one more
/// call than it does with a type; only the operators that are used most have one.
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

extension ClosureStep where State == (Input) throws -> Operator.Output {
  /// A step that calls its state, for a closure that is not `Sendable`, as those of a step are.
  @inlinable package static var callingState: Self { Self { .value(try $1($0)) } }
}
