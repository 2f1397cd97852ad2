// Invariant: the properties marked `@exclusivity(unchecked)` are reached only under the lock of
// `state`, and `batchCount` only by the holder of `drain`. Unsafe pointer: invariant: the memory
// for copies of dates holds as many as `count` says, and only the timer's action, of which there is
// one at a time, uses it and `dateOfAction`.

public import FanoutCore
package import FanoutEngine

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

    /// Creates a publisher that delivers the values of the specified upstream some time after they
    /// have come.
    ///
    /// - Parameters:
    ///   - upstream: The upstream publisher.
    ///   - interval: The time between the arrival of a value and its delivery, zero or more; a
    ///     negative one traps.
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

    /// Attaches the specified subscriber, which receives its subscription on the subscribing
    /// thread.
    ///
    /// - Parameter subscriber: The subscriber to attach.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(
        subscriber: makeInner(
          ErasedSubscriber(subscriber), TimedPlace(scheduler, options, tolerance: tolerance)))
    }
  }
}

extension Publishers.Delay: Sendable
where
  Upstream: Sendable, Context: Sendable, Context.SchedulerTimeType.Stride: Sendable,
  Context.SchedulerOptions: Sendable
{}

extension Publishers.Delay {
  /// Returns the subscriber to the upstream.
  @usableFromInline
  func makeInner(
    _ downstream: ErasedSubscriber<Output, Failure>, _ place: TimedPlace<Context.SchedulerTimeType>
  ) -> SubscribedSource<Output, Failure> {
    Inner(downstream: downstream, place: place, interval: interval)
  }

