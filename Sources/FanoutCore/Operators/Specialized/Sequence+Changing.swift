// Each of these is applied at once, and so needs no subscription of its own. The result delivers
// the same as the operator of every publisher would.

extension Publishers.Sequence {
  /// Transforms all elements at once.
  ///
  /// - Parameter transform: The closure that transforms an element, called for each in this call,
  ///   and not for each subscriber.
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

  /// Combines each element with the last result at once.
  ///
  /// - Parameters:
  ///   - initialResult: The result that the first element is combined with.
  ///   - nextPartialResult: The closure that combines the last result with an element, called for
  ///     each in this call.
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
  public func replaceNil<Wrapped>(
    with output: Wrapped
  ) -> Publishers.Sequence<[Wrapped], Failure> where Output == Wrapped? {
    .init(sequence: sequence.map { $0 ?? output })
  }

  /// Changes the failure type, so that it matches another publisher: there is no failure to
  /// convert.
  ///
  /// - Parameter failureType: The new failure type.
  /// - Returns: A publisher of the same elements.
  public func setFailureType<NewFailure: Error>(
    to failureType: NewFailure.Type
  ) -> Publishers.Sequence<Elements, NewFailure> {
    .init(sequence: sequence)
  }
}
