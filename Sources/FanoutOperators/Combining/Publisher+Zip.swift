public import FanoutCore

extension Publisher {
  /// Combines each value of this publisher with the value of another one that has the same
  /// position.
  ///
  /// ![First arrives with first, second with second. When letters finishes, 3 can have no partner, so the subscriber finishes.](zip)
  ///
  /// - Demand: requests go to both publishers, so a pair is delivered for each value that is
  ///   requested. A value waits until its counterpart comes.
  /// - Completion: when one of the publishers has finished and every value of it has its
  ///   counterpart, behind the pairs that wait for demand. The other one is cancelled.
  /// - Failure: of either. It cancels the other, and arrives behind the pairs that wait for demand.
  /// - Cancel: cancels both.
  /// - Concurrency: the two may deliver on different threads. One of these threads delivers for
  ///   both, also what the other brings meanwhile.
  /// - Cost: one object for each publisher, and one for all.
  ///
  /// - Parameter other: The other publisher, which is subscribed to second.
  /// - Returns: A publisher of pairs.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let names = ["one", "two", "three"].publisher
  /// let pairs = names.zip((1...2).publisher).sink(
  ///   receiveCompletion: { print($0) }, receiveValue: { print($0, $1) })
  /// pairs.cancel()
  /// // Prints:
  /// // one 1
  /// // two 2
  /// // finished
  /// ```
  @preconcurrency
  public func zip<P: Publisher>(_ other: P) -> Publishers.Zip<Self, P>
  where P.Failure == Failure, Output: Sendable, P.Output: Sendable {
    Publishers.Zip(self, other)
  }

  /// Combines the values of this and another publisher, and transforms each pair.
  ///
  /// ![The closure makes an output of the first values, then of the second ones. When tens finishes, 3 can have no partner.](zip-transform)
  ///
  /// It works as ``Publisher/zip(_:)`` with a `map` behind it.
  ///
  /// - Parameters:
  ///   - other: The other publisher, which is subscribed to second.
  ///   - transform: The closure that makes an output of one value of each publisher. The thread
  ///     that delivers calls it.
  /// - Returns: A publisher of the outputs.
  @preconcurrency
  public func zip<P: Publisher, T>(
    _ other: P, _ transform: @escaping @Sendable (Output, P.Output) -> T
  ) -> Publishers.Map<Publishers.Zip<Self, P>, T>
  where P.Failure == Failure, Output: Sendable, P.Output: Sendable {
    zip(other).map { transform($0.0, $0.1) }
  }
}
