/// A publisher that delivers one value to each subscriber and finishes.
///
/// - Demand: the value waits for it; the completion directly follows the value.
/// - Concurrency: delivers on the requesting thread.
///
/// Operators that need only the value are applied at once: `map`, for one, calls its closure in the
/// call that applies it, and returns a `Just`. They have the results that Combine has. To defer the
/// closure to each subscription, use ``Deferred``.
///
/// ```swift
/// import Fanout
///
/// let one = Just("once").sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
/// one.cancel()
/// // Prints:
/// // once
/// // finished
/// ```
@frozen
public struct Just<Output>: Publisher, NeverFailure {
  /// The value that each subscriber receives.
  public let output: Output

  /// Creates a publisher of one value.
  ///
  /// - Parameter output: The value that each subscriber receives.
  @inlinable
  public init(_ output: Output) { self.output = output }

  /// Attaches the specified subscriber to this publisher.
  ///
  /// - Parameter subscriber: The subscriber to attach.
  @inlinable
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
    PullSubscription.begin(subscriber, with: output, name: "Just")
  }

  /// The value that each subscriber receives.
  @_documentation(visibility: internal)
  public var _onlyValue: Output? { output }
}

extension Just: Sendable where Output: Sendable {}
extension Just: Equatable where Output: Equatable {}
