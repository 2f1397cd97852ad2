/// A publisher that delivers no value and finishes at once, or never.
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
  /// Whether it finishes at once; otherwise it never does.
  public let completeImmediately: Bool

  /// Makes a publisher without values.
  @inlinable
  public init(completeImmediately: Bool = true) {
    self.completeImmediately = completeImmediately
  }

  /// Makes a publisher without values whose types are named by arguments.
  @inlinable
  public init(
    completeImmediately: Bool = true, outputType: Output.Type, failureType: Failure.Type
  ) {
    self.init(completeImmediately: completeImmediately)
  }

  /// Attaches a subscriber.
  @inlinable
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    if completeImmediately {
      EndedSubscription.tell(subscriber, end: .finished)
    } else {
      subscriber.receive(subscription: Subscriptions.empty)
    }
  }
}
