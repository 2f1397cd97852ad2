public import FanoutCore
public import FanoutOperators

// What people write first, from another library or from the other side, with what to write here.

@available(*, unavailable, message: "write .last(n), or .all, .latest or another Replay")
extension Replay: ExpressibleByIntegerLiteral {
  /// Not available: the count needs a policy.
  ///
  /// - Parameter value: The count.
  public init(integerLiteral value: Int) { self = .last(value) }
}

@available(*, unavailable, message: "loop over its values")
extension Publishers.Share: AsyncSequence {
  /// Not available: ``values`` is the sequence.
  ///
  /// - Returns: Nothing.
  public func makeAsyncIterator() -> SharedSequence<Output, Failure>.AsyncIterator {
    fatalError("Loop over its values.")
  }
}

@available(*, unavailable, message: "loop over its values")
extension ReplaySubject: AsyncSequence {
  /// Not available: ``values`` is the sequence.
  ///
  /// - Returns: Nothing.
  public func makeAsyncIterator() -> SharedSequence<Output, Failure>.AsyncIterator {
    fatalError("Loop over its values.")
  }
}

@available(*, unavailable, message: "loop over its values")
extension CurrentValue: AsyncSequence {
  /// The values.
  public typealias Element = Output

  /// Not available: ``values`` is the sequence.
  ///
  /// - Returns: Nothing.
  public func makeAsyncIterator() -> SharedSequence<Output, Failure>.AsyncIterator {
    fatalError("Loop over its values.")
  }
}

@available(*, unavailable, message: "loop over its values")
extension AnySharedPublisher: AsyncSequence {
  /// Not available: ``values`` is the sequence.
  ///
  /// - Returns: Nothing.
  public func makeAsyncIterator() -> SharedSequence<Output, Failure>.AsyncIterator {
    fatalError("Loop over its values.")
  }
}

@available(*, unavailable, message: "loop over its values")
extension Broadcast: AsyncSequence {
  /// Not available: ``values`` is the sequence.
  ///
  /// - Returns: Nothing.
  public func makeAsyncIterator() -> SharedSequence<Element, Failure>.AsyncIterator {
    fatalError("Loop over its values.")
  }
}

extension Publisher {
  /// Not available: it is the name for sequences.
  @available(
    *, unavailable,
    message: """
      shared() is for an AsyncSequence: write share() for a publisher, and values for the loops \
      over what is shared
      """
  )
  public func shared(
    replay: Replay<Output> = .none, disconnect: Disconnect = .whenIdle, restart: Restart = [],
    backlog: Backlog<Output, Failure>? = nil, observer: (any SharingObserver)? = nil
  ) -> Publishers.Share<Self> {
    share(replay: replay)
  }
}

extension CurrentValue {
  /// Not available: `values` is the sequence.
  ///
  /// - Returns: Nothing.
  @available(*, unavailable, renamed: "values")
  public func elements() -> CurrentValue { self }
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
  public func share(
    replay: Replay<Element> = .none, disconnect: Disconnect = .whenReleased, restart: Restart = [],
    backlog: Backlog<Element, Failure>? = nil, observer: (any SharingObserver)? = nil
  ) -> SharedSequence<Element, Failure> {
    shared(replay: replay)
  }
}

extension Publishers.Async where Elements: _SinglePassSequence {
  /// Shares the publisher of a sequence that can be iterated once: a subscriber that comes after
  /// the last one has left traps.
  ///
  /// - Returns: The shared publisher.
  @available(
    *, deprecated,
    message: """
      the stream is over when the last subscriber has left, and the next one traps; write \
      stream.shared(replay:), or share(disconnect: .whenReleased)
      """
  )
  public func share() -> Publishers.Share<Self> {
    share(replay: .none, disconnect: .whenIdle)
  }

  /// Shares the publisher of a sequence that can be iterated once: a subscriber that comes after
  /// the last one has left traps.
  ///
  /// - Parameter replay: The policy for what a late subscriber receives before live values.
  /// - Returns: The shared publisher.
  @available(
    *, deprecated,
    message: """
      the stream is over when the last subscriber has left, and the next one traps; write \
      stream.shared(replay:), or share(disconnect: .whenReleased)
      """
  )
  public func share(replay: Replay<Output>) -> Publishers.Share<Self> {
    share(replay: replay, disconnect: .whenIdle)
  }
}
