/// A publisher that delivers no value and fails at once.
///
/// ```swift
/// import Fanout
///
/// struct Offline: Error {}
/// let broken = Fail<Int, Offline>(error: Offline()).sink(
///   receiveCompletion: { print($0) }, receiveValue: { print($0) })
/// broken.cancel()
/// // Prints:
/// // failure(main.Offline())
/// ```
@frozen
public struct Fail<Output, Failure: Error>: Publisher, Sendable {
  /// The error that each subscriber receives.
  public let error: Failure

  /// Makes a publisher that fails with `error`.
  @inlinable
  public init(error: Failure) { self.error = error }

  /// Makes a publisher that fails with `failure` and whose output is named by an argument.
  @inlinable
  public init(outputType: Output.Type, failure: Failure) { self.init(error: failure) }

  /// Attaches a subscriber.
  @inlinable
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    EndedSubscription.tell(subscriber, end: .failure(error))
  }
}

extension Fail: Equatable where Failure: Equatable {}
