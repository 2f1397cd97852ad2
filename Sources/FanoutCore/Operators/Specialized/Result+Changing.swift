// Each of these is applied at once, and so needs no subscription of its own. The result delivers
// the same as the operator of every publisher would.

extension Result.Publisher {
  /// Transforms the value at once.
  ///
  /// - Parameter transform: The closure that transforms the value, called in this call if there is
  ///   a value.
  /// - Returns: A publisher of the result, or of the failure.
  public func map<NewOutput>(
    _ transform: (Output) -> NewOutput
  ) -> Result<NewOutput, Failure>.Publisher {
    result.map(transform).publisher
  }

  /// Transforms the value at once, and fails if the closure throws.
  ///
  /// - Parameter transform: The closure that transforms the value, called in this call if there is
  ///   a value.
  /// - Returns: A publisher of the result, of the error that the closure has thrown, or of the
  ///   failure.
  public func tryMap<NewOutput>(
    _ transform: (Output) throws -> NewOutput
  ) -> Result<NewOutput, any Error>.Publisher {
    result.tryMap(transform).publisher
  }

  /// Combines the value with an initial result at once.
  ///
  /// - Parameters:
  ///   - initialResult: The result that the value is combined with.
  ///   - nextPartialResult: The closure that combines them, called in this call if there is a
  ///     value.
  /// - Returns: A publisher of the result, or of the failure.
  public func scan<Accumulator>(
    _ initialResult: Accumulator, _ nextPartialResult: (Accumulator, Output) -> Accumulator
  ) -> Result<Accumulator, Failure>.Publisher {
    result.map { nextPartialResult(initialResult, $0) }.publisher
  }

  /// Converts the failure at once.
  ///
  /// - Parameter transform: The closure that converts the failure, called in this call if there is
  ///   one.
  /// - Returns: A publisher of the value, or of the new failure.
  public func mapError<NewFailure: Error>(
    _ transform: (Failure) -> NewFailure
  ) -> Result<Output, NewFailure>.Publisher {
    result.mapError(transform).publisher
  }

  /// Replaces the failure with a value.
  ///
  /// - Parameter output: The value that replaces the failure.
  /// - Returns: A publisher of one value, which never fails.
  public func replaceError(with output: Output) -> Result<Output, Never>.Publisher {
    switch result {
    case .success(let known): .init(.success(known))
    case .failure: .init(.success(output))
    }
  }

  /// Combines the value with an initial result at once, and fails if the closure throws.
  ///
  /// - Parameters:
  ///   - initialResult: The result that the value is combined with.
  ///   - nextPartialResult: The closure that combines them, called in this call if there is a
  ///     value.
  /// - Returns: A publisher of the result, or of the error, or of the failure.
  public func tryScan<Accumulator>(
    _ initialResult: Accumulator, _ nextPartialResult: (Accumulator, Output) throws -> Accumulator
  ) -> Result<Accumulator, any Error>.Publisher {
    result.tryMap { try nextPartialResult(initialResult, $0) }.publisher
  }
}

extension Result.Publisher where Failure == Never {
  /// Sets the failure type, so that it matches another publisher.
  ///
  /// - Parameter failureType: The new failure type.
  /// - Returns: A publisher of the same value.
  public func setFailureType<NewFailure: Error>(
    to failureType: NewFailure.Type
  ) -> Result<Output, NewFailure>.Publisher {
    switch result {
    case .success(let output): .init(.success(output))
    }
  }
}
