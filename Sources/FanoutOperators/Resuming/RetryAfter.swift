// Relaxed store and load: a failure comes after the values of its attempt, on a thread that has
// seen them.

public import FanoutCore
internal import FanoutEngine
internal import Synchronization

extension Publishers {
  /// A publisher that subscribes to its upstream again some time after it has failed, or after any
  /// end.
  public struct RetryAfter<Upstream: Publisher, Context: Scheduler & Sendable>: Publisher,
    UpstreamTypes
  {
    /// The upstream publisher.
    package let upstream: Upstream
    /// The pauses.
    package let backoff: RetryBackoff
    /// The greatest number of retries in a row, or nil if there is no limit.
    package let attempts: Int?
    /// The scheduler that measures the pauses, and on which the upstream is subscribed to again.
    package let scheduler: Context
    /// Whether a finish counts as a failure.
    package let alsoAfterFinish: Bool
    /// The number of failures in a row.
    let failures: Int

    /// Creates a publisher that subscribes to the specified upstream again some time after it has
    /// failed.
    ///
    /// - Parameters:
    ///   - upstream: The upstream publisher.
    ///   - backoff: The pauses.
    ///   - attempts: The greatest number of retries in a row, 0 or more, or nil for no limit. A
    ///     negative number traps.
    ///   - alsoAfterFinish: Whether a finish counts as a failure.
    ///   - scheduler: The scheduler that measures the pauses.
    package init(
      upstream: Upstream, backoff: RetryBackoff, attempts: Int?, alsoAfterFinish: Bool = false,
      scheduler: Context
    ) {
      trap(
        unless: attempts ?? 0 >= 0,
        "retry(attempts: \(attempts ?? 0)): a number of retries cannot be negative; pass 0 or more."
      )
      self.init(upstream, backoff, attempts, alsoAfterFinish, scheduler, failures: 0)
    }

    init(
      _ upstream: Upstream, _ backoff: RetryBackoff, _ attempts: Int?, _ alsoAfterFinish: Bool,
      _ scheduler: Context, failures: Int
    ) {
      self.upstream = upstream
      self.backoff = backoff
      self.attempts = attempts
      self.alsoAfterFinish = alsoAfterFinish
      self.scheduler = scheduler
      self.failures = failures
    }

    /// Attaches the specified subscriber to this publisher.
    ///
    /// - Parameter subscriber: The subscriber to attach.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Upstream.Output, S.Failure == Failure {
      let (pause, attempt, delivered) = makeAttempt()
      let receiver = makeReceiver(
        ErasedSubscriber(subscriber), (operator: self, delivered: delivered)
      ) { (state, end: Subscribers.Completion<Failure>, recovery, last) in
        guard let next = state.operator.next(after: end, state.delivered) else {
          last = end
          return nil
        }
        return recovery.map { recovery in { next.receive(subscriber: recovery) } }
      }
      guard let receiver else { return }
      if let pause {
        Concatenate(prefix: pause, suffix: attempt).receive(subscriber: receiver)
      } else {
        attempt.receive(subscriber: receiver)
      }
    }
  }
}

extension Publishers.RetryAfter {
  /// Returns an attempt, the publisher of the pause in front of it, if there is one, and whether it
  /// has delivered.
  @usableFromInline
  func makeAttempt() -> (
    pause: AnyPublisher<Upstream.Output, Failure>?, attempt: Publishers.HandleEvents<Upstream>,
    delivered: HasDelivered
  ) {
    let delivered = HasDelivered()
    return (makePause(), upstream.handleEvents(receiveOutput: { _ in delivered.note() }), delivered)
  }

  /// Returns a publisher that finishes behind the pause in front of this attempt, or nil if there
  /// is no pause.
  private func makePause() -> AnyPublisher<Upstream.Output, Failure>? {
    let pause = failures > 0 ? backoff.pause(before: failures - 1) : .zero
    let interval = Context.SchedulerTimeType.Stride.nanoseconds(pause.nanoseconds)
    // A scheduler may have no time, or none that is so short.
    guard interval > .zero else { return nil }
    return scheduler.ticks(every: interval).first().ignoreOutput()
      .map { (_: Never) -> Upstream.Output in }.setFailureType(to: Failure.self)
      .eraseToAnyPublisher()
  }

