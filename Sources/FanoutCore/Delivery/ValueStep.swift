// Invariant of the `nonisolated(unsafe)` constant: it is an operator such as `==`, a function
// without state.

/// The part that an operator such as `map` or `filter` adds: a function from one input to at most
/// one output.
///
/// A step is immutable, so that a delivery reads its closures without retaining them. Its state
/// changes from value to value. ``StepSubscription`` does everything else.
@usableFromInline
package protocol ValueStep: Sendable {
  /// The operator's publisher, which has the values and the failure for the subscriber.
  associatedtype Operator: Publisher
  /// The upstream's values.
  associatedtype Input
  /// The upstream's failure.
  associatedtype UpstreamFailure: Error
  /// The part that changes; each subscription has its own.
  associatedtype State

  /// Decides the outcome of a value. Only a ``ThrowingStep`` may throw.
  ///
  /// A publisher never makes two of these calls at the same time.
  func step(
    _ value: Input, _ state: inout State
  ) throws -> StepResult<Operator.Output, Operator.Failure>

  /// Converts the upstream's failure.
  func failure(_ error: UpstreamFailure) -> Operator.Failure

  /// Converts an error that the step has thrown.
  func failure(thrown error: any Error) -> Operator.Failure
}

/// The outcome of one step.
@usableFromInline
package enum StepResult<Output, Failure: Error> {
  /// A value for the subscriber.
  case value(Output)
  /// No value; another is requested in its place.
  case skip
  /// No value, and no request.
  case ignore
  /// The last value: the upstream is cancelled and the subscriber finishes after it.
  case last(Output)
  /// No value: the upstream is cancelled and the subscriber finishes.
  case finished
  /// No value: the upstream is cancelled and the subscriber fails.
  case failure(Failure)
}

extension ValueStep {
  @inlinable
  package func failure(thrown error: any Error) -> Operator.Failure {
    fatalError("A step that may throw has to be a ThrowingStep; this one has thrown \(error).")
  }
}

/// A step that may throw, because it calls a closure or a coder that may.
///
/// It is the step of an operator and of its throwing sister, such as `filter` and `tryFilter`: they
/// differ in their errors.
@usableFromInline
package protocol ThrowingStep: ValueStep
where UpstreamFailure == Errors.UpstreamFailure, Operator.Failure == Errors.Failure {
  /// The errors that the step may throw, and the failures that they become.
  associatedtype Errors: StepErrors
}

extension ThrowingStep {
  @usableFromInline
  package func failure(_ error: Errors.UpstreamFailure) -> Errors.Failure { Errors.failure(error) }

  @inlinable
  @inline(__always)
  package func failure(thrown error: any Error) -> Errors.Failure { Errors.failure(thrown: error) }
}

/// Returns a function as `@Sendable`.
///
/// The caller guarantees that it has no state.
@inlinable
package func stateless<Value>(
  _ isEqual: @escaping (Value, Value) -> Bool
) -> @Sendable (Value, Value) -> Bool {
  nonisolated(unsafe) let isEqual = isEqual
  return { isEqual($0, $1) }
}
