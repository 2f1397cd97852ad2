// Each of these is applied at once, and so needs no subscription of its own. The result delivers
// the same as the operator of every publisher would.

extension Optional.Publisher {
  /// Transforms the value at once, and leaves it out if the result is nil.
  ///
  /// - Parameter transform: The closure that transforms the value, called in this call if there is
  ///   a value.
  /// - Returns: A publisher of the result, or of nothing.
  public func compactMap<NewOutput>(
    _ transform: (Output) -> NewOutput?
  ) -> Optional<NewOutput>.Publisher {
    output.flatMap(transform).publisher
  }

  /// Decides at once whether the value is delivered.
  ///
  /// - Parameter isIncluded: The closure that returns whether to deliver the value, called in this
  ///   call if there is a value.
  /// - Returns: A publisher of the value, or of nothing.
  public func filter(_ isIncluded: (Output) -> Bool) -> Optional<Output>.Publisher {
    kept(if: isIncluded)
  }

  /// Returns this publisher: one value has no duplicate.
  ///
  /// - Parameter predicate: The closure that would compare two values. It is not called.
  /// - Returns: This publisher.
  public func removeDuplicates(
    by predicate: (Output, Output) -> Bool
  ) -> Optional<Output>.Publisher { self }

  /// Returns this publisher: its only value is its first.
  ///
  /// - Returns: This publisher.
  public func first() -> Optional<Output>.Publisher { self }

  /// Leaves out the value, unless the number is 0.
  ///
  /// - Parameter count: The number of values to leave out, 0 or more; a negative number traps.
  /// - Returns: A publisher of nothing, or of the value.
  public func dropFirst(_ count: Int = 1) -> Optional<Output>.Publisher {
    let isKept = Publishers.Drop(upstream: self, count: count).count == 0
    return kept { _ in isKept }
  }

  /// Delivers the value, unless the number is 0.
  ///
  /// - Parameter maxLength: The greatest number of values, 0 or more; a negative number traps.
  /// - Returns: A publisher of the value, or of nothing.
  public func prefix(_ maxLength: Int) -> Optional<Output>.Publisher {
    kept(in: Positions.upTo(maxLength))
  }

  /// Delivers the value if the position is 0.
  ///
  /// - Parameter index: The position, 0 or more; a negative position traps.
  /// - Returns: A publisher of the value, or of nothing.
  public func output(at index: Int) -> Optional<Output>.Publisher {
    kept(in: Positions.only(index))
  }

  /// Delivers the value if the range contains the position 0.
  ///
  /// - Parameter range: The positions, 0 or more. A range that begins below 0 traps.
  /// - Returns: A publisher of the value, or of nothing.
  public func output<R: RangeExpression>(in range: R) -> Optional<Output>.Publisher
  where R.Bound == Int {
    kept(in: Positions.all(in: range))
  }

  /// Returns a publisher of the value if the closure accepts it, and of nothing otherwise.
  func kept(if isKept: (Output) -> Bool) -> Optional<Output>.Publisher {
    output.flatMap { isKept($0) ? $0 : nil }.publisher
  }

  func kept(in positions: Range<Int>) -> Optional<Output>.Publisher {
    kept { _ in positions.contains(0) }
  }

  /// Returns this publisher: its only value is its last.
  ///
  /// - Returns: This publisher.
  public func last() -> Optional<Output>.Publisher { self }

  /// Decides at once whether the value is delivered.
  ///
  /// - Parameter predicate: The closure that returns whether to deliver the value, called in this
  ///   call if there is a value.
  /// - Returns: A publisher of the value, or of nothing.
  public func first(where predicate: (Output) -> Bool) -> Optional<Output>.Publisher {
    kept(if: predicate)
  }

  /// Decides at once whether the value is delivered.
  ///
  /// - Parameter predicate: The closure that returns whether to deliver the value, called in this
  ///   call if there is a value.
  /// - Returns: A publisher of the value, or of nothing.
  public func last(where predicate: (Output) -> Bool) -> Optional<Output>.Publisher {
    kept(if: predicate)
  }

  /// Decides at once whether the value is delivered.
  ///
  /// - Parameter predicate: The closure that returns whether to deliver the value, called in this
  ///   call if there is a value.
  /// - Returns: A publisher of the value, or of nothing.
  public func prefix(while predicate: (Output) -> Bool) -> Optional<Output>.Publisher {
    kept(if: predicate)
  }

  /// Decides at once whether the value is left out.
  ///
  /// - Parameter predicate: The closure that returns whether to leave out the value, called in this
  ///   call if there is a value.
  /// - Returns: A publisher of the value, or of nothing.
  public func drop(while predicate: (Output) -> Bool) -> Optional<Output>.Publisher {
    kept { !predicate($0) }
  }

  /// Leaves out the value.
  ///
  /// - Returns: A publisher that finishes at once.
  public func ignoreOutput() -> Empty<Output, Never> { Empty() }
}

extension Optional.Publisher where Wrapped: Equatable {
  /// Returns this publisher: one value has no duplicate.
  ///
  /// - Returns: This publisher.
  public func removeDuplicates() -> Optional<Wrapped>.Publisher { self }
}
