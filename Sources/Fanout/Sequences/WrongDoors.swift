public import FanoutCore
public import FanoutOperators

// What people write first, from another library or from the other side, with what to write here.

extension Publisher {
  /// Not available: the count needs a policy.
  @available(
    *, unavailable, message: "write share(replay: .last(n)), or .all, .latest or another Replay"
  )
  public func share(replay: Int) -> Publishers.Share<Self> { share(replay: .last(replay)) }

  /// Not available: it is the name for sequences.
  @available(
    *, unavailable, message: "write share(replay:); shared(replay:) is for an AsyncSequence"
  )
  public func shared(replay: Replay<Output> = .none) -> Publishers.Share<Self> {
    share(replay: replay)
  }
}

extension AnyPublisher {
  /// Not available: an erased publisher has forgotten that it is shared.
  @available(
    *, unavailable,
    message:
      "an AnyPublisher has forgotten that it is shared; erase with eraseToAnySharedPublisher()"
  )
  public func joining(
    _ place: Join<Output> = .replay, where isWanted: (@Sendable (Output) -> Bool)? = nil,
    backlog: Backlog<Output, Failure>? = nil, label: String? = nil
  ) -> Self { self }
}

extension AsyncSequence where Self: Sendable, Element: Sendable {
  /// Not available: it is the name for publishers.
  @available(*, unavailable, message: "write shared(replay:); share(replay:) is for a Publisher")
  public func share(replay: Replay<Element>) -> SharedSequence<Element, Failure> {
    shared(replay: replay)
  }
}

extension Publishers.Async where Elements: _SinglePassSequence {
  /// Shares the publisher of a sequence that can be iterated once: a subscriber that comes after the last one has left
  /// traps.
  ///
  /// - Returns: The shared publisher.
  @available(
    *, deprecated,
    message: """
      the stream is over when the last subscriber has left, and the next one traps; write stream.shared(replay:), or \
      share(disconnect: .whenReleased)
      """
  )
  public func share() -> Publishers.Share<Self> {
    share(replay: .none, disconnect: .whenIdle)
  }

  /// Shares the publisher of a sequence that can be iterated once: a subscriber that comes after the last one has left
  /// traps.
  ///
  /// - Parameter replay: The policy for what a late subscriber receives before live values.
  /// - Returns: The shared publisher.
  @available(
    *, deprecated,
    message: """
      the stream is over when the last subscriber has left, and the next one traps; write stream.shared(replay:), or \
      share(disconnect: .whenReleased)
      """
  )
  public func share(replay: Replay<Output>) -> Publishers.Share<Self> {
    share(replay: replay, disconnect: .whenIdle)
  }
}
