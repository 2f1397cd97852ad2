// Each of these is applied at once, and so needs no subscription of its own. The result delivers
// the same as the operator of every publisher would.

extension Just {
  /// Transforms the value at once.
  ///
  /// - Parameter transform: The closure that transforms the value, called once, in this call.
  /// - Returns: A publisher of the result.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let doubled: Just<Int> = Just(7).map {
  ///   print("transforms", $0)
  ///   return $0 * 2
  /// }
  /// let printed = doubled.sink { print($0) }
  /// printed.cancel()
  /// // Prints:
  /// // transforms 7
  /// // 14
  /// ```
  public func map<NewOutput>(_ transform: (Output) -> NewOutput) -> Just<NewOutput> {
    Just<NewOutput>(transform(output))
  }

  /// Transforms the value at once, and fails if the closure throws.
  ///
  /// - Parameter transform: The closure that transforms the value, called once, in this call.
  /// - Returns: A publisher of the result, or of the error.
  public func tryMap<NewOutput>(
    _ transform: (Output) throws -> NewOutput
  ) -> Result<NewOutput, any Error>.Publisher {
    Result<NewOutput, any Error> { try transform(output) }.publisher
  }

  /// Combines the value with an initial result at once.
  ///
  /// - Parameters:
  ///   - initialResult: The result that the value is combined with.
  ///   - nextPartialResult: The closure that combines them, called once, in this call.
  /// - Returns: A publisher of the result.
  public func scan<Accumulator>(
    _ initialResult: Accumulator, _ nextPartialResult: (Accumulator, Output) -> Accumulator
  ) -> Result<Accumulator, Never>.Publisher {
    .init(.success(nextPartialResult(initialResult, output)))
  }

  /// Sets the failure type, so that it matches another publisher.
  ///
  /// - Parameter failureType: The new failure type.
  /// - Returns: A publisher of the same value.
  public func setFailureType<NewFailure: Error>(
    to failureType: NewFailure.Type
  ) -> Result<Output, NewFailure>.Publisher {
    .init(.success(output))
  }

  /// Changes the failure type, as ``setFailureType(to:)`` does: there is no failure to convert.
  ///
  /// - Parameter transform: The closure that would convert a failure. It is not called.
  /// - Returns: A publisher of the same value.
  public func mapError<NewFailure: Error>(
    _ transform: (Never) -> NewFailure
  ) -> Result<Output, NewFailure>.Publisher {
    .init(.success(output))
  }

  /// Returns this publisher: it never fails.
  ///
  /// - Parameter output: The value that would replace a failure.
  /// - Returns: This publisher.
  public func replaceError(with output: Output) -> Just<Output> { self }

  /// Combines the value with an initial result at once, and fails if the closure throws.
  ///
  /// - Parameters:
  ///   - initialResult: The result that the value is combined with.
  ///   - nextPartialResult: The closure that combines them, called once, in this call.
  /// - Returns: A publisher of the result, or of the error.
  public func tryScan<Accumulator>(
    _ initialResult: Accumulator, _ nextPartialResult: (Accumulator, Output) throws -> Accumulator
  ) -> Result<Accumulator, any Error>.Publisher {
    Result<Accumulator, any Error> { try nextPartialResult(initialResult, output) }.publisher
  }
}
