// Invariant: the properties marked `@exclusivity(unchecked)` are reached only under the lock of
// `state`, except `newestDue`, which only `receive(_:)` reaches: a publisher never makes two of
// these calls at the same time.

public import FanoutCore
package import FanoutEngine

extension Publishers {
  /// A publisher of the values of its upstream that are followed by a pause.
  public struct Debounce<Upstream: Publisher, Context: Scheduler>: Publisher {
    /// The upstream's output.
    public typealias Output = Upstream.Output
    /// The upstream's failure.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream
    /// The length of the pause.
    public let dueTime: Context.SchedulerTimeType.Stride
    /// The scheduler that measures the pause, and on which values are delivered.
    public let scheduler: Context
    /// The options passed with every scheduled action.
    public let options: Context.SchedulerOptions?

    /// Creates a publisher of the values of the specified upstream that are followed by a pause.
    ///
    /// - Parameters:
    ///   - upstream: The upstream publisher.
    ///   - dueTime: The length of the pause, zero or more; a negative one traps.
    ///   - scheduler: The scheduler that measures the pause, and on which values are delivered.
    ///   - options: The options passed with every scheduled action, or nil.
    public init(
      upstream: Upstream, dueTime: Context.SchedulerTimeType.Stride, scheduler: Context,
      options: Context.SchedulerOptions?
    ) {
      trap(
        unless: dueTime >= .zero,
        "debounce(for: \(dueTime)): a pause cannot be negative; pass zero or more.")
      self.upstream = upstream
      self.dueTime = dueTime
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
        subscriber: makeInner(ErasedSubscriber(subscriber), TimedPlace(scheduler, options)))
    }
  }
}

extension Publishers.Debounce: Sendable
where
  Upstream: Sendable, Context: Sendable, Context.SchedulerTimeType.Stride: Sendable,
  Context.SchedulerOptions: Sendable
{}

extension Publishers.Debounce {
  /// Returns the subscriber to the upstream.
  @usableFromInline
  func makeInner(
    _ downstream: ErasedSubscriber<Output, Failure>, _ place: TimedPlace<Context.SchedulerTimeType>
  ) -> SubscribedSource<Output, Failure> {
    Inner(downstream: downstream, place: place, dueTime: dueTime)
  }

  package final class Inner: TimedSubscription<Output, Output, Failure, Context.SchedulerTimeType> {
    let dueTime: Context.SchedulerTimeType.Stride
    /// The newest value, as long as its pause is not over.
    @exclusivity(unchecked) package private(set) var held = ValueSlot<Output>()
    /// The end of the newest value's pause; any time before there is a value.
    @exclusivity(unchecked) var newestDue: Context.SchedulerTimeType

    init(
      downstream: ErasedSubscriber<Output, Failure>, place: TimedPlace<Context.SchedulerTimeType>,
      dueTime: Context.SchedulerTimeType.Stride
    ) {
      self.dueTime = dueTime
      newestDue = place.now()
      super.init(downstream: downstream, name: "Debounce", place: place)
    }

    deinit { held.free() }

    package override func receive(subscription: any Subscription) {
      guard stage.attach(deliverySource(of: subscription), for: self) else { return }
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
      guard let readTime else { return .none }
      let now = readTime()
      // If its pause is over, the action for that has not run yet: dates decide, and not the order
      // of actions.
      let isOver = newestDue <= now
      let due = now.advanced(by: dueTime)
      newestDue = due
      var (isFirst, isMoved) = (false, false)
      replacing { state, replaced in
        guard !state.isClosed else { return false }
        var isReplaced = false
        if isOver, held.isSet {
          isReplaced = moveHeld(replaced)
          isMoved = true
        } else if let value = held.take() {
          replaced.moveInitialize(from: value, count: 1)
          isReplaced = true
        }
        held.put(input)
        isFirst = timer.start(at: due)
        return isReplaced
      }
      if isMoved { wake() }
      if isFirst { scheduleTimer() }
      return .none
    }

    /// Moves the newest value, if there is one, into the queue.
    func moveHeld(_ replaced: UnsafeMutablePointer<Output>) -> Bool {
      guard let value = held.take() else { return false }
      defer { value.deinitialize(count: 1) }
      return replaceUnrequested(by: value.pointee, replaced)
    }

    package override func timeIsUp(
      _ state: inout QueueState, _ replaced: UnsafeMutablePointer<Output>
    ) -> Bool { moveHeld(replaced) }

    package override func receive(completion: Subscribers.Completion<Failure>) {
      guard closeAtEndOfUpstream() else { return }
      replacing { _, replaced in
        timer.stop()
        return moveHeld(replaced)
      }
      deliverEnd(completion)
    }

    package override func deliverSome(after notes: Drain.Note) -> Bool {
      deliverWaiting(
        atMost: Self.valuesPerAction, whenTaken: { _ in noteTaken() },
        afterEach: { noteRequest($0) })
    }

    package override func letGo() {
      release { held.take() }
      super.letGo()
    }
  }
}

extension Publisher {
  /// Delivers a value once no other has followed it for some time.
  ///
  /// ![3 arrives three ticks after it was sent, because no other value followed. 4 arrives with the finish.](debounce)
  ///
  /// Of a burst of values only the last one is delivered: each value starts the pause again. Use
  /// this operator to react to input that comes in bursts, such as typing. A value that comes at
  /// the very moment at which the pause is over comes too late to replace the one before it.
  ///
  /// - Demand: the upstream is asked for everything. If a value is not requested when its pause is
  ///   over, it waits, and is replaced by the next one whose pause is over. What is requested is
  ///   not replaced: it waits for a busy subscriber, as long as that takes.
  /// - Completion, failure: end the pause: the last value is delivered at the next opportunity, and
  ///   the end behind it. In Combine that value is lost.
  /// - Cancel: passed up on the cancelling thread. Nothing is delivered after it, and the
  ///   subscriber and the values are released at once.
  /// - Concurrency: the subscription arrives on the subscribing thread, everything else on the
  ///   scheduler. At most one action is scheduled for the pause, however many values come.
  /// - Ownership: a scheduled action retains the subscription until it has run; after a cancel or
  ///   the end it retains nothing.
  ///
  /// - Parameters:
  ///   - dueTime: The length of the pause, zero or more; a negative one traps.
  ///   - scheduler: The scheduler that measures the pause, and on which values and the completion
  ///     are delivered. On an `ImmediateScheduler`, which has no time, every value is delivered.
  ///   - options: The options passed with every scheduled action, or nil.
  /// - Returns: A publisher of the last value of each burst.
  ///
  /// ```swift
  /// import Fanout
  /// import FanoutTestSupport
  ///
  /// let scheduler = TestScheduler()
  /// let typed = PassthroughSubject<String, Never>()
  /// let search = typed.debounce(for: 10, scheduler: scheduler).sink {
  ///   print("at", scheduler.now, "search for", $0)
  /// }
  /// typed.send("f")
  /// scheduler.advance(by: 5)
  /// typed.send("fa")
  /// scheduler.advance(by: 20)
  /// typed.send("fan")
  /// typed.send(completion: .finished)
  /// scheduler.advance(by: 0)
  /// search.cancel()
  /// // Prints:
  /// // at 15 search for fa
  /// // at 25 search for fan
  /// ```
  @preconcurrency
  public func debounce<S: Scheduler>(
    for dueTime: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil
  ) -> Publishers.Debounce<Self, S>
  where Output: Sendable {
    Publishers.Debounce(
      upstream: self, dueTime: dueTime, scheduler: scheduler, options: options)
  }
}
