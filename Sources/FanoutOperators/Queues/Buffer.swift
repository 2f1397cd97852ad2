// Unsafe memory: invariant: `replaced` holds a value exactly if `isReplaced` is set, and only the
// call of `enqueue(_:)` that has allocated it reaches it.

public import FanoutCore
package import FanoutEngine

extension Publishers {
  /// A publisher that keeps values of its upstream until its subscriber requests them.
  public struct Buffer<Upstream: Publisher>: Publisher, UpstreamTypes {
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
    where S.Input == Upstream.Output, S.Failure == Failure {
      if size == 0, prefetch == .keepFull {
        // A buffer of this kind would never request anything from its upstream: no value would
        // arrive, and no completion behind one.
        upstream.receive(subscriber: subscriber)
      } else {
        upstream.receive(subscriber: makeInner(ErasedSubscriber(subscriber)))
      }
    }
  }
}

extension Publishers.Buffer: Sendable where Upstream: Sendable {}

/// The strategy for a value that does not fit, without the closure that makes the error.
private enum Overflow: Sendable { case dropsNewest, dropsOldest, fails }

/// The effect of a value on a buffer.
private enum Outcome: Sendable { case kept, dropped, overflow }

extension Publishers.Buffer {
  /// Returns the subscriber to the upstream.
  @usableFromInline
  func makeInner(
    _ downstream: ErasedSubscriber<Upstream.Output, Failure>
  ) -> SubscribedSource<Upstream.Output, Failure> {
    Inner(downstream: downstream, parent: self)
  }

  package final class Inner: QueuedSubscription<
    Upstream.Output, Upstream.Output, Upstream.Output, Failure
  >
  {
    let size: Int
    let keepsFull: Bool
    private let overflow: Overflow
    /// Released with everything else; its error is needed once at most.
    package let whenFull: Lock<Publishers.BufferingStrategy<Failure>?>

    init(
      downstream: ErasedSubscriber<Upstream.Output, Failure>, parent: Publishers.Buffer<Upstream>
    ) {
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

    package override func didAttach() {
      let credit = keepsFull ? Credit(rawValue: UInt(size)) : .unlimited
      // Some publishers treat a request for nothing as an error.
      if credit != .none { stage.request(credit) }
    }

    /// Keeps what its policy says: the upstream is asked for everything, if it would drop what is
    /// not requested, and the buffer for no more than before.
    package override func disallowDrops() -> Bool {
      if stage.disallowDrops() { stage.request(.unlimited) }
      return false
    }

    package override var isSelfContained: Bool { !keepsFull }

    package override func receive(_ input: Upstream.Output) -> Subscribers.Demand {
      // With a size of 0 no value fits, not even one that is requested.
      if size == 0 {
        enqueue(input)
      } else {
        deliverAtOnce(input, afterwards: { requestOneMore() }, orEnqueue: { enqueue(input) })
      }
      return .none
    }

    @inline(never)
    func enqueue(_ input: Upstream.Output) {
      // What a new value replaces is released behind the lock.
      withUnsafeTemporaryAllocation(of: Upstream.Output.self, capacity: 1) { replaced in
        var isReplaced = false
        switch keep(input, &isReplaced, replaced) {
        case .kept: wake()
        case .dropped: break
        case .overflow: fail()
        }
        if isReplaced { replaced.baseAddress?.deinitialize(count: 1) }
      }
    }

    /// Requests a value in place of one that was delivered.
    func requestOneMore() {
      if keepsFull { stage.request(Credit(rawValue: 1)) }
    }

    private func keep(
      _ input: Upstream.Output, _ isReplaced: inout Bool,
      _ replaced: UnsafeMutableBufferPointer<Upstream.Output>
    ) -> Outcome {
      state.withLock { state in
        guard !state.isClosed else { return .dropped }
        if items.count >= size {
          switch overflow {
          case .dropsNewest: return .dropped
          case .dropsOldest:
            guard let slot = replaced.baseAddress, items.moveFirst(to: slot) else {
              return .dropped
            }
            isReplaced = true
          case .fails:
            // Nothing is accepted any more; the kept values come before the error.
            state.isClosed = true
            return .overflow
          }
        }
        items.append(input)
        return .kept
      }
    }

    func fail() {
      drain.note(.blocked)
      guard case .customError(let makeError) = whenFull.withLock({ $0 }) else { return }
      let end = Subscribers.Completion.failure(makeError())
      stage.cancel(for: self)
      deliverEnd(end)
    }

    package override func runOut(isLimited: Bool) {
      deliverItems(isLimited: isLimited) { _ in requestOneMore() }
    }

    package override func letGo() {
      withExtendedLifetime(whenFull.take()) {}
      super.letGo()
    }
  }
}

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
