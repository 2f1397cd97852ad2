// Each of these is applied at once, and so needs no subscription of its own. The result delivers the same as
// the operator of every publisher would.

public import FanoutCore

extension Result.Publisher {
  /// Returns this publisher: its only value is its last.
  ///
  /// - Returns: This publisher.
  @inlinable
  public func last() -> Result<Output, Failure>.Publisher { self }

  /// Combines the value with an initial result at once, and fails if the closure throws.
  ///
  /// - Parameters:
  ///   - initialResult: The result that the value is combined with.
  ///   - nextPartialResult: The closure that combines them, called in this call if there is a value.
  /// - Returns: A publisher of the result, or of the error, or of the failure.
  @inlinable
  public func tryScan<Accumulator>(
    _ initialResult: Accumulator, _ nextPartialResult: (Accumulator, Output) throws -> Accumulator
  ) -> Result<Accumulator, any Error>.Publisher {
    result.tryMap { try nextPartialResult(initialResult, $0) }.publisher
  }

  /// Sets the failure type: one value has no duplicate.
  ///
  /// - Parameter predicate: The closure that would compare two values. It is not called.
  /// - Returns: A publisher of the same value, or of the failure.
  @inlinable
  public func tryRemoveDuplicates(
    by predicate: (Output, Output) throws -> Bool
  ) -> Result<Output, any Error>.Publisher {
    result.mapError { $0 }.publisher
  }

  /// Returns this publisher: it has a value, or a failure.
  ///
  /// - Parameter output: The value that an empty publisher would deliver.
  /// - Returns: This publisher.
  @inlinable
  public func replaceEmpty(with output: Output) -> Result<Output, Failure>.Publisher { self }

  /// Returns this publisher: it would fail again.
  ///
  /// - Parameter retries: The number of further subscriptions, 0 or more. A negative number traps.
  /// - Returns: This publisher.
  public func retry(_ retries: Int) -> Result<Output, Failure>.Publisher {
    Publishers.Retry(upstream: self, retries: retries).upstream
  }
}

extension Result.Publisher where Failure == Never {
  /// Leaves out the value.
  ///
  /// - Returns: A publisher that finishes at once.
  @inlinable
  public func ignoreOutput() -> Empty<Output, Never> { Empty() }
}
