extension Publishers {
  /// A publisher of the elements of a sequence, from the beginning for each subscriber.
  ///
  /// - Demand: exact. The publisher takes elements from the sequence one ahead, so that the
  ///   completion directly follows the last element.
  /// - Concurrency: delivers on the requesting thread. A request inside `receive` does not nest, so
  ///   any number of elements at demand one leaves the stack depth unchanged.
  ///
  /// Operators such as `map` and `filter` are applied at once, to all elements, as in Combine:
  /// their closures are called in the call that applies them, and the results are kept in an array.
  /// That is wrong for a long or endless sequence, and for a closure that is to run on request. For
  /// these, erase the publisher first, `numbers.publisher.eraseToAnyPublisher().map { … }`, or make
  /// the sequence lazy, `numbers.lazy.map { … }.publisher`.
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
    /// The element type of the sequence.
    public typealias Output = Elements.Element

    /// The sequence whose elements this publisher delivers.
    public let sequence: Elements

    /// Creates a publisher of the elements of the specified sequence.
    ///
    /// - Parameter sequence: The sequence whose elements to deliver.
    @inlinable
    public init(sequence: Elements) { self.sequence = sequence }

    /// Attaches the specified subscriber to this publisher.
    ///
    /// - Parameter subscriber: The subscriber to attach.
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
