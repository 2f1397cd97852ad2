extension Publishers {
  /// The number of values that wait for a loop: a ``Backlog`` says it now.
  @available(
    *, deprecated, message: "write values.joining(backlog: .size(n, whenFull: .dropOldest))"
  )
  public enum ElementBuffering: Hashable, Sendable {
    /// All values wait.
    case unbounded
    /// The newest `count` values wait.
    case newest(_ count: Int)
  }
}

extension SharedPublisher where Self: Sendable, Output: Sendable {
  /// The values as a sequence: ``values`` says it now.
  ///
  /// - Returns: The sequence.
  @available(*, deprecated, renamed: "values", message: "values loses nothing now")
  public func elements() -> SharedSequence<Output, Failure> { values }

  /// The values as a sequence that keeps a number of them: a ``Backlog`` says it now.
  ///
  /// - Parameter buffering: The number of values that wait.
  /// - Returns: The sequence.
  @available(
    *, deprecated, message: "write values.joining(backlog: .size(n, whenFull: .dropOldest))"
  )
  public func elements(
    buffering: Publishers.ElementBuffering
  ) -> SharedSequence<Output, Failure> {
    switch buffering {
    case .unbounded: values
    case .newest(let count): values.joining(backlog: .size(count, whenFull: .dropOldest))
    }
  }

  /// The values as a sequence: ``values`` says it now.
  @available(*, deprecated, renamed: "values", message: "values loses nothing now")
  public var shared: SharedSequence<Output, Failure> { values }
}
