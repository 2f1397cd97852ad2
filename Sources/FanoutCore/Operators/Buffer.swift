public import FanoutEngine

extension Publishers {
  /// A publisher that keeps values of its upstream until its subscriber asks for them.
  public struct Buffer<Upstream: Publisher>: Publisher {
    /// The upstream's values.
    public typealias Output = Upstream.Output
    /// The upstream's failure, and that of a buffer which must not overflow.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream
    /// How many values are kept at most for a subscriber.
    public let size: Int
    /// What is asked of the upstream, and when.
    public let prefetch: PrefetchStrategy
    /// What becomes of a value that does not fit.
    public let whenFull: BufferingStrategy<Failure>

    /// Makes a publisher that keeps up to `size` values of `upstream`.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - size: How many values are kept at most, from 0 up; a negative number traps.
    ///   - prefetch: What is asked of the upstream.
    ///   - whenFull: What becomes of a value that does not fit.
    public init(
      upstream: Upstream, size: Int, prefetch: PrefetchStrategy,
      whenFull: BufferingStrategy<Failure>
    ) {
      precondition(size >= 0, "A buffer needs a size of 0 or more, not \(size).")
      self.upstream = upstream
      self.size = size
      self.prefetch = prefetch
      self.whenFull = whenFull
    }

    /// Attaches a subscriber, with a buffer of its own.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(subscriber: Inner(downstream: subscriber, parent: self))
    }
  }
}

extension Publishers.Buffer: Sendable where Upstream: Sendable {}

extension Publishers.Buffer {
  @usableFromInline
  final class Inner<Downstream: Subscriber>: QueuedSubscription<Upstream.Output, Downstream>,
    Subscriber
  where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
    @usableFromInline typealias Input = Upstream.Output
    @usableFromInline typealias Failure = Upstream.Failure

    /// What becomes of a value that does not fit.
    @usableFromInline
    enum Overflow: Sendable { case dropsNewest, dropsOldest, fails }

    /// What happened to a value that was brought.
    @usableFromInline
    enum Outcome {
      case kept
      case replaced(Input)
      case dropped
      case overflow
    }

    @usableFromInline let size: Int
    @usableFromInline let keepsFull: Bool
    @usableFromInline let overflow: Overflow
    /// Let go of with everything else; what it makes is needed once at most.
    @usableFromInline let whenFull: Lock<Publishers.BufferingStrategy<Failure>?>

    @usableFromInline
    init(downstream: Downstream, parent: Publishers.Buffer<Upstream>) {
      size = parent.size
      keepsFull = parent.prefetch == .keepFull
      overflow =
        switch parent.whenFull {
        case .dropNewest: .dropsNewest
        case .dropOldest: .dropsOldest
        case .customError: .fails
        }
      whenFull = Lock(parent.whenFull)
      super.init(downstream: downstream, name: "Buffer")
    }

    @usableFromInline
    override func didAttach() {
      let credit = keepsFull ? Credit(rawValue: UInt(size)) : .unlimited
      // To ask for nothing is an error with some publishers.
      if credit != .none { stage.request(credit) }
    }

    @inlinable
    func receive(_ input: Input) -> Subscribers.Demand {
      switch keep(input) {
      case .kept: if drain.announce(.queued) { runOut() }
      case .replaced(let oldest): withExtendedLifetime(oldest) { wake() }
      case .dropped: break
      case .overflow: fail()
      }
      return .none
    }

    @usableFromInline
    func receive(completion: Subscribers.Completion<Failure>) { endOfUpstream(completion) }

    @inlinable
    func keep(_ input: Input) -> Outcome {
      waiting.withLock { waiting in
        guard let known = waiting, !known.isClosed else { return .dropped }
        guard known.items.count >= size else {
          known.items.append(input)
          return .kept
        }
        switch overflow {
        case .dropsNewest: return .dropped
        case .dropsOldest:
          guard let oldest = known.items.popFirst() else { return .dropped }
          known.items.append(input)
          return .replaced(oldest)
        case .fails:
          // Nothing is accepted any more; what is kept comes before the error.
          waiting?.isClosed = true
          return .overflow
        }
      }
    }

    @usableFromInline
    func fail() {
      guard case .customError(let makeError) = whenFull.withLock({ $0 }) else { return }
      let end = Subscribers.Completion.failure(makeError())
      stage.cancel(for: self)
      waiting.withLock { $0?.end = end }
      wake()
    }

    @inlinable
    override func runOut() {
      deliverItems(
        { $0 }, afterEach: { _, _ in if keepsFull { stage.request(Credit(rawValue: 1)) } })
    }

    @usableFromInline
    override func letGo() {
      let strategy = whenFull.withLock { strategy in
        defer { strategy = nil }
        return strategy
      }
      withExtendedLifetime(strategy) {}
      super.letGo()
    }

    package override var heldReferences: [HeldReference] {
      let strategy = whenFull.withLock { $0 }
      guard case .customError(let makeError) = strategy else { return super.heldReferences }
      return super.heldReferences + [.closure("whenFull", makeError)]
    }
  }
}

@available(*, unavailable)
extension Publishers.Buffer.Inner.Outcome: Sendable {}

extension Publisher {
  /// Keeps values until the subscriber asks for them, for each subscriber up to a number.
  ///
  /// Values that are kept come before the end, also before a failure.
  ///
  /// - Parameters:
  ///   - size: How many values are kept at most, from 0 up; a negative number traps. With 0 every
  ///     value is one that does not fit, whatever the demand.
  ///   - prefetch: `.keepFull` asks the upstream for `size` values, and for one more with each that
  ///     is delivered, so that nothing is lost behind an upstream that can wait. `.byRequest` asks for
  ///     everything: for an upstream that cannot wait, as a subject.
  ///   - whenFull: What becomes of a value that does not fit: `.dropNewest` drops it, `.dropOldest`
  ///     drops the value kept longest instead, `.customError` cancels the upstream and fails after
  ///     the values that are kept. Its closure runs once at most, where the value came from.
  /// - Returns: A publisher that delivers on the thread that brings a value or asks for one.
  ///
  /// ```swift
  /// import Fanout
  /// import FanoutTestSupport
  ///
  /// let events = PassthroughSubject<Int, Never>()
  /// let slow = TestSubscriber<Int, Never>(initialDemand: .none)
  /// events.buffer(size: 2, prefetch: .byRequest, whenFull: .dropOldest).subscribe(slow)
  /// (1...4).forEach { events.send($0) }
  /// slow.request(.unlimited)
  /// print(slow.values)
  /// slow.cancel()
  /// // Prints:
  /// // [3, 4]
  /// ```
  public func buffer(
    size: Int, prefetch: Publishers.PrefetchStrategy,
    whenFull: Publishers.BufferingStrategy<Failure>
  ) -> Publishers.Buffer<Self> {
    Publishers.Buffer(upstream: self, size: size, prefetch: prefetch, whenFull: whenFull)
  }
}
