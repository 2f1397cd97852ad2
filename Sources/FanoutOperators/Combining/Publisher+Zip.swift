public import FanoutCore

extension Publisher {
  /// Combines each value of this publisher with the value of another one that has the same position.
  ///
  /// ![First arrives with first, second with second. When letters finishes, 3 can have no partner, so the subscriber finishes.](zip)
  ///
  /// - Demand: requests go to both publishers, so a pair is delivered for each value that is requested. A
  ///   value waits until its counterpart comes.
  /// - Completion: when one of the publishers has finished and every value of it has its counterpart, behind the
  ///   pairs that wait for demand. The other one is cancelled.
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
  public func zip<P: Publisher>(_ other: P) -> Publishers.Zip<Self, P>
  where P.Failure == Failure {
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
  ///   - transform: The closure that makes an output of one value of each publisher. The thread that
  ///     delivers calls it.
  /// - Returns: A publisher of the outputs.
  @preconcurrency
  public func zip<P: Publisher, T>(
    _ other: P, _ transform: @escaping @Sendable (Output, P.Output) -> T
  ) -> Publishers.Map<Publishers.Zip<Self, P>, T> where P.Failure == Failure {
    zip(other).map { transform($0.0, $0.1) }
  }

  /// Combines the values of this and two other publishers.
  ///
  /// ![The first values of all three arrive together, then the second ones. When signs finishes, 3 can have no partners.](zip-three)
  ///
  /// It works as ``Publisher/zip(_:)``.
  ///
  /// - Parameters:
  ///   - publisher1: The publisher that is subscribed to second.
  ///   - publisher2: The publisher that is subscribed to third.
  /// - Returns: A publisher of triples.
  public func zip<P: Publisher, Q: Publisher>(_ publisher1: P, _ publisher2: Q)
    -> Publishers.Zip3<Self, P, Q>
  where P.Failure == Failure, Q.Failure == Failure {
    Publishers.Zip3(self, publisher1, publisher2)
  }

  /// Combines the values of this and two other publishers, and transforms each triple.
  ///
  /// ![The closure makes an output of the first values of all three, then of the second ones.](zip-three-transform)
  ///
  /// It works as ``Publisher/zip(_:)`` with a `map` behind it.
  ///
  /// - Parameters:
  ///   - publisher1: The publisher that is subscribed to second.
  ///   - publisher2: The publisher that is subscribed to third.
  ///   - transform: The closure that makes an output of one value of each publisher. The thread that
  ///     delivers calls it.
  /// - Returns: A publisher of the outputs.
  @preconcurrency
  public func zip<P: Publisher, Q: Publisher, T>(
    _ publisher1: P, _ publisher2: Q,
    _ transform: @escaping @Sendable (Output, P.Output, Q.Output) -> T
  ) -> Publishers.Map<Publishers.Zip3<Self, P, Q>, T>
  where P.Failure == Failure, Q.Failure == Failure {
    zip(publisher1, publisher2).map { transform($0.0, $0.1, $0.2) }
  }

  /// Combines the values of this and three other publishers.
  ///
  /// ![The first values of all four arrive together, then the second ones. Because numbers has finished, so does the subscriber.](zip-four)
  ///
  /// It works as ``Publisher/zip(_:)``.
  ///
  /// - Parameters:
  ///   - publisher1: The publisher that is subscribed to second.
  ///   - publisher2: The publisher that is subscribed to third.
  ///   - publisher3: The publisher that is subscribed to fourth.
  /// - Returns: A publisher of quadruples.
  public func zip<P: Publisher, Q: Publisher, R: Publisher>(
    _ publisher1: P, _ publisher2: Q, _ publisher3: R
  ) -> Publishers.Zip4<Self, P, Q, R>
  where P.Failure == Failure, Q.Failure == Failure, R.Failure == Failure {
    Publishers.Zip4(self, publisher1, publisher2, publisher3)
  }

  /// Combines the values of this and three other publishers, and transforms each quadruple.
  ///
  /// ![The closure makes an output of the first values of all four, then of the second ones.](zip-four-transform)
  ///
  /// It works as ``Publisher/zip(_:)`` with a `map` behind it.
  ///
  /// - Parameters:
  ///   - publisher1: The publisher that is subscribed to second.
  ///   - publisher2: The publisher that is subscribed to third.
  ///   - publisher3: The publisher that is subscribed to fourth.
  ///   - transform: The closure that makes an output of one value of each publisher. The thread that
  ///     delivers calls it.
  /// - Returns: A publisher of the outputs.
  @preconcurrency
  public func zip<P: Publisher, Q: Publisher, R: Publisher, T>(
    _ publisher1: P, _ publisher2: Q, _ publisher3: R,
    _ transform: @escaping @Sendable (Output, P.Output, Q.Output, R.Output) -> T
  ) -> Publishers.Map<Publishers.Zip4<Self, P, Q, R>, T>
  where P.Failure == Failure, Q.Failure == Failure, R.Failure == Failure {
    zip(publisher1, publisher2, publisher3).map { transform($0.0, $0.1, $0.2, $0.3) }
  }
}
