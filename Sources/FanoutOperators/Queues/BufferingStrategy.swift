public import FanoutCore

extension Publishers {
  /// The strategy that decides what a buffer requests from its upstream.
  public enum PrefetchStrategy: Hashable, Sendable {
    /// The buffer requests as many values as it keeps, and one more with each delivered value.
    case keepFull
    /// The buffer requests everything, whether there is room or not.
    case byRequest
  }

  /// The strategy for a value that does not fit into a buffer.
  public enum BufferingStrategy<Failure: Error>: Sendable {
    /// The buffer drops the value.
    case dropNewest
    /// The buffer drops the value that has waited longest.
    case dropOldest
    /// The buffer fails with the error that the closure makes.
    @preconcurrency case customError(@Sendable () -> Failure)
  }
}