  package final class Inner: TimedSubscription<Output, Output, Failure, Context.SchedulerTimeType> {
    /// The number of dates that an action compares together.
    static var datesAtOnce: Int { 16 }

    let interval: Context.SchedulerTimeType.Stride
    /// The dates of what is not due: of the values in `items`, behind those that are, and of the
    /// completion.
    ///
    /// While there is one, the timer has an action, and only that removes them.
    @exclusivity(unchecked) package var dates = LateQueue<Context.SchedulerTimeType>()
    /// The number of values in `items` that are due.
    @exclusivity(unchecked) private var dueCount = 0
    /// The values that an action took out of `items` together; requested, and reached by the holder
    /// of the drain.
    @exclusivity(unchecked) package var batch = LateQueue<Output>()
    /// The number of values in `batch`.
    @exclusivity(unchecked) private var batchCount = 0
    /// The completion that is not due, behind all values.
    @exclusivity(unchecked) package private(set) var delayedEnd: Subscribers.Completion<Failure>?
    @exclusivity(unchecked) private var hasDelayedEnd = false

    init(
      downstream: ErasedSubscriber<Output, Failure>, place: TimedPlace<Context.SchedulerTimeType>,
      interval: Context.SchedulerTimeType.Stride
    ) {
      self.interval = interval
      super.init(downstream: downstream, name: "Delay", place: place)
    }

    deinit {
      dates.free()
      batch.free()
    }

    package override func receive(_ input: Output) -> Subscribers.Demand {
      guard let readTime else { return .none }
      let due = readTime().advanced(by: interval)
      var isFirst = false
      _ = append(input, whenAdded: { isFirst = keep(due) })
      if isFirst { scheduleTimer() }
      return .none
    }

    package override func receive(completion: Subscribers.Completion<Failure>) {
      guard closeAtEndOfUpstream(), let readTime else { return }
      let due = readTime().advanced(by: interval)
      let isFirst = state.withLock { state in
        guard !state.isReleased else { return false }
        (delayedEnd, hasDelayedEnd) = (completion, true)
        return keep(due)
      }
      if isFirst { scheduleTimer() }
    }

    /// Puts a date behind all others; returns whether the timer has to be scheduled.
    @inline(__always)
    private func keep(_ due: Context.SchedulerTimeType) -> Bool {
      dates.append(due)
      return timer.hasAction ? false : timer.start(at: due)
    }

    /// Handles the dates that have been reached, as `TimedSubscription` does, but many of them
    /// together.
    ///
    /// They are compared without the lock, because that is user code, and so as copies.
    package override func timerRuns() {
      var (reached, isDue, isRest) = (0, false, false)
      withUnsafeTemporaryAllocation(of: Context.SchedulerTimeType.self, capacity: Self.datesAtOnce)
      {
        guard let readTime = beginAction(), let copies = $0.baseAddress else { return }
        let now = readTime()
        var (count, accepted) = (copyDates(to: copies), 0)
        while count > 0 {
          accepted = 0
          while accepted < count {
            let date = copies + accepted
            isDue = date.pointee <= now || date.pointee == dateOfAction.pointee
            guard isDue, reached < Self.valuesPerAction else { break }
            accepted &+= 1
            reached &+= 1
          }
          isRest = accepted < count
          if isRest { dateOfAction.pointee = copies[accepted] }
          let isMore = acceptDates(accepted)
          copies.deinitialize(count: count)
          count = isMore && !isRest ? copyDates(to: copies) : 0
        }
      }
      if isRest, !isDue { scheduleTimer() }
      if reached > 0 { deliverNow() }
      if isRest, isDue { scheduleTimer() }
    }

    private func copyDates(to copies: UnsafeMutablePointer<Context.SchedulerTimeType>) -> Int {
      state.withLock { _ in dates.copyFirst(Self.datesAtOnce, to: copies) }
    }

    /// Takes up the oldest dates, which have been reached; returns whether there are others.
    private func acceptDates(_ accepted: Int) -> Bool {
      state.withLock { state in
        guard !state.isReleased else { return false }
        dates.removeFirst(accepted)
        // The last date may be that of the completion.
        dueCount = Swift.min(dueCount &+ accepted, items.count)
        guard dates.count == 0 else { return true }
        timer.hasAction = false
        if hasDelayedEnd {
          acceptEnd()
          state.hasEnd = true
        }
        return false
      }
    }

    // Not inlined: the type of the completion would be looked up for each action.
    @inline(never)
    private func acceptEnd() { (end, delayedEnd, hasDelayedEnd) = (delayedEnd, nil, false) }

    package override var isWaiting: Bool { dueCount > 0 }

    package override func deliverSome(after notes: Drain.Note) -> Bool {
      deliverWaiting(
        atMost: Self.valuesPerAction, next: { nextOfBatch(to: $0) }, mayWait: { true },
        waiting: { dueCount }, takesAll: { takeBatch() },
        whenTaken: { _ in dueCount &-= 1 }, beforeEach: {},
        afterEach: { more in if more != .none { stage.request(more) } })
    }

    @inline(__always)
    private func nextOfBatch(to slot: UnsafeMutablePointer<Output>) -> Bool {
      guard batchCount > 0 else { return false }
      batchCount &-= 1
      return batch.moveFirst(to: slot)
    }

    /// Takes out all values that are due, if all of them are requested; the caller holds the lock.
    @inline(never)
    private func takeBatch() -> Bool {
      guard credit.covers(dueCount) else { return false }
      if dueCount == items.count {
        items.swapValues(with: &batch)
      } else {
        items.moveFirst(dueCount, behind: &batch)
      }
      (batchCount, dueCount) = (dueCount, 0)
      return true
    }

    package override func letGo() {
      let released = state.withLock { state in
        // So nothing is added any more.
        (state.isClosed, state.isReleased) = (true, true)
        (dueCount, hasDelayedEnd) = (0, false)
        return (dates.takeAll(), delayedEnd.take())
      }
      batchCount = 0
      withExtendedLifetime((released, batch.takeAll())) {}
      super.letGo()
    }
  }
}

extension Publisher {
  /// Delivers values and the completion some time after they have come.
  ///
  /// ![Every value and the finish arrive three ticks later.](delay)
  ///
  /// The order and the distances are kept. A failure is delayed as well, so it does not overtake a
  /// value. Between two delays whose values are due at the same time, the order is not kept: each
  /// of them has one action for all of its values.
  ///
  /// - Demand: passed to the upstream unchanged, on the requesting thread. Values that an upstream
  ///   sends unrequested wait.
  /// - Completion, failure: delayed by the same time; they arrive behind the last value.
  /// - Cancel: passed up on the cancelling thread. Nothing is delivered after it, and the
  ///   subscriber and all values are released at once.
  /// - Concurrency: the subscription arrives on the subscribing thread, everything else on the
  ///   scheduler. At most one action is scheduled for the values that are not due. An action
  ///   delivers up to 128 values, and leaves the rest to the next one.
  /// - Ownership: a scheduled action retains the subscription until it has run; after a cancel or
  ///   the end it retains nothing. The number of values that are on their way has no limit but the
  ///   demand.
  ///
  /// - Parameters:
  ///   - interval: The time between the arrival of a value and its delivery, zero or more; a
  ///     negative one traps.
  ///   - tolerance: The allowed lateness, or nil for the least that the scheduler can promise.
  ///   - scheduler: The scheduler that measures the time, and on which values and the completion
  ///     are delivered. An `ImmediateScheduler`, which has no time, delays nothing.
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
