// Each of these is applied at once, and so needs no subscription of its own. The result delivers
// the same as the operator of every publisher would.

extension Just {
  /// Puts the value into an array.
  ///
  /// - Returns: A publisher of the array.
  public func collect() -> Just<[Output]> { Just<[Output]>([output]) }

  /// Returns this publisher: it has a value.
  ///
  /// - Parameter output: The value that an empty publisher would deliver.
  /// - Returns: This publisher.
  public func replaceEmpty(with output: Output) -> Just<Output> { self }

  /// Combines the value with an initial result at once.
  ///
  /// - Parameters:
  ///   - initialResult: The result that the value is combined with.
  ///   - nextPartialResult: The closure that combines them, called once, in this call.
  /// - Returns: A publisher of the result.
  public func reduce<Accumulator>(
    _ initialResult: Accumulator, _ nextPartialResult: (Accumulator, Output) -> Accumulator
  ) -> Result<Accumulator, Never>.Publisher {
    .init(.success(nextPartialResult(initialResult, output)))
  }

  /// Combines the value with an initial result at once, and fails if the closure throws.
  ///
  /// - Parameters:
  ///   - initialResult: The result that the value is combined with.
  ///   - nextPartialResult: The closure that combines them, called once, in this call.
  /// - Returns: A publisher of the result, or of the error.
  public func tryReduce<Accumulator>(
    _ initialResult: Accumulator, _ nextPartialResult: (Accumulator, Output) throws -> Accumulator
  ) -> Result<Accumulator, any Error>.Publisher {
    Result<Accumulator, any Error> { try nextPartialResult(initialResult, output) }.publisher
  }

  /// Delivers the number of values.
  ///
  /// - Returns: A publisher of 1.
  public func count() -> Just<Int> { Just<Int>(1) }

  /// Decides at once whether a closure accepts the value.
  ///
  /// - Parameter predicate: The closure that returns whether it accepts the value, called once, in
  ///   this call.
  /// - Returns: A publisher of the answer.
  public func allSatisfy(_ predicate: (Output) -> Bool) -> Just<Bool> {
    Just<Bool>(predicate(output))
  }

  /// Decides at once whether a closure accepts the value, and fails if the closure throws.
  ///
  /// - Parameter predicate: The closure that returns whether it accepts the value, called once, in
  ///   this call.
  /// - Returns: A publisher of the answer, or of the error.
  public func tryAllSatisfy(
    _ predicate: (Output) throws -> Bool
  ) -> Result<Bool, any Error>.Publisher {
    Result<Bool, any Error> { try predicate(output) }.publisher
  }

  /// Decides at once whether a closure accepts the value.
  ///
  /// - Parameter predicate: The closure that returns whether it accepts the value, called once, in
  ///   this call.
  /// - Returns: A publisher of the answer.
  public func contains(where predicate: (Output) -> Bool) -> Just<Bool> {
    Just<Bool>(predicate(output))
  }

  /// Decides at once whether a closure accepts the value, and fails if the closure throws.
  ///
  /// - Parameter predicate: The closure that returns whether it accepts the value, called once, in
  ///   this call.
  /// - Returns: A publisher of the answer, or of the error.
  public func tryContains(
    where predicate: (Output) throws -> Bool
  ) -> Result<Bool, any Error>.Publisher {
    Result<Bool, any Error> { try predicate(output) }.publisher
  }

  /// Returns this publisher: its only value is the least.
  ///
  /// - Parameter areInIncreasingOrder: The closure that would compare two values. It is not called.
  /// - Returns: This publisher.
  public func min(by areInIncreasingOrder: (Output, Output) -> Bool) -> Just<Output> {
    self
  }

  /// Returns this publisher: its only value is the greatest.
  ///
  /// - Parameter areInIncreasingOrder: The closure that would compare two values. It is not called.
  /// - Returns: This publisher.
  public func max(by areInIncreasingOrder: (Output, Output) -> Bool) -> Just<Output> {
    self
  }
}

extension Just where Output: Comparable {
  /// Returns this publisher: its only value is the least.
  ///
  /// - Returns: This publisher.
  public func min() -> Just<Output> { self }

  /// Returns this publisher: its only value is the greatest.
  ///
  /// - Returns: This publisher.
  public func max() -> Just<Output> { self }
}

extension Just where Output: Equatable {
  /// Decides at once whether the value equals another one.
  ///
  /// - Parameter output: The other value.
  /// - Returns: A publisher of the answer.
  public func contains(_ output: Output) -> Just<Bool> {
    Just<Bool>(self.output == output)
  }
}
