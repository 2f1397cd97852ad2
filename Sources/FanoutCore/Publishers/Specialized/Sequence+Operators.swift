// Each of these is applied at once, and so needs no subscription of its own. The result delivers the same as
// the operator of every publisher would.

extension Publishers.Sequence {
  /// Transforms all elements at once.
  ///
  /// - Parameter transform: The closure that transforms an element, called for each in this call, and not for
  ///   each subscriber.
  /// - Returns: A publisher of the results.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let doubled: Publishers.Sequence<[Int], Never> = (1...2).publisher.map {
  ///   print("transforms", $0)
  ///   return $0 * 2
  /// }
  /// let printed = doubled.sink { print($0) }
  /// printed.cancel()
  /// // Prints:
  /// // transforms 1
  /// // transforms 2
  /// // 2
  /// // 4
  /// ```
  @inlinable
  public func map<NewOutput>(
    _ transform: (Output) -> NewOutput
  ) -> Publishers.Sequence<[NewOutput], Failure> {
    .init(sequence: sequence.map(transform))
  }

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
  /// - Parameter isIncluded: The closure that returns whether to deliver an element, called for each in this
  ///   call.
  /// - Returns: A publisher of the elements that match.
  @inlinable
  public func filter(_ isIncluded: (Output) -> Bool) -> Publishers.Sequence<[Output], Failure> {
    .init(sequence: sequence.filter(isIncluded) as [Output])
  }

  /// Combines each element with the last result at once.
  ///
  /// - Parameters:
  ///   - initialResult: The result that the first element is combined with.
  ///   - nextPartialResult: The closure that combines the last result with an element, called for each in this
  ///     call.
  /// - Returns: A publisher of the results.
  @inlinable
  public func scan<Accumulator>(
    _ initialResult: Accumulator, _ nextPartialResult: (Accumulator, Output) -> Accumulator
  ) -> Publishers.Sequence<[Accumulator], Failure> {
    var last = initialResult
    return .init(
      sequence: sequence.map {
        last = nextPartialResult(last, $0)
        return last
      })
  }

  /// Replaces each nil with a value at once, and unwraps the other elements.
  ///
  /// - Parameter output: The value that replaces nil.
  /// - Returns: A publisher of elements that are not optional.
  @inlinable
  public func replaceNil<Wrapped>(
    with output: Wrapped
  ) -> Publishers.Sequence<[Wrapped], Failure> where Output == Wrapped? {
    .init(sequence: sequence.map { $0 ?? output })
  }

  /// Puts all elements into an array at once.
  ///
  /// - Returns: A publisher of the array.
  @inlinable
  public func collect() -> Result<[Output], Failure>.Publisher { .init(.success(Array(sequence))) }

  /// Changes the failure type, so that it matches another publisher: there is no failure to convert.
  ///
  /// - Parameter failureType: The new failure type.
  /// - Returns: A publisher of the same elements.
  @inlinable
  public func setFailureType<NewFailure: Error>(
    to failureType: NewFailure.Type
  ) -> Publishers.Sequence<Elements, NewFailure> {
    .init(sequence: sequence)
  }
}

extension Publishers.Sequence where Elements.Element: Equatable {
  /// Leaves out at once each element that equals the one before it.
  ///
  /// - Returns: A publisher of the other elements.
  @inlinable
  public func removeDuplicates() -> Publishers.Sequence<[Output], Failure> {
    var last: Output?
    return .init(
      sequence: sequence.filter { element in
        defer { last = element }
        return last.map { $0 != element } ?? true
      } as [Output])
  }
}

extension Publishers.Sequence {
  /// Leaves out the first elements.
  ///
  /// - Parameter count: The number of elements to leave out, 0 or more; a negative number traps.
  /// - Returns: A publisher of the elements that follow, which takes them from the sequence on request.
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
}

extension Publishers.Sequence where Elements: Collection, Failure == Never {
  /// Delivers the first element.
  ///
  /// - Returns: A publisher of the element, or of nothing if there is none.
  @inlinable
  public func first() -> Optional<Output>.Publisher { sequence.first.publisher }

  /// Delivers the element at an index of the collection.
  ///
  /// - Parameter index: The index.
  /// - Returns: A publisher of the element, or of nothing if the collection has no such index.
  /// - Complexity: O(*n*) where *n* is the length of the collection.
  @inlinable
  public func output(at index: Elements.Index) -> Optional<Output>.Publisher {
    (sequence.indices.contains(index) ? sequence[index] : nil).publisher
  }

  /// Delivers the element at a position.
  ///
  /// A position counts from the beginning, as for every publisher: in a slice it is not the index.
  ///
  /// - Parameter index: The position, 0 or more, where the first element has position 0; a negative position
  ///   traps.
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
  @inlinable
  public func output(in range: Range<Elements.Index>) -> Publishers.Sequence<[Output], Failure> {
    .init(sequence: Array(sequence[range]))
  }

  /// Delivers the elements whose positions lie in a range.
  ///
  /// A position counts from the beginning, as for every publisher: in a slice it is not the index.
  ///
  /// - Parameter range: The positions, 0 or more, where the first element has position 0. A range that begins
  ///   below 0 traps. Positions behind the last element have no effect.
  /// - Returns: A publisher of these elements.
  public func output(in range: Range<Int>) -> Publishers.Sequence<[Output], Failure>
  where Elements.Index == Int {
    let positions = Positions.all(in: range)
    return .init(sequence: Array(sequence.dropFirst(positions.lowerBound).prefix(positions.count)))
  }
}
