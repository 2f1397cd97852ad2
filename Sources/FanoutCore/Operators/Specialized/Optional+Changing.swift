// Each of these is applied at once, and so needs no subscription of its own. The result delivers
// the same as the operator of every publisher would.

extension Optional.Publisher {
  /// Transforms the value at once.
  ///
  /// - Parameter transform: The closure that transforms the value, called in this call if there is
  ///   a value.
  /// - Returns: A publisher of the result, or of nothing.
  public func map<NewOutput>(_ transform: (Output) -> NewOutput) -> Optional<NewOutput>.Publisher {
    output.map(transform).publisher
  }

  /// Combines the value with an initial result at once.
  ///
  /// - Parameters:
  ///   - initialResult: The result that the value is combined with.
  ///   - nextPartialResult: The closure that combines them, called in this call if there is a
  ///     value.
  /// - Returns: A publisher of the result, or of nothing.
  public func scan<Accumulator>(
    _ initialResult: Accumulator, _ nextPartialResult: (Accumulator, Output) -> Accumulator
  ) -> Optional<Accumulator>.Publisher {
    output.map { nextPartialResult(initialResult, $0) }.publisher
  }

  /// Returns this publisher: it never fails.
  ///
  /// - Parameter output: The value that would replace a failure.
  /// - Returns: This publisher.
  public func replaceError(with output: Output) -> Optional<Output>.Publisher { self }
}
