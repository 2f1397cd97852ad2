/// A step that passes every value on, and converts only the failure.
@usableFromInline
package struct FailureStep<Operator: Publisher, UpstreamFailure: Error, State>: ValueStep {
  let transform: @Sendable (UpstreamFailure) -> Operator.Failure

  @usableFromInline
  init(_ transform: @escaping @Sendable (UpstreamFailure) -> Operator.Failure) {
    self.transform = transform
  }

  @inlinable
  @inline(__always)
  package func step(
    _ value: Operator.Output, _ state: inout State
  ) -> StepResult<Operator.Output, Operator.Failure> {
    .value(value)
  }

  @usableFromInline
  package func failure(_ error: UpstreamFailure) -> Operator.Failure { transform(error) }
}
