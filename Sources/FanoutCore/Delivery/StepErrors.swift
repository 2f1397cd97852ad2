// Invariant of `Nonthrowing`: a step with these errors is made of closures that cannot throw,
// because the publisher that makes it declares them so. So `failure(thrown:)` is never called, and
// the optimiser may leave out the check behind each call of the closure.

/// The errors of a step: the failures of its upstream and its subscriber, and the conversion of
/// errors.
///
/// An operator such as `filter` and its sister `tryFilter` differ only in these. A step's closure
/// is of a type that throws any error, for both: a typed error would be returned indirectly, and
/// each value would take one more call.
@usableFromInline
package protocol StepErrors: Sendable {
  /// The upstream's failure.
  associatedtype UpstreamFailure: Error
  /// The failure for the subscriber.
  associatedtype Failure: Error

  /// Converts the upstream's failure.
  static func failure(_ error: UpstreamFailure) -> Failure

  /// Converts an error that the step's closure has thrown.
  static func failure(thrown error: any Error) -> Failure
}

/// The errors of a step whose closure cannot throw: the upstream's failure passes.
@usableFromInline
package enum Nonthrowing<Failure: Error>: StepErrors {
  @usableFromInline
  package static func failure(_ error: Failure) -> Failure { error }

  @inlinable
  @inline(__always)
  package static func failure(thrown error: any Error) -> Failure {
    switch Never?.none.unsafelyUnwrapped {}
  }
}

/// The errors of a step whose closure may throw: an error that it throws is the failure, as the
/// upstream's is.
@usableFromInline
package enum Throwing<UpstreamFailure: Error>: StepErrors {
  @usableFromInline
  package static func failure(_ error: UpstreamFailure) -> any Error { error }

  @usableFromInline
  package static func failure(thrown error: any Error) -> any Error { error }
}
