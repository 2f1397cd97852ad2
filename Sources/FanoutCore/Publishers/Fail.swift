/// A publisher that delivers no value and fails immediately.
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

  /// Creates a publisher that fails with the specified error.
  ///
  /// - Parameter error: The error that each subscriber receives.
  public init(error: Failure) { self.error = error }

  /// Creates a publisher that fails with the specified error and has the specified output type.
  ///
  /// - Parameters:
  ///   - outputType: The output type of the publisher.
  ///   - failure: The error that each subscriber receives.
  public init(outputType: Output.Type, failure: Failure) { self.init(error: failure) }

  /// Attaches the specified subscriber to this publisher.
  ///
  /// - Parameter subscriber: The subscriber to attach.
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    EndedSubscription.tell(subscriber, end: .failure(error))
  }
}

extension Fail: Equatable where Failure: Equatable {}
