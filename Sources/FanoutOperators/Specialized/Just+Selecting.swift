// Each of these is applied at once, and so needs no subscription of its own. The result delivers the same as
// the operator of every publisher would.

public import FanoutCore

extension Just {
  /// Returns this publisher: its only value is its last.
  ///
  /// - Returns: This publisher.
  @inlinable
  public func last() -> Just<Output> { self }

  /// Decides at once whether the value is delivered.
  ///
  /// - Parameter predicate: The closure that returns whether to deliver the value, called once, in this call.
  /// - Returns: A publisher of the value, or of nothing.
  @inlinable
  public func first(where predicate: (Output) -> Bool) -> Optional<Output>.Publisher {
    kept(if: predicate(output))
  }

  /// Decides at once whether the value is delivered.
  ///
  /// - Parameter predicate: The closure that returns whether to deliver the value, called once, in this call.
  /// - Returns: A publisher of the value, or of nothing.
  @inlinable
  public func last(where predicate: (Output) -> Bool) -> Optional<Output>.Publisher {
    kept(if: predicate(output))
  }

  /// Decides at once whether the value is delivered.
  ///
  /// - Parameter predicate: The closure that returns whether to deliver the value, called once, in this call.
  /// - Returns: A publisher of the value, or of nothing.
  @inlinable
  public func prefix(while predicate: (Output) -> Bool) -> Optional<Output>.Publisher {
    kept(if: predicate(output))
  }

  /// Decides at once whether the value is left out.
  ///
  /// - Parameter predicate: The closure that returns whether to leave out the value, called once, in this call.
  /// - Returns: A publisher of the value, or of nothing.
  @inlinable
  public func drop(while predicate: (Output) -> Bool) -> Optional<Output>.Publisher {
    kept(if: !predicate(output))
  }

  /// Combines the value with an initial result at once, and fails if the closure throws.
  ///
  /// - Parameters:
  ///   - initialResult: The result that the value is combined with.
  ///   - nextPartialResult: The closure that combines them, called once, in this call.
  /// - Returns: A publisher of the result, or of the error.
  @inlinable
  public func tryScan<Accumulator>(
    _ initialResult: Accumulator, _ nextPartialResult: (Accumulator, Output) throws -> Accumulator
  ) -> Result<Accumulator, any Error>.Publisher {
    Result<Accumulator, any Error> { try nextPartialResult(initialResult, output) }.publisher
  }

  /// Sets the failure type: one value has no duplicate.
  ///
  /// - Parameter predicate: The closure that would compare two values. It is not called.
  /// - Returns: A publisher of the same value.
  @inlinable
  public func tryRemoveDuplicates(
    by predicate: (Output, Output) throws -> Bool
  ) -> Result<Output, any Error>.Publisher {
    .init(.success(output))
  }

  /// Leaves out the value.
  ///
  /// - Returns: A publisher that finishes at once.
  @inlinable
  public func ignoreOutput() -> Empty<Output, Never> { Empty() }

  /// Returns this publisher: it has a value.
  ///
  /// - Parameter output: The value that an empty publisher would deliver.
  /// - Returns: This publisher.
  @inlinable
  public func replaceEmpty(with output: Output) -> Just<Output> { self }

  /// Returns this publisher: it never fails.
  ///
  /// - Parameter retries: The number of further subscriptions, 0 or more. A negative number traps.
  /// - Returns: This publisher.
  public func retry(_ retries: Int) -> Just<Output> {
    Publishers.Retry(upstream: self, retries: retries).upstream
  }
}

extension Just {
  /// Delivers the specified values in front of this one.
  ///
  /// - Parameter elements: The values to deliver first, in their order.
  /// - Returns: A publisher of these values and then of this publisher's.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let numbers: Publishers.Sequence<[Int], Never> = Just(2).prepend(0, 1).append(3)
  /// let printed = numbers.sink { print($0) }
  /// printed.cancel()
  /// // Prints:
  /// // 0
  /// // 1
  /// // 2
  /// // 3
  /// ```
  @inlinable
  public func prepend(_ elements: Output...) -> Publishers.Sequence<[Output], Never> {
    prepend(elements)
  }

  /// Delivers the values of a sequence in front of this one.
  ///
  /// - Parameter elements: The sequence of the values to deliver first, iterated in this call.
  /// - Returns: A publisher of these values and then of this publisher's.
  @inlinable
  public func prepend<S: Sequence>(_ elements: S) -> Publishers.Sequence<[Output], Never>
  where S.Element == Output {
    .init(sequence: elements + [output])
  }

  /// Delivers the specified values behind this one.
  ///
  /// - Parameter elements: The values to deliver last, in their order.
  /// - Returns: A publisher of this publisher's value and then of these.
  @inlinable
  public func append(_ elements: Output...) -> Publishers.Sequence<[Output], Never> {
    append(elements)
  }

  /// Delivers the values of a sequence behind this one.
  ///
  /// - Parameter elements: The sequence of the values to deliver last, iterated in this call.
  /// - Returns: A publisher of this publisher's value and then of these.
  @inlinable
  public func append<S: Sequence>(_ elements: S) -> Publishers.Sequence<[Output], Never>
  where S.Element == Output {
    .init(sequence: [output] + elements)
  }
}
