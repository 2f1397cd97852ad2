// Each of these is applied at once, and so needs no subscription of its own. The result delivers
// the same as the operator of every publisher would.

extension Just {
  /// Transforms the value at once, and leaves it out if the result is nil.
  ///
  /// - Parameter transform: The closure that transforms the value, called once, in this call.
  /// - Returns: A publisher of the result.
  public func compactMap<NewOutput>(
    _ transform: (Output) -> NewOutput?
  ) -> Optional<NewOutput>.Publisher {
    transform(output).publisher
  }

  /// Decides at once whether the value is delivered.
  ///
  /// - Parameter isIncluded: The closure that returns whether to deliver the value, called once, in
  ///   this call.
  /// - Returns: A publisher of the value, or of nothing.
  public func filter(_ isIncluded: (Output) -> Bool) -> Optional<Output>.Publisher {
    kept(if: isIncluded(output))
  }

  /// Returns this publisher: one value has no duplicate.
  ///
  /// - Parameter predicate: The closure that would compare two values. It is not called.
  /// - Returns: This publisher.
  public func removeDuplicates(by predicate: (Output, Output) -> Bool) -> Just<Output> { self }

  /// Returns this publisher: its only value is its first.
  ///
  /// - Returns: This publisher.
  public func first() -> Just<Output> { self }

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
  func kept(if isKept: Bool) -> Optional<Output>.Publisher {
    (isKept ? output : nil).publisher
  }

  /// Returns this publisher: its only value is its last.
  ///
  /// - Returns: This publisher.
  public func last() -> Just<Output> { self }

  /// Decides at once whether the value is delivered.
  ///
  /// - Parameter predicate: The closure that returns whether to deliver the value, called once, in
  ///   this call.
  /// - Returns: A publisher of the value, or of nothing.
  public func first(where predicate: (Output) -> Bool) -> Optional<Output>.Publisher {
    kept(if: predicate(output))
  }

  /// Decides at once whether the value is delivered.
  ///
  /// - Parameter predicate: The closure that returns whether to deliver the value, called once, in
  ///   this call.
  /// - Returns: A publisher of the value, or of nothing.
  public func last(where predicate: (Output) -> Bool) -> Optional<Output>.Publisher {
    kept(if: predicate(output))
  }

  /// Decides at once whether the value is delivered.
  ///
  /// - Parameter predicate: The closure that returns whether to deliver the value, called once, in
  ///   this call.
  /// - Returns: A publisher of the value, or of nothing.
  public func prefix(while predicate: (Output) -> Bool) -> Optional<Output>.Publisher {
    kept(if: predicate(output))
  }

  /// Decides at once whether the value is left out.
  ///
  /// - Parameter predicate: The closure that returns whether to leave out the value, called once,
  ///   in this call.
  /// - Returns: A publisher of the value, or of nothing.
  public func drop(while predicate: (Output) -> Bool) -> Optional<Output>.Publisher {
    kept(if: !predicate(output))
  }

  /// Sets the failure type: one value has no duplicate.
  ///
  /// - Parameter predicate: The closure that would compare two values. It is not called.
  /// - Returns: A publisher of the same value.
  public func tryRemoveDuplicates(
    by predicate: (Output, Output) throws -> Bool
  ) -> Result<Output, any Error>.Publisher {
    .init(.success(output))
  }

  /// Leaves out the value.
  ///
  /// - Returns: A publisher that finishes at once.
  public func ignoreOutput() -> Empty<Output, Never> { Empty() }
}

extension Just where Output: Equatable {
  /// Returns this publisher: one value has no duplicate.
  ///
  /// - Returns: This publisher.
  public func removeDuplicates() -> Just<Output> { self }
}
