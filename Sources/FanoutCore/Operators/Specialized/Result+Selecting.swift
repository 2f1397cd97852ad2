// Each of these is applied at once, and so needs no subscription of its own. The result delivers
// the same as the operator of every publisher would.

extension Result.Publisher {
  /// Returns this publisher: one value has no duplicate.
  ///
  /// - Parameter predicate: The closure that would compare two values. It is not called.
  /// - Returns: This publisher.
  public func removeDuplicates(
    by predicate: (Output, Output) -> Bool
  ) -> Result<Output, Failure>.Publisher { self }

  /// Returns this publisher: its only value is its first.
  ///
  /// - Returns: This publisher.
  public func first() -> Result<Output, Failure>.Publisher { self }

  /// Returns this publisher: its only value is its last.
  ///
  /// - Returns: This publisher.
  public func last() -> Result<Output, Failure>.Publisher { self }

  /// Sets the failure type: one value has no duplicate.
  ///
  /// - Parameter predicate: The closure that would compare two values. It is not called.
  /// - Returns: A publisher of the same value, or of the failure.
  public func tryRemoveDuplicates(
    by predicate: (Output, Output) throws -> Bool
  ) -> Result<Output, any Error>.Publisher {
    result.mapError { $0 }.publisher
  }
}

extension Result.Publisher where Success: Equatable {
  /// Returns this publisher: one value has no duplicate.
  ///
  /// - Returns: This publisher.
  public func removeDuplicates() -> Result<Output, Failure>.Publisher { self }
}

extension Result.Publisher where Failure == Never {
  /// Leaves out the value.
  ///
  /// - Returns: A publisher that finishes at once.
  public func ignoreOutput() -> Empty<Output, Never> { Empty() }
}
