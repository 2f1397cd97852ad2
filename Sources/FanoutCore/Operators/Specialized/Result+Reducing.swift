// Each of these is applied at once, and so needs no subscription of its own. The result delivers
// the same as the operator of every publisher would.

extension Result.Publisher {
  /// Puts the value into an array.
  ///
  /// - Returns: A publisher of the array, or of the failure.
  public func collect() -> Result<[Output], Failure>.Publisher { result.map { [$0] }.publisher }

  /// Returns this publisher: it has a value, or a failure.
  ///
  /// - Parameter output: The value that an empty publisher would deliver.
  /// - Returns: This publisher.
  public func replaceEmpty(with output: Output) -> Result<Output, Failure>.Publisher { self }

  /// Combines the value with an initial result at once.
  ///
  /// - Parameters:
  ///   - initialResult: The result that the value is combined with.
  ///   - nextPartialResult: The closure that combines them, called in this call if there is a
  ///     value.
  /// - Returns: A publisher of the result, or of the failure.
  public func reduce<Accumulator>(
    _ initialResult: Accumulator, _ nextPartialResult: (Accumulator, Output) -> Accumulator
  ) -> Result<Accumulator, Failure>.Publisher {
    result.map { nextPartialResult(initialResult, $0) }.publisher
  }

  /// Combines the value with an initial result at once, and fails if the closure throws.
  ///
  /// - Parameters:
  ///   - initialResult: The result that the value is combined with.
  ///   - nextPartialResult: The closure that combines them, called in this call if there is a
  ///     value.
  /// - Returns: A publisher of the result, or of the error, or of the failure.
  public func tryReduce<Accumulator>(
    _ initialResult: Accumulator, _ nextPartialResult: (Accumulator, Output) throws -> Accumulator
  ) -> Result<Accumulator, any Error>.Publisher {
    result.tryMap { try nextPartialResult(initialResult, $0) }.publisher
  }

  /// Delivers the number of values.
  ///
  /// - Returns: A publisher of 1, or of the failure.
  public func count() -> Result<Int, Failure>.Publisher { result.map { _ in 1 }.publisher }

  /// Decides at once whether a closure accepts the value.
  ///
  /// - Parameter predicate: The closure that returns whether it accepts the value, called in this
  ///   call if there is a value.
  /// - Returns: A publisher of the answer, or of the failure.
  public func allSatisfy(_ predicate: (Output) -> Bool) -> Result<Bool, Failure>.Publisher {
    result.map { predicate($0) }.publisher
  }

  /// Decides at once whether a closure accepts the value, and fails if the closure throws.
  ///
  /// - Parameter predicate: The closure that returns whether it accepts the value, called in this
  ///   call if there is a value.
  /// - Returns: A publisher of the answer, or of the error, or of the failure.
  public func tryAllSatisfy(
    _ predicate: (Output) throws -> Bool
  ) -> Result<Bool, any Error>.Publisher {
    result.tryMap { try predicate($0) }.publisher
  }

  /// Decides at once whether a closure accepts the value.
  ///
  /// - Parameter predicate: The closure that returns whether it accepts the value, called in this
  ///   call if there is a value.
  /// - Returns: A publisher of the answer, or of the failure.
  public func contains(where predicate: (Output) -> Bool) -> Result<Bool, Failure>.Publisher {
    result.map { predicate($0) }.publisher
  }

  /// Decides at once whether a closure accepts the value, and fails if the closure throws.
  ///
  /// - Parameter predicate: The closure that returns whether it accepts the value, called in this
  ///   call if there is a value.
  /// - Returns: A publisher of the answer, or of the error, or of the failure.
  public func tryContains(
    where predicate: (Output) throws -> Bool
  ) -> Result<Bool, any Error>.Publisher {
    result.tryMap { try predicate($0) }.publisher
  }

  /// Returns this publisher: its only value is the least.
  ///
  /// - Parameter areInIncreasingOrder: The closure that would compare two values. It is not called.
  /// - Returns: This publisher.
  public func min(by areInIncreasingOrder: (Output, Output) -> Bool)
    -> Result<Output, Failure>.Publisher
  {
    self
  }

  /// Sets the failure type: the only value is the least.
  ///
  /// - Parameter areInIncreasingOrder: The closure that would compare two values. It is not called.
  /// - Returns: A publisher of the same value, or of the failure.
  public func tryMin(
    by areInIncreasingOrder: (Output, Output) throws -> Bool
  ) -> Result<Output, any Error>.Publisher {
    result.mapError { $0 }.publisher
  }

  /// Returns this publisher: its only value is the greatest.
  ///
  /// - Parameter areInIncreasingOrder: The closure that would compare two values. It is not called.
  /// - Returns: This publisher.
  public func max(by areInIncreasingOrder: (Output, Output) -> Bool)
    -> Result<Output, Failure>.Publisher
  {
    self
  }

  /// Sets the failure type: the only value is the greatest.
  ///
  /// - Parameter areInIncreasingOrder: The closure that would compare two values. It is not called.
  /// - Returns: A publisher of the same value, or of the failure.
  public func tryMax(
    by areInIncreasingOrder: (Output, Output) throws -> Bool
  ) -> Result<Output, any Error>.Publisher {
    result.mapError { $0 }.publisher
  }
}

extension Result.Publisher where Success: Comparable {
  /// Returns this publisher: its only value is the least.
  ///
  /// - Returns: This publisher.
  public func min() -> Result<Output, Failure>.Publisher { self }

  /// Returns this publisher: its only value is the greatest.
  ///
  /// - Returns: This publisher.
  public func max() -> Result<Output, Failure>.Publisher { self }
}

extension Result.Publisher where Success: Equatable {
  /// Decides at once whether the value equals another one.
  ///
  /// - Parameter output: The other value.
  /// - Returns: A publisher of the answer, or of the failure.
  public func contains(_ output: Output) -> Result<Bool, Failure>.Publisher {
    result.map { $0 == output }.publisher
  }
}
