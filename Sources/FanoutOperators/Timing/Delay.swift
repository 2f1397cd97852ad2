// Invariant: the properties marked `@exclusivity(unchecked)` are reached only under the lock of `waiting`.

public import FanoutCore
public import FanoutEngine

extension Publishers {
  /// A publisher that delivers the values of its upstream some time after they have come.
  public struct Delay<Upstream: Publisher, Context: Scheduler>: Publisher {
    /// The upstream's output.
    public typealias Output = Upstream.Output
    /// The upstream's failure.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream
    /// The time between the arrival of a value and its delivery.
    public let interval: Context.SchedulerTimeType.Stride
    /// The allowed lateness.
    public let tolerance: Context.SchedulerTimeType.Stride
    /// The scheduler that measures the time, and on which values are delivered.
    public let scheduler: Context
    /// The options passed with every scheduled action.
    public let options: Context.SchedulerOptions?

    /// Creates a publisher that delivers the values of the specified upstream some time after they have come.
    ///
    /// - Parameters:
    ///   - upstream: The upstream publisher.
    ///   - interval: The time between the arrival of a value and its delivery, zero or more; a negative one traps.
    ///   - tolerance: The allowed lateness.
    ///   - scheduler: The scheduler that measures the time, and on which values are delivered.
    ///   - options: The options passed with every scheduled action, or nil.
    public init(
      upstream: Upstream, interval: Context.SchedulerTimeType.Stride,
      tolerance: Context.SchedulerTimeType.Stride, scheduler: Context,
      options: Context.SchedulerOptions? = nil
    ) {
      trap(
        unless: interval >= .zero,
        "delay(for: \(interval)): a delay cannot be negative; pass zero or more.")
      self.upstream = upstream
      self.interval = interval
      self.tolerance = tolerance
      self.scheduler = scheduler
      self.options = options
    }

    /// Attaches the specified subscriber, which receives its subscription on the subscribing thread.
    ///
    /// - Parameter subscriber: The subscriber to attach.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(subscriber: Inner(downstream: subscriber, parent: self))
    }
  }
}

extension Publishers.Delay: Sendable
where
  Upstream: Sendable, Context: Sendable, Context.SchedulerTimeType.Stride: Sendable,
  Context.SchedulerOptions: Sendable
{}

extension Publishers.Delay {
  @_fixed_layout
  @usableFromInline
  package final class Inner<Downstream: Subscriber>: TimedSubscription<
    Upstream.Output, Context, Downstream
  >,
  Subscriber
  where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
    @usableFromInline package typealias Input = Upstream.Output
    @usableFromInline package typealias Failure = Upstream.Failure

    /// A value, or the completion behind the last one, with the date of its delivery.
    @frozen @usableFromInline
    package struct Delayed {
      @usableFromInline let due: Time
      @usableFromInline let value: Input?
      @usableFromInline let end: Subscribers.Completion<Failure>?

      @inlinable
      init(due: Time, value: Input? = nil, end: Subscribers.Completion<Failure>? = nil) {
        (self.due, self.value, self.end) = (due, value, end)
      }
    }

    @usableFromInline let interval: Context.SchedulerTimeType.Stride
    /// The oldest of what is not due: the timer is started for it.
    @exclusivity(unchecked) @usableFromInline package var first: Delayed?
    /// The values behind `first`.
    @exclusivity(unchecked) @usableFromInline package var rest: ValueQueue<Delayed>? = ValueQueue()

    @inlinable
    init(downstream: Downstream, parent: Publishers.Delay<Upstream, Context>) {
      interval = parent.interval
      super.init(
        downstream: downstream, name: "Delay",
        place: ScheduledPlace(parent.scheduler, parent.options), tolerance: parent.tolerance,
        runOut: { unsafeDowncast($0, to: Inner.self).runOut(isLimited: $1) },
        delivers: { unsafeDowncast($0, to: Inner.self).deliverDelayed() },
        moves: { unsafeDowncast($0, to: Inner.self).timeIsUp(&$1) })
    }

    @inlinable
    package func receive(_ input: Input) -> Subscribers.Demand {
      guard let due = now?.advanced(by: interval) else { return .none }
      let isFirst = waiting.withLock { waiting in
        guard let known = waiting, !known.isClosed else { return false }
        return keep(Delayed(due: due, value: input))
      }
      if isFirst { scheduleTimer(for: due) }
      return .none
    }

