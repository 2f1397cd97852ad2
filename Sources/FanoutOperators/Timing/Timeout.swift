// Invariant: the properties marked `@exclusivity(unchecked)` are reached only under the lock of `waiting`.

public import FanoutCore
public import FanoutEngine

extension Publishers {
  /// A publisher that ends when its upstream has sent no value for some time.
  public struct Timeout<Upstream: Publisher, Context: Scheduler>: Publisher {
    /// The upstream's output.
    public typealias Output = Upstream.Output
    /// The upstream's failure.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream
    /// The longest time without a value.
    public let interval: Context.SchedulerTimeType.Stride
    /// The scheduler that measures the time, and on which values are delivered.
    public let scheduler: Context
    /// The options passed with every scheduled action.
    public let options: Context.SchedulerOptions?
    /// The closure that makes the failure when the time is up, or nil to finish.
    @preconcurrency public let customError: (@Sendable () -> Upstream.Failure)?

    /// Creates a publisher that ends when the specified upstream has sent no value for some time.
    ///
    /// - Parameters:
    ///   - upstream: The upstream publisher.
    ///   - interval: The longest time without a value, zero or more; a negative one traps.
    ///   - scheduler: The scheduler that measures the time, and on which values are delivered.
    ///   - options: The options passed with every scheduled action, or nil.
    ///   - customError: The closure that makes the failure when the time is up, or nil to finish.
    @preconcurrency
    public init(
      upstream: Upstream, interval: Context.SchedulerTimeType.Stride, scheduler: Context,
      options: Context.SchedulerOptions?, customError: (@Sendable () -> Upstream.Failure)?
    ) {
      trap(
        unless: interval >= .zero,
        "timeout(\(interval)): an interval cannot be negative; pass zero or more.")
      self.upstream = upstream
      self.interval = interval
      self.scheduler = scheduler
      self.options = options
      self.customError = customError
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

extension Publishers.Timeout: Sendable
where
  Upstream: Sendable, Context: Sendable, Context.SchedulerTimeType.Stride: Sendable,
  Context.SchedulerOptions: Sendable
{}

extension Publishers.Timeout {
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
    /// Released with everything else; its error is needed once at most.
    @usableFromInline package let customError: Lock<(@Sendable () -> Failure)?>
    /// Whether the subscriber has requested values.
    @exclusivity(unchecked) var isRequested = false
    /// Whether the time was up before the upstream has ended.
    @exclusivity(unchecked) var isTimedOut = false

    @inlinable
    init(downstream: Downstream, parent: Publishers.Timeout<Upstream, Context>) {
      interval = parent.interval
      customError = Lock(parent.customError)
      super.init(
        downstream: downstream, name: "Timeout",
        place: ScheduledPlace(parent.scheduler, parent.options),
        runOut: { unsafeDowncast($0, to: Inner.self).runOut(isLimited: $1) },
        delivers: { unsafeDowncast($0, to: Inner.self).deliverTimed() })
    }

    package override func didAttach() { restart() }

    package override func didRequest(_ credit: Credit) {
      let isFirst = waiting.withLock { _ in
        defer { isRequested = true }
        return !isRequested
      }
      if isFirst { restart() }
      stage.request(credit)
    }

    /// Starts the time again, unless the upstream has ended, or a value that came meanwhile has done it.
    private func restart() {
      let epoch = waiting.withLock { _ in timer.epoch }
      guard let due = now?.advanced(by: interval) else { return }
      let isWanted = waiting.withLock { waiting in
        guard let known = waiting, !known.isClosed, timer.epoch == epoch else { return false }
        return timer.start(at: due)
      }
      if isWanted { scheduleTimer(for: due) }
    }

    @inlinable
    package func receive(_ input: Input) -> Subscribers.Demand {
      guard let due = now?.advanced(by: interval) else { return .none }
      var isFirst = false
      guard append(input, whenAdded: { isFirst = timer.start(at: due) }) else { return .none }
      wake()
      if isFirst { scheduleTimer(for: due) }
      return .none
    }

    @usableFromInline
    package func receive(completion: Subscribers.Completion<Failure>) {
      guard closeAtEndOfUpstream() else { return }
      waiting.withLock { _ in timer.stop() }
      deliverEnd(completion)
    }

    package override func timeIsUp(_ waiting: inout Waiting) -> Input? {
      if !waiting.isClosed { isTimedOut = true }
      waiting.isClosed = true
      return nil
    }

    /// Cancels the upstream, and ends behind the values that wait.
    package override func deliverDue() {
      let isFirst = waiting.withLock { _ in
        defer { isTimedOut = false }
        return isTimedOut
      }
      guard isFirst else { return }
      stage.cancel(for: self)
      guard !isCancelled else { return }
      let makeError = customError.take()
      let end = makeError.map { Subscribers.Completion.failure($0()) } ?? .finished
      waiting.withLock { $0?.end = end }
      deliverNow()
    }

    @inlinable
    func deliverTimed() -> Bool {
      deliverWaiting(
        atMost: Self.valuesPerAction, { $0 },
        afterEach: { _, more in if more != .none { stage.request(more) } })
    }

    package override func letGo() {
      withExtendedLifetime(customError.take()) {}
      super.letGo()
    }
  }
}

extension Publisher {
  /// Ends when this publisher has sent no value for some time.
  ///
  /// ![Three ticks after 3 without a value, the upstream is cancelled, and the subscriber fails, or without an error finishes.](timeout)
  ///
  /// The time begins with the subscription, again with the first request, and again with each value. When it is up,
  /// this publisher is cancelled, and the subscriber finishes or fails. Use it to give up on work that does not
  /// answer. If a value comes at the very moment at which the time is up, or later while the scheduler is late,
  /// it counts unless the scheduler has run the action for that moment.
  ///
  /// - Demand: passed to the upstream unchanged, on the requesting thread. Values that an upstream sends unrequested
  ///   wait. The time passes as well while nothing is requested.
  /// - Completion, failure: arrive behind the last value, on the scheduler. So does the end that the timeout makes:
  ///   it does not overtake a value that came in time.
  /// - Cancel: passed up on the cancelling thread. Nothing is delivered after it, and the subscriber and all waiting
  ///   values are released at once.
  /// - Concurrency: the subscription arrives on the subscribing thread, everything else on the scheduler. At most
  ///   one action is scheduled for the timeout, however many values come.
  /// - Ownership: a scheduled action retains the subscription until it has run; after a cancel or the end the action
  ///   of the timeout retains nothing.
  ///
  /// - Parameters:
  ///   - interval: The longest time without a value, zero or more; a negative one traps.
  ///   - scheduler: The scheduler that measures the time, and on which values and the completion are delivered. On
  ///     an `ImmediateScheduler`, which has no time, the time is up at once.
  ///   - options: The options passed with every scheduled action, or nil.
  ///   - customError: The closure that makes the failure when the time is up, or nil to finish. It runs once at most,
  ///     on the scheduler.
  /// - Returns: A publisher of the same values.
  ///
  /// ```swift
  /// import Fanout
  /// import FanoutTestSupport
  ///
  /// struct TooLate: Error {}
  ///
  /// let scheduler = TestScheduler()
  /// let answers = PassthroughSubject<String, TooLate>()
  /// let waiting = answers.timeout(10, scheduler: scheduler, customError: { TooLate() }).sink(
  ///   receiveCompletion: {
  ///     if case .failure(let error) = $0 { print("at", scheduler.now, error) }
  ///   },
  ///   receiveValue: { print("at", scheduler.now, $0) })
  /// scheduler.advance(by: 8)
  /// answers.send("hello")
  /// scheduler.advance(by: 20)
  /// waiting.cancel()
  /// // Prints:
  /// // at 8 hello
  /// // at 18 TooLate()
  /// ```
  @preconcurrency
  public func timeout<S: Scheduler>(
    _ interval: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil,
    customError: (@Sendable () -> Failure)? = nil
  ) -> Publishers.Timeout<Self, S>
  where Output: Sendable {
    Publishers.Timeout(
      upstream: self, interval: interval, scheduler: scheduler, options: options,
      customError: customError)
  }
}
