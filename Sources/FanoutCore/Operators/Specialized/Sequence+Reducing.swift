// Each of these is applied at once, and so needs no subscription of its own. The result delivers
// the same as the operator of every publisher would.

extension Publishers.Sequence {
  /// Puts all elements into an array at once.
  ///
  /// - Returns: A publisher of the array.
  public func collect() -> Result<[Output], Failure>.Publisher { .init(.success(Array(sequence))) }

  /// Combines all elements into one result at once.
  ///
  /// - Parameters:
  ///   - initialResult: The result that the first element is combined with.
  ///   - nextPartialResult: The closure that combines the last result with an element, called for
  ///     each in this call.
  /// - Returns: A publisher of the last result.
  public func reduce<Accumulator>(
    _ initialResult: Accumulator, _ nextPartialResult: (Accumulator, Output) -> Accumulator
  ) -> Result<Accumulator, Failure>.Publisher {
    .init(.success(sequence.reduce(initialResult, nextPartialResult)))
  }

  /// Combines all elements into one result at once, and fails if the closure throws.
  ///
  /// - Parameters:
  ///   - initialResult: The result that the first element is combined with.
  ///   - nextPartialResult: The closure that combines the last result with an element, called in
  ///     this call for each until it throws.
  /// - Returns: A publisher of the last result, or of the error.
  public func tryReduce<Accumulator>(
    _ initialResult: Accumulator, _ nextPartialResult: (Accumulator, Output) throws -> Accumulator
  ) -> Result<Accumulator, any Error>.Publisher {
    Result<Accumulator, any Error> {
      try sequence.reduce(initialResult, nextPartialResult)
    }.publisher
  }

  /// Decides at once whether a closure accepts all elements.
  ///
  /// - Parameter predicate: The closure that returns whether it accepts an element, called in this
  ///   call for each up to the first that it does not accept.
  /// - Returns: A publisher of the answer, which is `true` if there is no element.
  public func allSatisfy(_ predicate: (Output) -> Bool) -> Result<Bool, Failure>.Publisher {
    .init(.success(sequence.allSatisfy(predicate)))
  }

  /// Decides at once whether a closure accepts all elements, and fails if it throws.
  ///
  /// - Parameter predicate: The closure that returns whether it accepts an element, called in this
  ///   call for each up to the first that it does not accept.
  /// - Returns: A publisher of the answer, or of the error.
  public func tryAllSatisfy(
    _ predicate: (Output) throws -> Bool
  ) -> Result<Bool, any Error>.Publisher {
    Result<Bool, any Error> { try sequence.allSatisfy(predicate) }.publisher
  }

  /// Decides at once whether a closure accepts one of the elements.
  ///
  /// - Parameter predicate: The closure that returns whether it accepts an element, called in this
  ///   call for each up to the first that it accepts.
  /// - Returns: A publisher of the answer.
  public func contains(where predicate: (Output) -> Bool) -> Result<Bool, Failure>.Publisher {
    .init(.success(sequence.contains(where: predicate)))
  }

  /// Decides at once whether a closure accepts one of the elements, and fails if it throws.
  ///
  /// - Parameter predicate: The closure that returns whether it accepts an element, called in this
  ///   call for each up to the first that it accepts.
  /// - Returns: A publisher of the answer, or of the error.
  public func tryContains(
    where predicate: (Output) throws -> Bool
  ) -> Result<Bool, any Error>.Publisher {
    Result<Bool, any Error> { try sequence.contains(where: predicate) }.publisher
  }
}

extension Publishers.Sequence where Elements.Element: Equatable {
  /// Decides at once whether one of the elements equals a value.
  ///
  /// - Parameter output: The value.
  /// - Returns: A publisher of the answer.
  public func contains(_ output: Output) -> Result<Bool, Failure>.Publisher {
    .init(.success(sequence.contains(output)))
  }
}

extension Publishers.Sequence where Failure == Never {
  /// Finds the least element by an order of your own at once.
  ///
  /// - Parameter areInIncreasingOrder: The closure that returns whether its first argument is less
  ///   than its second, called in this call.
  /// - Returns: A publisher of the element, or of nothing if there is none. Of equal elements it
  ///   delivers the first.
  public func min(
    by areInIncreasingOrder: (Output, Output) -> Bool
  ) -> Optional<Output>.Publisher {
    sequence.min(by: areInIncreasingOrder).publisher
  }

  /// Finds the greatest element by an order of your own at once.
  ///
  /// - Parameter areInIncreasingOrder: The closure that returns whether its first argument is less
  ///   than its second, called in this call.
  /// - Returns: A publisher of the element, or of nothing if there is none. Of equal elements it
  ///   delivers the first.
  public func max(
    by areInIncreasingOrder: (Output, Output) -> Bool
  ) -> Optional<Output>.Publisher {
    sequence.max(by: areInIncreasingOrder).publisher
  }
}

extension Publishers.Sequence where Failure == Never, Elements.Element: Comparable {
  /// Finds the least element at once.
  ///
  /// - Returns: A publisher of the element, or of nothing if there is none. Of equal elements it
  ///   delivers the first.
  public func min() -> Optional<Output>.Publisher { min(by: <) }

  /// Finds the greatest element at once.
  ///
  /// - Returns: A publisher of the element, or of nothing if there is none. Of equal elements it
  ///   delivers the first.
  public func max() -> Optional<Output>.Publisher { max(by: <) }
}

extension Publishers.Sequence where Elements: Collection {
  /// Delivers the number of elements.
  ///
  /// - Returns: A publisher of the number.
  /// - Complexity: O(*n*) where *n* is the length of the collection.
  public func count() -> Result<Int, Failure>.Publisher { .init(.success(sequence.count)) }
}

extension Publishers.Sequence where Elements: RandomAccessCollection, Failure == Never {
  /// Delivers the number of elements.
  ///
  /// - Returns: A publisher of the number.
  public func count() -> Just<Int> { Just(sequence.count) }
}
