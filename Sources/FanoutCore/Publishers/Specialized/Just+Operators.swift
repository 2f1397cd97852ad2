// Each of these is applied at once, and so needs no subscription of its own. The result delivers the same as
// the operator of every publisher would.

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
  @inlinable
  public func map<NewOutput>(_ transform: (Output) -> NewOutput) -> Just<NewOutput> {
    Just<NewOutput>(transform(output))
  }

  /// Transforms the value at once, and fails if the closure throws.
  ///
  /// - Parameter transform: The closure that transforms the value, called once, in this call.
  /// - Returns: A publisher of the result, or of the error.
  @inlinable
  public func tryMap<NewOutput>(
    _ transform: (Output) throws -> NewOutput
  ) -> Result<NewOutput, any Error>.Publisher {
    Result<NewOutput, any Error> { try transform(output) }.publisher
  }

  /// Transforms the value at once, and leaves it out if the result is nil.
  ///
  /// - Parameter transform: The closure that transforms the value, called once, in this call.
  /// - Returns: A publisher of the result.
  @inlinable
  public func compactMap<NewOutput>(
    _ transform: (Output) -> NewOutput?
  ) -> Optional<NewOutput>.Publisher {
    transform(output).publisher
  }

  /// Decides at once whether the value is delivered.
  ///
  /// - Parameter isIncluded: The closure that returns whether to deliver the value, called once, in this
  ///   call.
  /// - Returns: A publisher of the value, or of nothing.
  @inlinable
  public func filter(_ isIncluded: (Output) -> Bool) -> Optional<Output>.Publisher {
    kept(if: isIncluded(output))
  }

  /// Combines the value with an initial result at once.
  ///
  /// - Parameters:
  ///   - initialResult: The result that the value is combined with.
  ///   - nextPartialResult: The closure that combines them, called once, in this call.
  /// - Returns: A publisher of the result.
  @inlinable
  public func scan<Accumulator>(
    _ initialResult: Accumulator, _ nextPartialResult: (Accumulator, Output) -> Accumulator
  ) -> Result<Accumulator, Never>.Publisher {
    .init(.success(nextPartialResult(initialResult, output)))
  }

  /// Returns this publisher: one value has no duplicate.
  ///
  /// - Parameter predicate: The closure that would compare two values. It is not called.
  /// - Returns: This publisher.
  @inlinable
  public func removeDuplicates(by predicate: (Output, Output) -> Bool) -> Just<Output> { self }

  /// Returns this publisher: its only value is its first.
  ///
  /// - Returns: This publisher.
  @inlinable
  public func first() -> Just<Output> { self }

  /// Puts the value into an array.
  ///
  /// - Returns: A publisher of the array.
  @inlinable
  public func collect() -> Just<[Output]> { Just<[Output]>([output]) }
}

extension Just where Output: Equatable {
  /// Returns this publisher: one value has no duplicate.
  ///
  /// - Returns: This publisher.
  @inlinable
  public func removeDuplicates() -> Just<Output> { self }
}

extension Just {
  /// Leaves out the value, unless the number is 0.
  ///
  /// - Parameter count: The number of values to leave out, 0 or more; a negative number traps.
  /// - Returns: A publisher of nothing, or of the value.
  public func dropFirst(_ count: Int = 1) -> Optional<Output>.Publisher {
    kept(if: Publishers.Drop(upstream: self, count: count).count == 0)
  }

  /// Delivers the value, unless the number is 0.
  ///
  /// - Parameter maxLength: The greatest number of values, 0 or more; a negative number traps.
  /// - Returns: A publisher of the value, or of nothing.
  public func prefix(_ maxLength: Int) -> Optional<Output>.Publisher {
    kept(if: Positions.upTo(maxLength).contains(0))
  }

  /// Delivers the value if the position is 0.
  ///
  /// - Parameter index: The position, 0 or more; a negative position traps.
  /// - Returns: A publisher of the value, or of nothing.
  public func output(at index: Int) -> Optional<Output>.Publisher {
    kept(if: Positions.only(index).contains(0))
  }

  /// Delivers the value if the range contains the position 0.
  ///
  /// - Parameter range: The positions, 0 or more. A range that begins below 0 traps.
  /// - Returns: A publisher of the value, or of nothing.
  public func output<R: RangeExpression>(in range: R) -> Optional<Output>.Publisher
  where R.Bound == Int {
    kept(if: Positions.all(in: range).contains(0))
  }

  /// Returns a publisher of the value if the condition holds, and of nothing otherwise.
  @inlinable
  package func kept(if isKept: Bool) -> Optional<Output>.Publisher {
    (isKept ? output : nil).publisher
  }
}

extension Just {
  /// Sets the failure type, so that it matches another publisher.
  ///
  /// - Parameter failureType: The new failure type.
  /// - Returns: A publisher of the same value.
  @inlinable
  public func setFailureType<NewFailure: Error>(
    to failureType: NewFailure.Type
  ) -> Result<Output, NewFailure>.Publisher {
    .init(.success(output))
  }

  /// Changes the failure type, as ``setFailureType(to:)`` does: there is no failure to convert.
  ///
  /// - Parameter transform: The closure that would convert a failure. It is not called.
  /// - Returns: A publisher of the same value.
  @inlinable
  public func mapError<NewFailure: Error>(
    _ transform: (Never) -> NewFailure
  ) -> Result<Output, NewFailure>.Publisher {
    .init(.success(output))
  }

  /// Returns this publisher: it never fails.
  ///
  /// - Parameter output: The value that would replace a failure.
  /// - Returns: This publisher.
  @inlinable
  public func replaceError(with output: Output) -> Just<Output> { self }
}
