// Each of these is applied at once, and so needs no subscription of its own. The result delivers the same as
// the operator of every publisher would.

public import FanoutCore

extension Publishers.Sequence {
  /// Delivers the first elements, up to the first that a closure does not match.
  ///
  /// - Parameter predicate: The closure that returns whether to deliver an element, called in this call for
  ///   each up to the first that does not match.
  /// - Returns: A publisher of the elements in front of that one.
  @inlinable
  public func prefix(
    while predicate: (Output) -> Bool
  ) -> Publishers.Sequence<[Output], Failure> {
    .init(sequence: sequence.prefix(while: predicate) as [Output])
  }

  /// Leaves out the first elements, as long as a closure matches them.
  ///
  /// If the sequence's iterator is a reference, as that of `AnySequence`, then this reads it for one subscriber
  /// only.
  ///
  /// - Parameter predicate: The closure that returns whether to leave out an element, called in this call for
  ///   each up to the first that does not match.
  /// - Returns: A publisher of the other elements, which takes them from the sequence on request.
  @inlinable
  public func drop(
    while predicate: (Output) -> Bool
  ) -> Publishers.Sequence<DropWhileSequence<Elements>, Failure> {
    .init(sequence: sequence.drop(while: predicate))
  }

  /// Leaves out all elements.
  ///
  /// - Returns: A publisher that finishes at once, and takes no element from the sequence.
  @inlinable
  public func ignoreOutput() -> Empty<Output, Failure> { Empty() }
}

extension Publishers.Sequence where Failure == Never {
  /// Finds the first element that a closure accepts at once.
  ///
  /// - Parameter predicate: The closure that returns whether it accepts an element, called in this call for
  ///   each up to the first that it accepts.
  /// - Returns: A publisher of the element, or of nothing if there is none.
  @inlinable
  public func first(where predicate: (Output) -> Bool) -> Optional<Output>.Publisher {
    sequence.first(where: predicate).publisher
  }
}

extension Publishers.Sequence where Elements: BidirectionalCollection, Failure == Never {
  /// Delivers the last element.
  ///
  /// - Returns: A publisher of the element, or of nothing if there is none.
  @inlinable
  public func last() -> Optional<Output>.Publisher { sequence.last.publisher }

  /// Finds the last element that a closure accepts at once.
  ///
  /// - Parameter predicate: The closure that returns whether it accepts an element, called in this call from
  ///   the last element on backwards, up to one that it accepts.
  /// - Returns: A publisher of the element, or of nothing if there is none.
  @inlinable
  public func last(where predicate: (Output) -> Bool) -> Optional<Output>.Publisher {
    sequence.last(where: predicate).publisher
  }
}

extension Publishers.Sequence where Elements: RangeReplaceableCollection {
  /// Puts the specified values in front of the elements.
  ///
  /// - Parameter elements: The values to deliver first, in their order.
  /// - Returns: A publisher of these values and then of this publisher's.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let numbers: Publishers.Sequence<[Int], Never> = [2, 3].publisher.prepend(0, 1).append([4])
  /// let printed = numbers.collect().sink { print($0) }
  /// printed.cancel()
  /// // Prints:
  /// // [0, 1, 2, 3, 4]
  /// ```
  @inlinable
  public func prepend(_ elements: Output...) -> Publishers.Sequence<Elements, Failure> {
    prepend(elements)
  }

  /// Puts the values of a sequence in front of the elements.
  ///
  /// - Parameter elements: The sequence of the values to deliver first, iterated in this call.
  /// - Returns: A publisher of these values and then of this publisher's.
  @inlinable
  public func prepend<S: Swift.Sequence>(_ elements: S) -> Publishers.Sequence<Elements, Failure>
  where S.Element == Output {
    var joined = Elements()
    joined.append(contentsOf: elements)
    joined.append(contentsOf: sequence)
    return .init(sequence: joined)
  }

  /// Puts the elements of another publisher in front of this publisher's.
  ///
  /// - Parameter publisher: The publisher of the elements to deliver first.
  /// - Returns: A publisher of the elements of both.
  @inlinable
  public func prepend(
    _ publisher: Publishers.Sequence<Elements, Failure>
  ) -> Publishers.Sequence<Elements, Failure> {
    publisher.append(sequence)
  }

  /// Puts the specified values behind the elements.
  ///
  /// - Parameter elements: The values to deliver last, in their order.
  /// - Returns: A publisher of this publisher's elements and then of these.
  @inlinable
  public func append(_ elements: Output...) -> Publishers.Sequence<Elements, Failure> {
    append(elements)
  }

  /// Puts the values of a sequence behind the elements.
  ///
  /// - Parameter elements: The sequence of the values to deliver last, iterated in this call.
  /// - Returns: A publisher of this publisher's elements and then of these.
  @inlinable
  public func append<S: Swift.Sequence>(_ elements: S) -> Publishers.Sequence<Elements, Failure>
  where S.Element == Output {
    var joined = sequence
    joined.append(contentsOf: elements)
    return .init(sequence: joined)
  }

  /// Puts the elements of another publisher behind this publisher's.
  ///
  /// - Parameter publisher: The publisher of the elements to deliver last.
  /// - Returns: A publisher of the elements of both.
  @inlinable
  public func append(
    _ publisher: Publishers.Sequence<Elements, Failure>
  ) -> Publishers.Sequence<Elements, Failure> {
    append(publisher.sequence)
  }
}
