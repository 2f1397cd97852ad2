// Each of these is applied at once, and so needs no subscription of its own. The result delivers
// the same as the operator of every publisher would.

extension Publishers.Sequence {
  /// Transforms all elements at once, and leaves out each whose result is nil.
  ///
  /// - Parameter transform: The closure that transforms an element, called for each in this call.
  /// - Returns: A publisher of the results.
  @inlinable
  public func compactMap<NewOutput>(
    _ transform: (Output) -> NewOutput?
  ) -> Publishers.Sequence<[NewOutput], Failure> {
    .init(sequence: sequence.compactMap(transform))
  }

  /// Decides at once about all elements whether they are delivered.
  ///
  /// - Parameter isIncluded: The closure that returns whether to deliver an element, called for
  ///   each in this call.
  /// - Returns: A publisher of the elements that match.
  @inlinable
  public func filter(_ isIncluded: (Output) -> Bool) -> Publishers.Sequence<[Output], Failure> {
    .init(sequence: sequence.filter(isIncluded) as [Output])
  }

  /// Leaves out the first elements.
  ///
  /// - Parameter count: The number of elements to leave out, 0 or more; a negative number traps.
  /// - Returns: A publisher of the elements that follow, which takes them from the sequence on
  ///   request.
  public func dropFirst(
    _ count: Int = 1
  ) -> Publishers.Sequence<DropFirstSequence<Elements>, Failure> {
    let count = Publishers.Drop(upstream: self, count: count).count
    return .init(sequence: DropFirstSequence(sequence, dropping: count))
  }

  /// Delivers the first elements.
  ///
  /// - Parameter maxLength: The greatest number of elements, 0 or more; a negative number traps.
  /// - Returns: A publisher of these elements, which takes them from the sequence on request.
  public func prefix(
    _ maxLength: Int
  ) -> Publishers.Sequence<PrefixSequence<Elements>, Failure> {
    .init(sequence: PrefixSequence(sequence, maxLength: Positions.upTo(maxLength).count))
  }

  /// Delivers the first elements, up to the first that a closure does not match.
  ///
  /// - Parameter predicate: The closure that returns whether to deliver an element, called in this
  ///   call for each up to the first that does not match.
  /// - Returns: A publisher of the elements in front of that one.
  public func prefix(
    while predicate: (Output) -> Bool
  ) -> Publishers.Sequence<[Output], Failure> {
    .init(sequence: sequence.prefix(while: predicate) as [Output])
  }

  /// Leaves out the first elements, as long as a closure matches them.
  ///
  /// If the sequence's iterator is a reference, as that of `AnySequence`, then this reads it for
  /// one subscriber only.
  ///
  /// - Parameter predicate: The closure that returns whether to leave out an element, called in
  ///   this call for each up to the first that does not match.
  /// - Returns: A publisher of the other elements, which takes them from the sequence on request.
  public func drop(
    while predicate: (Output) -> Bool
  ) -> Publishers.Sequence<DropWhileSequence<Elements>, Failure> {
    .init(sequence: sequence.drop(while: predicate))
  }

  /// Leaves out all elements.
  ///
  /// - Returns: A publisher that finishes at once, and takes no element from the sequence.
  public func ignoreOutput() -> Empty<Output, Failure> { Empty() }
}

extension Publishers.Sequence where Elements.Element: Equatable {
  /// Leaves out at once each element that equals the one before it.
  ///
  /// - Returns: A publisher of the other elements.
  public func removeDuplicates() -> Publishers.Sequence<[Output], Failure> {
    var last: Output?
    return .init(
      sequence: sequence.filter { element in
        defer { last = element }
        return last.map { $0 != element } ?? true
      } as [Output])
  }
}

extension Publishers.Sequence where Elements: Collection, Failure == Never {
  /// Delivers the first element.
  ///
  /// - Returns: A publisher of the element, or of nothing if there is none.
  public func first() -> Optional<Output>.Publisher { sequence.first.publisher }

  /// Delivers the element at an index of the collection.
  ///
  /// - Parameter index: The index.
  /// - Returns: A publisher of the element, or of nothing if the collection has no such index.
  /// - Complexity: O(*n*) where *n* is the length of the collection.
  public func output(at index: Elements.Index) -> Optional<Output>.Publisher {
    (sequence.indices.contains(index) ? sequence[index] : nil).publisher
  }

  /// Delivers the element at a position.
  ///
  /// A position counts from the beginning, as for every publisher: in a slice it is not the index.
  ///
  /// - Parameter index: The position, 0 or more, where the first element has position 0; a negative
  ///   position traps.
  /// - Returns: A publisher of the element, or of nothing if there are fewer elements.
  public func output(at index: Int) -> Optional<Output>.Publisher where Elements.Index == Int {
    sequence.dropFirst(Positions.only(index).lowerBound).first.publisher
  }
}

extension Publishers.Sequence where Elements: Collection {
  /// Delivers the elements whose indices lie in a range.
  ///
  /// - Parameter range: The range of indices, which must be valid.
  /// - Returns: A publisher of these elements.
  public func output(in range: Range<Elements.Index>) -> Publishers.Sequence<[Output], Failure> {
    .init(sequence: Array(sequence[range]))
  }

  /// Delivers the elements whose positions lie in a range.
  ///
  /// A position counts from the beginning, as for every publisher: in a slice it is not the index.
  ///
  /// - Parameter range: The positions, 0 or more, where the first element has position 0. A range
  ///   that begins below 0 traps. Positions behind the last element have no effect.
  /// - Returns: A publisher of these elements.
  public func output(in range: Range<Int>) -> Publishers.Sequence<[Output], Failure>
  where Elements.Index == Int {
    let positions = Positions.all(in: range)
    return .init(sequence: Array(sequence.dropFirst(positions.lowerBound).prefix(positions.count)))
  }
}

extension Publishers.Sequence where Failure == Never {
  /// Finds the first element that a closure accepts at once.
  ///
  /// - Parameter predicate: The closure that returns whether it accepts an element, called in this
  ///   call for each up to the first that it accepts.
  /// - Returns: A publisher of the element, or of nothing if there is none.
  public func first(where predicate: (Output) -> Bool) -> Optional<Output>.Publisher {
    sequence.first(where: predicate).publisher
  }
}

extension Publishers.Sequence where Elements: BidirectionalCollection, Failure == Never {
  /// Delivers the last element.
  ///
  /// - Returns: A publisher of the element, or of nothing if there is none.
  public func last() -> Optional<Output>.Publisher { sequence.last.publisher }

  /// Finds the last element that a closure accepts at once.
  ///
  /// - Parameter predicate: The closure that returns whether it accepts an element, called in this
  ///   call from the last element on backwards, up to one that it accepts.
  /// - Returns: A publisher of the element, or of nothing if there is none.
  public func last(where predicate: (Output) -> Bool) -> Optional<Output>.Publisher {
    sequence.last(where: predicate).publisher
  }
}