  /// Returns the publisher of the next attempt, or nil if this was the last one.
  @usableFromInline
  func next(after end: Subscribers.Completion<Failure>, _ delivered: HasDelivered) -> Self? {
    if case .finished = end, !alsoAfterFinish { return nil }
    let failures = delivered.failures(after: failures)
    if let attempts, failures >= attempts { return nil }
    return Self(upstream, backoff, attempts, alsoAfterFinish, scheduler, failures: failures + 1)
  }
}

extension Publishers.RetryAfter: Sendable where Upstream: Sendable {}

/// Whether an attempt has delivered a value.
@usableFromInline
package final class HasDelivered: Sendable {
  private let value = AtomicValue(false)

  init() { noteCreation(of: self, isPart: true) }

  func note() { value.store(true, ordering: .relaxed) }

  /// Returns the failures in a row before this attempt; a connection that has worked begins a new
  /// row.
  func failures(after failures: Int) -> Int { value.load(ordering: .relaxed) ? 0 : failures }
}

extension Publisher {
  /// Subscribes to this publisher again some time after it has failed, up to a number of times, as
  /// a clock measures it.
  ///
  /// It is ``retry(_:alsoAfterFinish:clock:)`` with a limit, so that the failure of the last
  /// attempt is delivered.
  ///
  /// - Parameters:
  ///   - backoff: The pauses.
  ///   - attempts: The greatest number of retries in a row, 0 or more, or nil for no limit. A
  ///     negative number traps.
  ///   - alsoAfterFinish: Whether a finish counts as a failure. The finish of the last attempt is
  ///     delivered.
  ///   - clock: The clock that measures the pauses.
  /// - Returns: A publisher of the values of all subscriptions.
  ///
  /// ```swift
  /// import Fanout
  /// import FanoutTestSupport
  ///
  /// struct Lost: Error {}
  /// let clock = TestScheduler()
  /// let socket = Deferred { () -> Fail<String, Lost> in
  ///   print("connecting after", clock.now)
  ///   return Fail(error: Lost())
  /// }
  /// let backoff = RetryBackoff.exponential(from: .seconds(1), to: .seconds(60), jitter: 0)
  /// let messages = socket.retry(backoff, attempts: 3, clock: clock)
  ///   .sink(receiveCompletion: { _ in print("given up") }, receiveValue: { print($0) })
  /// clock.advance(by: .seconds(10))
  /// messages.cancel()
  /// // Prints:
  /// // connecting after 0
  /// // connecting after 1000
  /// // connecting after 3000
  /// // connecting after 7000
  /// // given up
  /// ```
  @preconcurrency
  public func retry<C: Clock>(
    _ backoff: RetryBackoff, attempts: Int?, alsoAfterFinish: Bool = false,
    clock: C = ContinuousClock()
  ) -> Publishers.RetryAfter<Self, ClockScheduler<C>>
  where C.Duration == Duration, Output: Sendable {
    retry(
      backoff, attempts: attempts, alsoAfterFinish: alsoAfterFinish, scheduler: clock.scheduler)
  }

