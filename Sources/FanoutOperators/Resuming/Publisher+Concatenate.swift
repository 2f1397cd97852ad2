public import FanoutCore

extension Publisher {
  /// Delivers the specified values in front of those of this publisher.
  ///
  /// ![8 and 9 arrive at once, and then what the upstream sends.](prepend-values)
  ///
  /// - Parameter elements: The values to deliver first, in their order.
  /// - Returns: A publisher of these values and then of this publisher's, which is subscribed to
  ///   behind the last of them. Demand, completion and cancel are those of
  ///   ``Publisher/append(_:)-(P)``.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let printed = (1...2).publisher.prepend(-1, 0).sink { print($0) }
  /// printed.cancel()
  /// // Prints:
  /// // -1
  /// // 0
  /// // 1
  /// // 2
  /// ```
  @preconcurrency
  public func prepend(
    _ elements: Output...
  ) -> Publishers.Concatenate<Publishers.Sequence<[Output], Failure>, Self>
  where Output: Sendable {
    prepend(elements)
  }

  /// Delivers the values of a sequence in front of those of this publisher.
  ///
  /// ![The numbers from 7 to 9 arrive at once, and then what the upstream sends.](prepend-sequence)
  ///
  /// - Parameter elements: The sequence of the values to deliver first. It is iterated anew for
  ///   each subscriber.
  /// - Returns: A publisher of these values and then of this publisher's.
  @preconcurrency
  public func prepend<S: Sequence>(
    _ elements: S
  ) -> Publishers.Concatenate<Publishers.Sequence<S, Failure>, Self>
  where S.Element == Output, Output: Sendable {
    prepend(Publishers.Sequence(sequence: elements))
  }

  /// Delivers the values of another publisher in front of those of this one.
  ///
  /// ![The values of intro arrive first. When it has finished, the upstream is subscribed to.](prepend)
  ///
  /// - Parameter publisher: The publisher that is subscribed to first. When it has finished, this
  ///   one is subscribed to.
  /// - Returns: A publisher of the values of both, one after the other.
  @preconcurrency
  public func prepend<P: Publisher>(_ publisher: P) -> Publishers.Concatenate<P, Self>
  where P.Output == Output, P.Failure == Failure, Output: Sendable {
    Publishers.Concatenate(prefix: publisher, suffix: self)
  }

  /// Delivers the specified values behind those of this publisher.
  ///
  /// ![When the upstream has finished, 8 and 9 arrive, and then the finish.](append-values)
  ///
  /// - Parameter elements: The values to deliver when this publisher has finished, in their order.
  /// - Returns: A publisher of this publisher's values and then of these.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let printed = (1...2).publisher.append(3).sink(
  ///   receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// printed.cancel()
  /// // Prints:
  /// // 1
  /// // 2
  /// // 3
  /// // finished
  /// ```
  @preconcurrency
  public func append(
    _ elements: Output...
  ) -> Publishers.Concatenate<Self, Publishers.Sequence<[Output], Failure>>
  where Output: Sendable {
    append(elements)
  }

  /// Delivers the values of a sequence behind those of this publisher.
  ///
  /// ![When the upstream has finished, the numbers from 7 to 9 arrive, and then the finish.](append-sequence)
  ///
  /// - Parameter elements: The sequence of the values to deliver when this publisher has finished.
  ///   It is iterated anew for each subscriber.
  /// - Returns: A publisher of this publisher's values and then of these.
  @preconcurrency
  public func append<S: Sequence>(
    _ elements: S
  ) -> Publishers.Concatenate<Self, Publishers.Sequence<S, Failure>>
  where S.Element == Output, Output: Sendable {
    append(Publishers.Sequence(sequence: elements))
  }

  /// Delivers the values of another publisher behind those of this one.
  ///
  /// ![When the upstream has finished, more is subscribed to, and its values and its end arrive.](append)
  ///
  /// - Demand: exact. The other publisher is asked for what was requested and not delivered.
  /// - Completion: when the other publisher has finished. If this publisher never finishes, the
  ///   other one is never subscribed to.
  /// - Failure: of either. A failure of this publisher arrives at once.
  /// - Cancel: cancels the publisher that delivers.
  /// - Concurrency: the thread that brings this publisher's completion subscribes to the other one.
  /// - Cost: two objects, and two more for the other publisher.
  ///
  /// - Parameter publisher: The publisher that is subscribed to when this one has finished and is
  ///   released.
  /// - Returns: A publisher of the values of both, one after the other.
  @preconcurrency
  public func append<P: Publisher>(_ publisher: P) -> Publishers.Concatenate<Self, P>
  where P.Output == Output, P.Failure == Failure, Output: Sendable {
    Publishers.Concatenate(prefix: self, suffix: publisher)
  }
}
