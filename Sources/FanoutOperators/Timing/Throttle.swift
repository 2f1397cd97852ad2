// Invariant: the properties marked `@exclusivity(unchecked)` are reached only under the lock of
// `state`.

public import FanoutCore
package import FanoutEngine

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

    /// Attaches the specified subscriber, which receives its subscription on the subscribing
    /// thread.
    ///
    /// - Parameter subscriber: The subscriber to attach.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(
        subscriber: makeInner(ErasedSubscriber(subscriber), TimedPlace(scheduler, nil)))
    }
  }
}

extension Publishers.Throttle: Sendable
where Upstream: Sendable, Context: Sendable, Context.SchedulerTimeType.Stride: Sendable {}

extension Publishers.Throttle {
  /// Returns the subscriber to the upstream.
  @usableFromInline
  func makeInner(
    _ downstream: ErasedSubscriber<Output, Failure>, _ place: TimedPlace<Context.SchedulerTimeType>
  ) -> SubscribedSource<Output, Failure> {
    Inner(downstream: downstream, place: place, interval: interval, latest: latest)
  }

  package final class Inner: TimedSubscription<Output, Output, Failure, Context.SchedulerTimeType> {
    let interval: Context.SchedulerTimeType.Stride
    let latest: Bool
    /// The value that is delivered when the interval is over.
    @exclusivity(unchecked) package private(set) var held = ValueSlot<Output>()
    /// The completion that comes behind `held`.
    @exclusivity(unchecked) package private(set) var heldEnd: Subscribers.Completion<Failure>?
    @exclusivity(unchecked) private var hasHeldEnd = false
    /// The date from which the next value may be delivered.
    @exclusivity(unchecked) var earliest: Context.SchedulerTimeType
    /// Whether the end of an interval is later than its start: a scheduler may have no time.
    let takesTime: Bool

    init(
      downstream: ErasedSubscriber<Output, Failure>, place: TimedPlace<Context.SchedulerTimeType>,
      interval: Context.SchedulerTimeType.Stride, latest: Bool
    ) {
      self.interval = interval
      self.latest = latest
      let now = place.now()
      earliest = now
      takesTime = now < now.advanced(by: interval)
      super.init(downstream: downstream, name: "Throttle", place: place)
    }

    deinit { held.free() }

    package override func receive(subscription: any Subscription) {
      guard stage.attach(deliverySource(of: subscription), for: self) else { return }
      if let readTime {
        let now = readTime()
        state.withLock { _ in earliest = now }
      }
      begin()
      stage.request(.unlimited)
    }

    package override func request(_ credit: Credit) {
      noteRequest(credit)
      super.request(credit)
    }

    /// Does nothing: the upstream is asked for everything from the start.
    package override func didRequest(_ credit: Credit) {}

    package override func receive(_ input: Output) -> Subscribers.Demand {
      var isFirst = false
      replacing { state, replaced in
        guard !state.isClosed else { return false }
        if held.isSet {
          guard latest, let value = held.take() else { return false }
          replaced.moveInitialize(from: value, count: 1)
          held.put(input)
          return true
        }
        let waits = items.count
        if !requested.covers(waits) {
          // Due, and not requested so far.
          return latest && replaceUnrequested(by: input, replaced)
        }
        held.put(input)
        // With the delivery of the value that waits, an interval begins and the timer is started.
        if waits == 0 || !takesTime { isFirst = timer.start(at: earliest) }
        return false
      }
      if isFirst { scheduleNotTooLate() }
      return .none
    }

    /// Schedules the timer's action, which runs at the next opportunity if the date is in the past.
    ///
    /// If the end of an interval that begins now is earlier, because the clock has been set back,
    /// the timer is started for that.
    func scheduleNotTooLate() {
      if let readTime {
        let latest = readTime().advanced(by: interval)
        if latest < dateOfAction.pointee {
          state.withLock { _ in
            // Nothing else starts or stops the timer until it has an action.
            _ = timer.start(at: latest)
            timer.noteDateOfAction()
          }
        }
      }
      scheduleTimer()
    }

    package override func timeIsUp(
      _ state: inout QueueState, _ replaced: UnsafeMutablePointer<Output>
    ) -> Bool {
      if let value = held.take() {
        items.append(moving: value)
      }
      if hasHeldEnd {
        acceptEnd()
        state.hasEnd = true
      }
      return false
    }

    // Not inlined: the type of the completion would be looked up for each value.
    @inline(never)
    private func acceptEnd() { (end, heldEnd, hasHeldEnd) = (heldEnd, nil, false) }

    /// Delivers what waits, and begins an interval with each value.
    package override func deliverSome(after notes: Drain.Note) -> Bool {
      for _ in 0..<Self.valuesPerAction {
        guard let readTime else { return false }
        let next = readTime().advanced(by: interval)
        var (isLast, isStarted) = (false, false)
        let isDelivered = deliverWaiting(
          atMost: 1,
          whenTaken: { state in
            noteTaken()
            earliest = next
            isLast = items.count == 0 && !state.hasEnd
            if held.isSet { isStarted = timer.start(at: next) }
          }, beforeEach: { if isStarted { scheduleTimer() } }, afterEach: { noteRequest($0) })
        // What comes later leaves a note in the drain.
        if !isDelivered || isLast { return false }
      }
      return true
    }

    package override func receive(completion: Subscribers.Completion<Failure>) {
      guard closeAtEndOfUpstream() else { return }
      let isHeld = state.withLock { _ in
        if held.isSet { (heldEnd, hasHeldEnd) = (completion, true) }
        return held.isSet
      }
      if !isHeld { deliverEnd(completion) }
    }

    package override func letGo() {
      release { held.take() }
      let end = state.withLock { _ in
        hasHeldEnd = false
        return heldEnd.take()
      }
      withExtendedLifetime(end) {}
      super.letGo()
    }
  }
}

extension Publisher {
  /// Delivers at most one value in each interval.
  ///
  /// ![1 arrives at once. Three ticks later the newest of 2 and 3 does, or with latest: false the first. 4, 5 and 6 come more slowly.](throttle)
  ///
  /// The first value is delivered at the next opportunity. An interval begins with each delivery;
  /// of the values that come before it is over, one is delivered at its end: the newest or the
  /// first. Use this operator to follow values that come faster than they are needed, such as
  /// positions.
  ///
  /// - Demand: the upstream is asked for everything. If a value is not requested when it is due, it
  ///   waits; with `latest`, newer values replace it. In Combine it is lost. What is requested is
  ///   not replaced: it waits for a busy subscriber, and the interval begins with its delivery.
  /// - Completion, failure: arrive at the next opportunity, or behind a value that waits for the
  ///   end of the interval.
  /// - Cancel: passed up on the cancelling thread. Nothing is delivered after it, and the
  ///   subscriber and the values are released at once.
  /// - Concurrency: the subscription arrives on the subscribing thread, everything else on the
  ///   scheduler.
  /// - Ownership: a scheduled action retains the subscription until it has run; after a cancel or
  ///   the end it retains nothing.
  ///
  /// - Parameters:
  ///   - interval: The least time between two deliveries, zero or more; a negative one traps.
  ///   - scheduler: The scheduler that measures the interval, and on which values and the
  ///     completion are delivered. On an `ImmediateScheduler`, which has no time, every value is
  ///     delivered.
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
