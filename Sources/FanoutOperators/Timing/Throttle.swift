// Invariant: the properties marked `@exclusivity(unchecked)` are reached only under the lock of `waiting`.

public import FanoutCore
public import FanoutEngine

extension Publishers {
  /// A publisher of one value of its upstream for each interval.
  public struct Throttle<Upstream: Publisher, Context: Scheduler>: Publisher {
    /// The upstream's output.
    public typealias Output = Upstream.Output
    /// The upstream's failure.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream
    /// The least time between two deliveries.
    public let interval: Context.SchedulerTimeType.Stride
    /// The scheduler that measures the interval, and on which values are delivered.
    public let scheduler: Context
    /// Whether the newest value of an interval is delivered, and not the first.
    public let latest: Bool

    /// Creates a publisher of one value of the specified upstream for each interval.
    ///
    /// - Parameters:
    ///   - upstream: The upstream publisher.
    ///   - interval: The least time between two deliveries, zero or more; a negative one traps.
    ///   - scheduler: The scheduler that measures the interval, and on which values are delivered.
    ///   - latest: Whether the newest value of an interval is delivered, and not the first.
    public init(
      upstream: Upstream, interval: Context.SchedulerTimeType.Stride, scheduler: Context,
      latest: Bool
    ) {
      trap(
        unless: interval >= .zero,
        "throttle(for: \(interval)): an interval cannot be negative; pass zero or more.")
      self.upstream = upstream
      self.interval = interval
      self.scheduler = scheduler
      self.latest = latest
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

extension Publishers.Throttle: Sendable
where Upstream: Sendable, Context: Sendable, Context.SchedulerTimeType.Stride: Sendable {}

extension Publishers.Throttle {
  @_fixed_layout
  @usableFromInline
  package final class Inner<Downstream: Subscriber>: TimedSubscription<
    Upstream.Output, Context, Downstream
  >,
  Subscriber
  where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
    @usableFromInline package typealias Input = Upstream.Output
    @usableFromInline package typealias Failure = Upstream.Failure

    @usableFromInline let interval: Context.SchedulerTimeType.Stride
    @usableFromInline let latest: Bool
    /// The value that is delivered when the interval is over.
    @exclusivity(unchecked) @usableFromInline package var held: Input?
    /// The completion that comes behind `held`.
    @exclusivity(unchecked) @usableFromInline package var heldEnd: Subscribers.Completion<Failure>?
    /// The date from which the next value may be delivered.
    @exclusivity(unchecked) @usableFromInline var earliest: Time
    /// Whether the end of an interval is later than its start: a scheduler may have no time.
    @usableFromInline let takesTime: Bool

    @inlinable
    init(downstream: Downstream, parent: Publishers.Throttle<Upstream, Context>) {
      interval = parent.interval
      latest = parent.latest
      let now = parent.scheduler.now
      earliest = now
      takesTime = now < now.advanced(by: parent.interval)
      super.init(
        downstream: downstream, name: "Throttle", place: ScheduledPlace(parent.scheduler, nil),
        runOut: { unsafeDowncast($0, to: Inner.self).runOut(isLimited: $1) },
        delivers: { unsafeDowncast($0, to: Inner.self).deliverThrottled() },
        moves: { unsafeDowncast($0, to: Inner.self).timeIsUp(&$1) })
    }

    @usableFromInline
    package override func receive(subscription: any Subscription) {
      guard stage.attach(deliverySource(of: subscription), for: self) else { return }
      if let now { waiting.withLock { _ in earliest = now } }
      begin()
      stage.request(.unlimited)
    }

    package override func request(_ credit: Credit) {
      noteRequest(credit)
      super.request(credit)
    }

    /// Does nothing: the upstream is asked for everything from the start.
    package override func didRequest(_ credit: Credit) {}

    @inlinable
    package func receive(_ input: Input) -> Subscribers.Demand {
      let (date, replaced) = waiting.withLock { waiting -> (Time?, Input?) in
        guard let known = waiting, !known.isClosed else { return (nil, nil) }
        if let kept = held {
          if latest { held = input }
          return (nil, kept)
        }
        let waits = known.items.count
        if !requested.covers(waits) {
          // Due, and not requested so far.
          return (nil, latest ? replaceUnrequested(by: input, known) : nil)
        }
        held = input
        // With the delivery of the value that waits, an interval begins and the timer is started.
        if waits > 0, takesTime { return (nil, nil) }
        return (timer.start(at: earliest) ? earliest : nil, nil)
      }
      withExtendedLifetime(replaced) {}
      // It may be in the past, and then the action runs at the next opportunity.
      if let date { scheduleTimer(for: notTooLate(date)) }
      return .none
    }

    /// Returns the date for which the timer was started, or the end of an interval that begins now if that is earlier,
    /// because the clock has been set back; then the timer is started for that.
    @inlinable
    func notTooLate(_ date: Time) -> Time {
      guard let latest = now?.advanced(by: interval), latest < date else { return date }
      // Nothing else starts or stops the timer until it has an action.
      _ = waiting.withLock { _ in timer.start(at: latest) }
      return latest
    }

    @inlinable
    package override func timeIsUp(_ waiting: inout Waiting) -> Input? {
      if let value = held.take() { waiting.items.append(value) }
      if let end = heldEnd.take() { waiting.end = end }
      return nil
    }

    /// Delivers what waits, and begins an interval with each value.
    @inlinable
    func deliverThrottled() -> Bool {
      for _ in 0..<Self.valuesPerAction {
        guard let next = now?.advanced(by: interval) else { return false }
        var isLast = false
        var isStarted = false
        let isDelivered = deliverWaiting(
          atMost: 1,
          whenTaken: { waiting in
            noteTaken()
            earliest = next
            isLast = waiting.items.count == 0 && waiting.end == nil
            if held != nil { isStarted = timer.start(at: next) }
          },
          {
            if isStarted { scheduleTimer(for: next) }
            return $0
          }, afterEach: { noteRequest($1) })
        // What comes later leaves a note in the drain.
        if !isDelivered || isLast { return false }
      }
      return true
    }

    @usableFromInline
    package func receive(completion: Subscribers.Completion<Failure>) {
      guard closeAtEndOfUpstream() else { return }
      let isHeld = waiting.withLock { _ in
        if held != nil { heldEnd = completion }
        return held != nil
      }
      if !isHeld { deliverEnd(completion) }
    }

    package override func letGo() {
      withExtendedLifetime(waiting.withLock { _ in (held.take(), heldEnd.take()) }) {}
      super.letGo()
    }
  }
}

extension Publisher {
  /// Delivers at most one value in each interval.
  ///
  /// ![1 arrives at once. Three ticks later the newest of 2 and 3 does, or with latest: false the first. 4, 5 and 6 come more slowly.](throttle)
  ///
  /// The first value is delivered at the next opportunity. An interval begins with each delivery; of the values that
  /// come before it is over, one is delivered at its end: the newest or the first. Use this operator to follow
  /// values that come faster than they are needed, such as positions.
  ///
  /// - Demand: the upstream is asked for everything. If a value is not requested when it is due, it waits; with
  ///   `latest`, newer values replace it. In Combine it is lost. What is requested is not replaced: it waits for a
  ///   busy subscriber, and the interval begins with its delivery.
  /// - Completion, failure: arrive at the next opportunity, or behind a value that waits for the end of the interval.
  /// - Cancel: passed up on the cancelling thread. Nothing is delivered after it, and the subscriber and the values
  ///   are released at once.
  /// - Concurrency: the subscription arrives on the subscribing thread, everything else on the scheduler.
  /// - Ownership: a scheduled action retains the subscription until it has run; after a cancel or the end it retains
  ///   nothing.
  ///
  /// - Parameters:
  ///   - interval: The least time between two deliveries, zero or more; a negative one traps.
  ///   - scheduler: The scheduler that measures the interval, and on which values and the completion are delivered.
  ///     On an `ImmediateScheduler`, which has no time, every value is delivered.
  ///   - latest: Whether the newest value of an interval is delivered, and not the first.
  /// - Returns: A publisher of a part of the values.
  ///
  /// ```swift
  /// import Fanout
  /// import FanoutTestSupport
  ///
  /// let scheduler = TestScheduler()
  /// let positions = PassthroughSubject<Int, Never>()
  /// let shown = positions.throttle(for: 10, scheduler: scheduler, latest: true).sink {
  ///   print("at", scheduler.now, "position", $0)
  /// }
  /// for position in 1...7 {
  ///   positions.send(position)
  ///   scheduler.advance(by: 4)
  /// }
  /// shown.cancel()
  /// // Prints:
  /// // at 0 position 1
  /// // at 10 position 3
  /// // at 20 position 5
  /// ```
  @preconcurrency
  public func throttle<S: Scheduler>(
    for interval: S.SchedulerTimeType.Stride, scheduler: S, latest: Bool
  ) -> Publishers.Throttle<Self, S>
  where Output: Sendable {
    Publishers.Throttle(upstream: self, interval: interval, scheduler: scheduler, latest: latest)
  }
}