  /// Subscribes to this publisher again some time after it has failed, each time, as a clock
  /// measures it.
  ///
  /// It is for a connection that comes back: a socket, a stream, a request to a service that is
  /// busy. If you call it before `share()`, the subscribers of the share see no failure. If the
  /// source begins again with its first value, they get its values again.
  ///
  /// - Demand: each subscription is asked for what was requested and not delivered.
  /// - Completion: when one of the subscriptions has finished, unless that counts as a failure.
  /// - Failure: none. An attempt that has delivered a value begins a new row, with the first pause.
  /// - Cancel: cancels the current subscription, or the pause.
  /// - Concurrency: after a pause the scheduler of the clock subscribes again. If there is no
  ///   pause, the thread of the failure subscribes again at once. Neither the stack nor a chain of
  ///   subscriptions grows, however often a publisher fails.
  /// - Cost: one store a value; a timer for each pause. A pause that the scheduler's time cannot
  ///   express is none.
  ///
  /// - Parameters:
  ///   - backoff: The pauses.
  ///   - alsoAfterFinish: Whether a finish counts as a failure, as for a socket that its server has
  ///     closed.
  ///   - clock: The clock that measures the pauses.
  /// - Returns: A publisher of the values of all subscriptions, which doesn't fail.
  ///
  /// ```swift
  /// import Fanout
  /// import FanoutTestSupport
  ///
  /// let clock = TestScheduler()
  /// let socket = Deferred { () -> Just<String> in
  ///   print("connecting after", clock.now)
  ///   return Just("hello")
  /// }
  /// let messages = socket.retry(.constant(.seconds(1)), alsoAfterFinish: true, clock: clock)
  ///   .sink { print($0) }
  /// clock.advance(by: .seconds(1))
  /// messages.cancel()
  /// // Prints:
  /// // connecting after 0
  /// // hello
  /// // connecting after 1000
  /// // hello
  /// ```
  @preconcurrency
  public func retry<C: Clock>(
    _ backoff: RetryBackoff, alsoAfterFinish: Bool = false, clock: C = ContinuousClock()
  ) -> Publishers.AssertNoFailure<Publishers.RetryAfter<Self, ClockScheduler<C>>>
  where C.Duration == Duration, Output: Sendable {
    retry(backoff, alsoAfterFinish: alsoAfterFinish, scheduler: clock.scheduler)
  }

  /// Subscribes to this publisher again some time after it has failed, up to a number of times; see
  /// ``retry(_:attempts:alsoAfterFinish:clock:)``.
  ///
  /// - Parameters:
  ///   - backoff: The pauses.
  ///   - attempts: The greatest number of retries in a row, 0 or more, or nil for no limit. A
  ///     negative number traps.
  ///   - alsoAfterFinish: Whether a finish counts as a failure.
  ///   - scheduler: The scheduler that measures the pauses, and on which the upstream is subscribed
  ///     to again.
  /// - Returns: A publisher of the values of all subscriptions.
  @preconcurrency
  public func retry<Context: Scheduler & Sendable>(
    _ backoff: RetryBackoff, attempts: Int?, alsoAfterFinish: Bool = false, scheduler: Context
  ) -> Publishers.RetryAfter<Self, Context> where Output: Sendable {
    Publishers.RetryAfter(
      upstream: self, backoff: backoff, attempts: attempts, alsoAfterFinish: alsoAfterFinish,
      scheduler: scheduler)
  }

  /// Subscribes to this publisher again some time after it has failed, each time; see
  /// ``retry(_:alsoAfterFinish:clock:)``.
  ///
  /// - Parameters:
  ///   - backoff: The pauses.
  ///   - alsoAfterFinish: Whether a finish counts as a failure.
  ///   - scheduler: The scheduler that measures the pauses, and on which the upstream is subscribed
  ///     to again.
  /// - Returns: A publisher of the values of all subscriptions, which doesn't fail.
  @preconcurrency
  public func retry<Context: Scheduler & Sendable>(
    _ backoff: RetryBackoff, alsoAfterFinish: Bool = false, scheduler: Context
  ) -> Publishers.AssertNoFailure<Publishers.RetryAfter<Self, Context>> where Output: Sendable {
    // Without a limit each failure is followed by another attempt.
    retry(backoff, attempts: nil, alsoAfterFinish: alsoAfterFinish, scheduler: scheduler)
      .assertNoFailure("retry without a limit of attempts")
  }
}

extension Duration {
  /// The nanoseconds, rounded up, or the greatest number of them.
  fileprivate var nanoseconds: Int { Int(clamping: (attoseconds + 999_999_999) / 1_000_000_000) }
}
