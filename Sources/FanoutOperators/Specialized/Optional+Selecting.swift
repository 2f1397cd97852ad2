// Each of these is applied at once, and so needs no subscription of its own. The result delivers the same as
// the operator of every publisher would.

public import FanoutCore

extension Optional.Publisher {
  /// Returns this publisher: its only value is its last.
  ///
  /// - Returns: This publisher.
  @inlinable
  public func last() -> Optional<Output>.Publisher { self }

  /// Decides at once whether the value is delivered.
  ///
  /// - Parameter predicate: The closure that returns whether to deliver the value, called in this call if
  ///   there is a value.
  /// - Returns: A publisher of the value, or of nothing.
  @inlinable
  public func first(where predicate: (Output) -> Bool) -> Optional<Output>.Publisher {
    kept(if: predicate)
  }

  /// Decides at once whether the value is delivered.
  ///
  /// - Parameter predicate: The closure that returns whether to deliver the value, called in this call if
  ///   there is a value.
  /// - Returns: A publisher of the value, or of nothing.
  @inlinable
  public func last(where predicate: (Output) -> Bool) -> Optional<Output>.Publisher {
    kept(if: predicate)
  }

  /// Decides at once whether the value is delivered.
  ///
  /// - Parameter predicate: The closure that returns whether to deliver the value, called in this call if
  ///   there is a value.
  /// - Returns: A publisher of the value, or of nothing.
  @inlinable
  public func prefix(while predicate: (Output) -> Bool) -> Optional<Output>.Publisher {
    kept(if: predicate)
  }

  /// Decides at once whether the value is left out.
  ///
  /// - Parameter predicate: The closure that returns whether to leave out the value, called in this call if
  ///   there is a value.
  /// - Returns: A publisher of the value, or of nothing.
  @inlinable
  public func drop(while predicate: (Output) -> Bool) -> Optional<Output>.Publisher {
    kept { !predicate($0) }
  }

  /// Leaves out the value.
  ///
  /// - Returns: A publisher that finishes at once.
  @inlinable
  public func ignoreOutput() -> Empty<Output, Never> { Empty() }

  /// Delivers another value if there is none.
  ///
  /// - Parameter output: The value that replaces none.
  /// - Returns: A publisher of one value.
  @inlinable
  public func replaceEmpty(with output: Output) -> Just<Output> {
    Just<Output>(self.output ?? output)
  }

  /// Returns this publisher: it never fails.
  ///
  /// - Parameter retries: The number of further subscriptions, 0 or more. A negative number traps.
  /// - Returns: This publisher.
  public func retry(_ retries: Int) -> Optional<Output>.Publisher {
    Publishers.Retry(upstream: self, retries: retries).upstream
  }
}
