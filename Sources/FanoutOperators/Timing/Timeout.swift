// Invariant: the properties marked `@exclusivity(unchecked)` are reached only under the lock of
// `state`.

public import FanoutCore
package import FanoutEngine

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

    /// Attaches the specified subscriber, which receives its subscription on the subscribing
    /// thread.
    ///
    /// - Parameter subscriber: The subscriber to attach.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(
        subscriber: makeInner(ErasedSubscriber(subscriber), TimedPlace(scheduler, options)))
    }
  }
}

extension Publishers.Timeout: Sendable
where
  Upstream: Sendable, Context: Sendable, Context.SchedulerTimeType.Stride: Sendable,
  Context.SchedulerOptions: Sendable
{}

extension Publishers.Timeout {
  /// Returns the subscriber to the upstream.
  @usableFromInline
  func makeInner(
    _ downstream: ErasedSubscriber<Output, Failure>, _ place: TimedPlace<Context.SchedulerTimeType>
  ) -> SubscribedSource<Output, Failure> {
    Inner(downstream: downstream, place: place, parent: self)
  }

  package final class Inner: TimedSubscription<Output, Output, Failure, Context.SchedulerTimeType> {
    let interval: Context.SchedulerTimeType.Stride
    /// Released with everything else; its error is needed once at most.
    package let customError: Lock<(@Sendable () -> Failure)?>
    /// Whether the subscriber has requested values.
    @exclusivity(unchecked) var isRequested = false
    /// Whether the time was up before the upstream has ended.
    @exclusivity(unchecked) var isTimedOut = false

    init(
      downstream: ErasedSubscriber<Output, Failure>, place: TimedPlace<Context.SchedulerTimeType>,
      parent: Publishers.Timeout<Upstream, Context>
    ) {
      interval = parent.interval
      customError = Lock(parent.customError)
      super.init(downstream: downstream, name: "Timeout", place: place)
    }

    package override func didAttach() { restart() }

    package override func didRequest(_ credit: Credit) {
      let isFirst = state.withLock { _ in
        defer { isRequested = true }
        return !isRequested
      }
      if isFirst { restart() }
      stage.request(credit)
    }

    /// Starts the time again, unless the upstream has ended, or a value that came meanwhile has
    /// done it.
    private func restart() {
      let epoch = state.withLock { _ in timer.epoch }
      guard let readTime else { return }
      let due = readTime().advanced(by: interval)
      let isWanted = state.withLock { state in
        guard !state.isClosed, timer.epoch == epoch else { return false }
        return timer.start(at: due)
      }
      if isWanted { scheduleTimer() }
    }

    package override func receive(_ input: Output) -> Subscribers.Demand {
      guard let readTime else { return .none }
      let due = readTime().advanced(by: interval)
      var isFirst = false
      guard append(input, whenAdded: { isFirst = timer.start(at: due) }) else { return .none }
      wake()
      if isFirst { scheduleTimer() }
      return .none
    }

    package override func receive(completion: Subscribers.Completion<Failure>) {
      guard closeAtEndOfUpstream() else { return }
      state.withLock { _ in timer.stop() }
      deliverEnd(completion)
    }

    package override func timeIsUp(
      _ state: inout QueueState, _ replaced: UnsafeMutablePointer<Output>
    ) -> Bool {
      if !state.isClosed { isTimedOut = true }
      state.isClosed = true
      return false
    }

    /// Cancels the upstream, and ends behind the values that wait.
    package override func deliverDue() {
      let isFirst = state.withLock { _ in
        defer { isTimedOut = false }
        return isTimedOut
      }
      guard isFirst else { return }
      stage.cancel(for: self)
      guard !isCancelled else { return }
      let makeError = customError.take()
      let completion = makeError.map { Subscribers.Completion.failure($0()) } ?? .finished
      state.withLock { state in
        guard !state.isReleased else { return }
        end = completion
        state.hasEnd = true
      }
      deliverNow()
    }

    package override func deliverSome(after notes: Drain.Note) -> Bool {
      deliverWaiting(
        atMost: Self.valuesPerAction,
        afterEach: { more in if more != .none { stage.request(more) } })
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
  /// The time begins with the subscription, again with the first request, and again with each
  /// value. When it is up, this publisher is cancelled, and the subscriber finishes or fails. Use
  /// it to give up on work that does not answer. If a value comes at the very moment at which the
  /// time is up, or later while the scheduler is late, it counts unless the scheduler has run the
  /// action for that moment.
  ///
  /// - Demand: passed to the upstream unchanged, on the requesting thread. Values that an upstream
  ///   sends unrequested wait. The time passes as well while nothing is requested.
  /// - Completion, failure: arrive behind the last value, on the scheduler. So does the end that
  ///   the timeout makes: it does not overtake a value that came in time.
  /// - Cancel: passed up on the cancelling thread. Nothing is delivered after it, and the
  ///   subscriber and all waiting values are released at once.
  /// - Concurrency: the subscription arrives on the subscribing thread, everything else on the
  ///   scheduler. At most one action is scheduled for the timeout, however many values come.
  /// - Ownership: a scheduled action retains the subscription until it has run; after a cancel or
  ///   the end the action of the timeout retains nothing.
  ///
  /// - Parameters:
  ///   - interval: The longest time without a value, zero or more; a negative one traps.
  ///   - scheduler: The scheduler that measures the time, and on which values and the completion
  ///     are delivered. On an `ImmediateScheduler`, which has no time, the time is up at once.
  ///   - options: The options passed with every scheduled action, or nil.
  ///   - customError: The closure that makes the failure when the time is up, or nil to finish. It
  ///     runs once at most, on the scheduler.
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
