/// A publisher that delivers one value to each subscriber and finishes.
///
/// - Demand: the value waits for it; the completion follows the value directly.
/// - Concurrency: delivers on the thread that asks.
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
public struct Just<Output>: Publisher {
  /// It never fails.
  public typealias Failure = Never

  /// The value that each subscriber receives.
  public let output: Output

  /// Makes a publisher of one value.
  @inlinable
  public init(_ output: Output) { self.output = output }

  /// Attaches a subscriber.
  @inlinable
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
    let elements = CollectionOfOne(output).makeIterator()
    PullSubscription(elements, downstream: subscriber, name: "Just").begin(subscriber)
  }
}

extension Just: Sendable where Output: Sendable {}
extension Just: Equatable where Output: Equatable {}
