/// A publisher that delivers no value and finishes immediately, or never.
///
/// ```swift
/// import Fanout
///
/// let nothing = Empty<Int, Never>().sink(
///   receiveCompletion: { print($0) }, receiveValue: { print($0) })
/// nothing.cancel()
/// // Prints:
/// // finished
/// ```
@frozen
public struct Empty<Output, Failure: Error>: Publisher, Equatable, Sendable {
  /// Whether the publisher finishes immediately; otherwise it never finishes.
  public let completeImmediately: Bool

  /// Creates a publisher without values.
  ///
  /// - Parameter completeImmediately: Whether the publisher finishes immediately instead of never.
  public init(completeImmediately: Bool = true) {
    self.completeImmediately = completeImmediately
  }

  /// Creates a publisher without values, with the specified output and failure types.
  ///
  /// - Parameters:
  ///   - completeImmediately: Whether the publisher finishes immediately instead of never.
  ///   - outputType: The output type of the publisher.
  ///   - failureType: The failure type of the publisher.
  public init(
    completeImmediately: Bool = true, outputType: Output.Type, failureType: Failure.Type
  ) {
    self.init(completeImmediately: completeImmediately)
  }

  /// Attaches the specified subscriber to this publisher.
  ///
  /// - Parameter subscriber: The subscriber to attach.
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    if completeImmediately {
      EndedSubscription.tell(subscriber, end: .finished)
    } else {
      subscriber.receive(subscription: Subscriptions.empty)
    }
  }
}
