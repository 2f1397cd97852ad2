extension Publishers {
  /// What a buffer asks of its upstream.
  public enum PrefetchStrategy: Hashable, Sendable {
    /// As many values as it keeps, and one more with each that is delivered.
    case keepFull
    /// Everything, whether there is room or not.
    case byRequest
  }

  /// What becomes of a value that does not fit into a buffer.
  public enum BufferingStrategy<Failure: Error>: Sendable {
    /// It is dropped.
    case dropNewest
    /// The value that has waited longest is dropped.
    case dropOldest
    /// The buffer fails with the error that the closure makes.
    @preconcurrency case customError(@Sendable () -> Failure)
  }
}
