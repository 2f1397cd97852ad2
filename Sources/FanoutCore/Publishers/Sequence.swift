extension Publishers {
  /// A publisher of the elements of a sequence, from the beginning for each subscriber.
  ///
  /// - Demand: exact; an element is taken from the sequence one ahead, so that the completion
  ///   follows the last element directly.
  /// - Concurrency: delivers on the thread that asks; a request inside `receive` does not nest, so
  ///   any number of elements at demand one leaves the stack as it is.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let numbers = (1...3).publisher.sink { print($0) }
  /// numbers.cancel()
  /// // Prints:
  /// // 1
  /// // 2
  /// // 3
  /// ```
  @frozen
  public struct Sequence<Elements: Swift.Sequence, Failure: Error>: Publisher {
    /// The elements.
    public typealias Output = Elements.Element

    /// The sequence whose elements are delivered.
    public let sequence: Elements

    /// Makes a publisher of the elements of `sequence`.
    @inlinable
    public init(sequence: Elements) { self.sequence = sequence }

    /// Attaches a subscriber.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let subscription = PullSubscription(
        sequence.makeIterator(), downstream: subscriber, name: "Sequence",
        describe: { String(describing: sequence) })
      subscription.begin(subscriber)
    }
  }
}

extension Publishers.Sequence: Sendable where Elements: Sendable {}
extension Publishers.Sequence: Equatable where Elements: Equatable {}

extension Sequence {
  /// A publisher of this sequence's elements.
  @inlinable
  public var publisher: Publishers.Sequence<Self, Never> { Publishers.Sequence(sequence: self) }
}
