public import FanoutCore
public import FanoutEngine

extension Publishers {
  /// A publisher that keeps values of its upstream until its subscriber requests them.
  public struct Buffer<Upstream: Publisher>: Publisher {
    /// The upstream's output.
    public typealias Output = Upstream.Output
    /// The failure type of the upstream, and of a buffer that fails when it is full.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream
    /// The maximum number of values kept for a subscriber.
    public let size: Int
    /// The strategy that decides what the buffer requests from the upstream, and when.
    public let prefetch: PrefetchStrategy
    /// The strategy for a value that does not fit.
    public let whenFull: BufferingStrategy<Failure>

    /// Creates a publisher that keeps up to `size` values of the specified upstream.
    ///
    /// - Parameters:
    ///   - upstream: The upstream publisher.
    ///   - size: The maximum number of values kept, 0 or more; a negative number traps.
    ///   - prefetch: The strategy that decides what the buffer requests from the upstream.
    ///   - whenFull: The strategy for a value that does not fit.
    public init(
      upstream: Upstream, size: Int, prefetch: PrefetchStrategy,
      whenFull: BufferingStrategy<Failure>
    ) {
      trap(unless: size >= 0, "buffer(size: \(size)): a size cannot be negative; pass 0 or more.")
      self.upstream = upstream
      self.size = size
      self.prefetch = prefetch
      self.whenFull = whenFull
    }

    /// Attaches the specified subscriber, with a buffer of its own.
    ///
    /// - Parameter subscriber: The subscriber to attach.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      if size == 0, prefetch == .keepFull {
        // A buffer of this kind would never request anything from its upstream: no value would
        // arrive, and no completion behind one.
        upstream.receive(subscriber: subscriber)
      } else {
        upstream.receive(subscriber: Inner(downstream: subscriber, parent: self))
      }
    }
  }
}

extension Publishers.Buffer: Sendable where Upstream: Sendable {}

extension Publishers.Buffer {
  @_fixed_layout
  @usableFromInline
  package final class Inner<Downstream: Subscriber>: QueuedSubscription<
    Upstream.Output, Downstream
  >,
  Subscriber
  where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
    @usableFromInline package typealias Input = Upstream.Output
    @usableFromInline package typealias Failure = Upstream.Failure

    /// The strategy for a value that does not fit, without the closure that makes the error.
    @usableFromInline
    package enum Overflow: Sendable { case dropsNewest, dropsOldest, fails }

    /// The effect of a value on the buffer.
    @usableFromInline
    package enum Outcome {
      case kept
      case replaced(Input)
      case dropped
      case overflow
    }

    @usableFromInline package let size: Int
    @usableFromInline package let keepsFull: Bool
    @usableFromInline package let overflow: Overflow
    /// Released with everything else; its error is needed once at most.
    @usableFromInline package let whenFull: Lock<Publishers.BufferingStrategy<Failure>?>

    @inlinable
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
      super.init(downstream: downstream, name: "Buffer") {
        unsafeDowncast($0, to: Inner.self).runOut(isLimited: $1)
      }
    }

    package override func didAttach() {
      let credit = keepsFull ? Credit(rawValue: UInt(size)) : .unlimited
      // Some publishers treat a request for nothing as an error.
      if credit != .none { stage.request(credit) }
    }

    package override var isSelfContained: Bool { !keepsFull }

    @inlinable
    package func receive(_ input: Input) -> Subscribers.Demand {
      // With a size of 0 no value fits, not even one that is requested.
      if size == 0 {
        enqueue(input)
      } else {
        deliverAtOnce(
          input, afterwards: { requestOneMore() }, orEnqueue: { enqueue(input) })
      }
      return .none
    }

    @inlinable
    @inline(never)
    func enqueue(_ input: Input) {
      switch keep(input) {
      case .kept: wake()
      case .replaced(let oldest): withExtendedLifetime(oldest) { wake() }
      case .dropped: break
      case .overflow: fail()
      }
    }

    /// Requests a value in place of one that was delivered.
    @inlinable
    func requestOneMore() {
      if keepsFull { stage.request(Credit(rawValue: 1)) }
    }

    @usableFromInline
    package func receive(completion: Subscribers.Completion<Failure>) { endOfUpstream(completion) }

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
          // Nothing is accepted any more; the kept values come before the error.
          waiting?.isClosed = true
          return .overflow
        }
      }
    }

    @usableFromInline
    package func fail() {
      drain.note(.blocked)
      guard case .customError(let makeError) = whenFull.withLock({ $0 }) else { return }
      let end = Subscribers.Completion.failure(makeError())
      stage.cancel(for: self)
      deliverEnd(end)
    }

    @inlinable
    package override func runOut(isLimited: Bool) {
      deliverItems(isLimited: isLimited, { $0 }, afterEach: { _, _ in requestOneMore() })
    }

    package override func letGo() {
      withExtendedLifetime(whenFull.take()) {}
      super.letGo()
    }
  }
}

@available(*, unavailable)
extension Publishers.Buffer.Inner.Outcome: Sendable {}

extension Publisher {
  /// Keeps values until the subscriber requests them, up to a number for each subscriber.
  ///
  /// Kept values come before the completion, also before a failure.
  ///
  /// - Parameters:
  ///   - size: The maximum number of values kept, 0 or more; a negative number traps. With 0 and
  ///     `.keepFull` nothing is requested ahead: the subscriber's demand passes to the upstream
  ///     unchanged, and no value has to be kept. With 0 and `.byRequest` no value fits, whatever
  ///     the demand.
  ///   - prefetch: The strategy that decides what the buffer requests from the upstream.
  ///     `.keepFull` requests `size` values, and one more with each delivered value, so that
  ///     nothing is lost behind an upstream that can wait. `.byRequest` requests everything: use it
  ///     for an upstream that cannot wait, such as a subject.
  ///   - whenFull: The strategy for a value that does not fit. `.dropNewest` drops it.
  ///     `.dropOldest` drops the value kept longest instead. `.customError` cancels the upstream
  ///     and fails after the kept values; its closure runs once at most, on the thread that brought
  ///     the value.
  /// - Returns: A publisher that delivers on the thread that brings a value or requests one.
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
