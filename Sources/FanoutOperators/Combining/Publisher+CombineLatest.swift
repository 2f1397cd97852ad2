public import FanoutCore

extension Publisher {
  /// Combines the newest values of this and another publisher.
  ///
  /// ![Once both have sent a value, each new value arrives with the newest of the other. The subscriber finishes when both have.](combine-latest)
  ///
  /// Once each publisher has delivered a value, every further value of either makes a pair with the
  /// newest value of the other.
  ///
  /// - Demand: requests go to both publishers. A pair that was not requested is not lost: the
  ///   newest one is delivered with the next request, and only those before it are dropped. A value
  ///   that is replaced before the other publisher has delivered one has used up its request, as in
  ///   Combine.
  /// - Completion: when both have finished, behind a pair that waits.
  /// - Failure: of either. It cancels the other, and arrives behind a pair that waits.
  /// - Cancel: cancels both.
  /// - Concurrency: the two may deliver on different threads. One of these threads delivers for
  ///   both, also what the other brings meanwhile.
  /// - Cost: one object for each publisher, and one for all.
  ///
  /// If both publishers come from one source, each of its values makes two pairs, and the first of
  /// them is of the new value and an old one: `map` the source to both instead.
  ///
  /// - Parameter other: The other publisher, which is subscribed to second.
  /// - Returns: A publisher of pairs.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let names = PassthroughSubject<String, Never>()
  /// let counts = PassthroughSubject<Int, Never>()
  /// let lines = names.combineLatest(counts).sink { print($0, $1) }
  /// names.send("apples")
  /// counts.send(1)
  /// counts.send(2)
  /// names.send("pears")
  /// lines.cancel()
  /// // Prints:
  /// // apples 1
  /// // apples 2
  /// // pears 2
  /// ```
  @preconcurrency
  public func combineLatest<P: Publisher>(_ other: P) -> Publishers.CombineLatest<Self, P>
  where P.Failure == Failure, Output: Sendable, P.Output: Sendable {
    Publishers.CombineLatest(self, other)
  }

  /// Combines the newest values of this and another publisher, and transforms each pair.
  ///
  /// ![Once both have sent a value, the closure makes an output of each new value and the newest of the other.](combine-latest-transform)
  ///
  /// It works as ``Publisher/combineLatest(_:)`` with a `map` behind it.
  ///
  /// - Parameters:
  ///   - other: The other publisher, which is subscribed to second.
  ///   - transform: The closure that makes an output of one value of each publisher. The thread
  ///     that delivers calls it.
  /// - Returns: A publisher of the outputs.
  @preconcurrency
  public func combineLatest<P: Publisher, T>(
    _ other: P, _ transform: @escaping @Sendable (Output, P.Output) -> T
  ) -> Publishers.Map<Publishers.CombineLatest<Self, P>, T>
  where P.Failure == Failure, Output: Sendable, P.Output: Sendable {
    combineLatest(other).map { transform($0.0, $0.1) }
  }
}
