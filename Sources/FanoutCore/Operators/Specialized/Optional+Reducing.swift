// Each of these is applied at once, and so needs no subscription of its own. The result delivers
// the same as the operator of every publisher would.

extension Optional.Publisher {
  /// Puts the value into an array, which is empty if there is none.
  ///
  /// - Returns: A publisher of the array.
  public func collect() -> Optional<[Output]>.Publisher { .init(output.map { [$0] } ?? []) }

  /// Delivers another value if there is none.
  ///
  /// - Parameter output: The value that replaces none.
  /// - Returns: A publisher of one value.
  public func replaceEmpty(with output: Output) -> Just<Output> {
    Just<Output>(self.output ?? output)
  }

  /// Combines the value with an initial result at once.
  ///
  /// - Parameters:
  ///   - initialResult: The result that the value is combined with.
  ///   - nextPartialResult: The closure that combines them, called in this call if there is a
  ///     value.
  /// - Returns: A publisher of the result. Without a value it is the initial result.
  public func reduce<Accumulator>(
    _ initialResult: Accumulator, _ nextPartialResult: (Accumulator, Output) -> Accumulator
  ) -> Optional<Accumulator>.Publisher {
    .init(output.map { nextPartialResult(initialResult, $0) } ?? initialResult)
  }

  /// Delivers the number of values.
  ///
  /// - Returns: A publisher of 0 or 1.
  public func count() -> Optional<Int>.Publisher { .init(output.map { _ in 1 } ?? 0) }

  /// Decides at once whether a closure accepts the value.
  ///
  /// - Parameter predicate: The closure that returns whether it accepts the value, called in this
  ///   call if there is a value.
  /// - Returns: A publisher of the answer. Without a value it is `true`.
  public func allSatisfy(_ predicate: (Output) -> Bool) -> Optional<Bool>.Publisher {
    .init(output.map { predicate($0) } ?? true)
  }

  /// Decides at once whether a closure accepts the value.
  ///
  /// - Parameter predicate: The closure that returns whether it accepts the value, called in this
  ///   call if there is a value.
  /// - Returns: A publisher of the answer. Without a value it is `false`.
  public func contains(where predicate: (Output) -> Bool) -> Optional<Bool>.Publisher {
    .init(output.map { predicate($0) } ?? false)
  }

  /// Returns this publisher: its only value is the least.
  ///
  /// - Parameter areInIncreasingOrder: The closure that would compare two values. It is not called.
  /// - Returns: This publisher.
  public func min(by areInIncreasingOrder: (Output, Output) -> Bool) -> Optional<Output>.Publisher {
    self
  }

  /// Returns this publisher: its only value is the greatest.
  ///
  /// - Parameter areInIncreasingOrder: The closure that would compare two values. It is not called.
  /// - Returns: This publisher.
  public func max(by areInIncreasingOrder: (Output, Output) -> Bool) -> Optional<Output>.Publisher {
    self
  }
}

extension Optional.Publisher where Wrapped: Comparable {
  /// Returns this publisher: its only value is the least.
  ///
  /// - Returns: This publisher.
  public func min() -> Optional<Output>.Publisher { self }

  /// Returns this publisher: its only value is the greatest.
  ///
  /// - Returns: This publisher.
  public func max() -> Optional<Output>.Publisher { self }
}

extension Optional.Publisher where Wrapped: Equatable {
  /// Decides at once whether the value equals another one.
  ///
  /// - Parameter output: The other value.
  /// - Returns: A publisher of the answer. Without a value it is `false`.
  public func contains(_ output: Output) -> Optional<Bool>.Publisher {
    .init(self.output.map { $0 == output } ?? false)
  }
}