    @usableFromInline
    package func receive(completion: Subscribers.Completion<Failure>) {
      guard closeAtEndOfUpstream(), let due = now?.advanced(by: interval) else { return }
      let isFirst = waiting.withLock { waiting in
        waiting == nil ? false : keep(Delayed(due: due, end: completion))
      }
      if isFirst { scheduleTimer(for: due) }
    }

    /// Puts a value behind all others; returns whether the timer has to be scheduled.
    @inlinable
    func keep(_ delayed: Delayed) -> Bool {
      guard first == nil else {
        rest?.append(delayed)
        return false
      }
      first = delayed
      return timer.start(at: delayed.due)
    }

    @inlinable
    package override func timeIsUp(_ waiting: inout Waiting) -> Input? {
      guard let due = first else { return nil }
      if let value = due.value { waiting.items.append(value) }
      if let end = due.end { waiting.end = end }
      first = rest?.popFirst()
      // No action is due: this one goes on.
      if let first { _ = timer.start(at: first.due) }
      return nil
    }

    @inlinable
    func deliverDelayed() -> Bool {
      deliverWaiting(
        atMost: Self.valuesPerAction, { $0 },
        afterEach: { _, more in if more != .none { stage.request(more) } })
    }

    package override func letGo() {
      withExtendedLifetime(waiting.withLock { _ in (first.take(), rest.take()) }) {}
      super.letGo()
    }
  }
}

@available(*, unavailable)
extension Publishers.Delay.Inner.Delayed: Sendable {}

extension Publisher {
  /// Delivers values and the completion some time after they have come.
  ///
  /// ![Every value and the finish arrive three ticks later.](delay)
  ///
  /// The order and the distances are kept. A failure is delayed as well, so it does not overtake a value. Between two
  /// delays whose values are due at the same time, the order is not kept: each of them has one action for all of its
  /// values.
  ///
  /// - Demand: passed to the upstream unchanged, on the requesting thread. Values that an upstream sends unrequested
  ///   wait.
  /// - Completion, failure: delayed by the same time; they arrive behind the last value.
  /// - Cancel: passed up on the cancelling thread. Nothing is delivered after it, and the subscriber and all values
  ///   are released at once.
  /// - Concurrency: the subscription arrives on the subscribing thread, everything else on the scheduler. At most
  ///   one action is scheduled for the values that are not due. An action delivers up to 128 values, and leaves the
  ///   rest to the next one.
  /// - Ownership: a scheduled action retains the subscription until it has run; after a cancel or the end it retains
  ///   nothing. The number of values that are on their way has no limit but the demand.
  ///
  /// - Parameters:
  ///   - interval: The time between the arrival of a value and its delivery, zero or more; a negative one traps.
  ///   - tolerance: The allowed lateness, or nil for the least that the scheduler can promise.
  ///   - scheduler: The scheduler that measures the time, and on which values and the completion are delivered. An
  ///     `ImmediateScheduler`, which has no time, delays nothing.
  ///   - options: The options passed with every scheduled action, or nil.
  /// - Returns: A publisher of the same values.
  ///
  /// ```swift
  /// import Fanout
  /// import FanoutTestSupport
  ///
  /// let scheduler = TestScheduler()
  /// let steps = PassthroughSubject<Int, Never>()
  /// let echo = steps.delay(for: 10, scheduler: scheduler).sink(
  ///   receiveCompletion: { print("at", scheduler.now, $0) },
  ///   receiveValue: { print("at", scheduler.now, $0) })
  /// steps.send(1)
  /// scheduler.advance(by: 3)
  /// steps.send(2)
  /// steps.send(completion: .finished)
  /// scheduler.advance(by: 20)
  /// echo.cancel()
  /// // Prints:
  /// // at 10 1
  /// // at 13 2
  /// // at 13 finished
  /// ```
  @preconcurrency
  public func delay<S: Scheduler>(
    for interval: S.SchedulerTimeType.Stride, tolerance: S.SchedulerTimeType.Stride? = nil,
    scheduler: S, options: S.SchedulerOptions? = nil
  ) -> Publishers.Delay<Self, S>
  where Output: Sendable {
    Publishers.Delay(
      upstream: self, interval: interval, tolerance: tolerance ?? scheduler.minimumTolerance,
      scheduler: scheduler, options: options)
  }
}
