public import FanoutEngine
public import Synchronization

extension Publishers {
  /// A publisher that delivers the values of its upstream at the place of a scheduler.
  public struct ReceiveOn<Upstream: Publisher, Context: Scheduler>: Publisher {
    /// The upstream's values.
    public typealias Output = Upstream.Output
    /// The upstream's failure.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream
    /// Where they are delivered.
    public let scheduler: Context
    /// What is said to the scheduler each time.
    public let options: Context.SchedulerOptions?

    /// Makes a publisher that delivers the values of `upstream` on `scheduler`.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - scheduler: Where they are delivered.
    ///   - options: What is said to the scheduler each time, or nil.
    public init(upstream: Upstream, scheduler: Context, options: Context.SchedulerOptions?) {
      self.upstream = upstream
      self.scheduler = scheduler
      self.options = options
    }

    /// Attaches a subscriber, which is told of its subscription on the subscribing thread.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(
        subscriber: Inner(
          downstream: subscriber, place: ScheduledPlace(scheduler, options)))
    }
  }
}

extension Publishers.ReceiveOn: Sendable
where Upstream: Sendable, Context: Sendable, Context.SchedulerOptions: Sendable {}

extension Publishers.ReceiveOn {
  @usableFromInline
  final class Inner<Downstream: Subscriber>: QueuedSubscription<Upstream.Output, Downstream>,
    Subscriber
  where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
    @usableFromInline typealias Input = Upstream.Output
    @usableFromInline typealias Failure = Upstream.Failure

    /// After so many values an action leaves the rest to the next one, so that a scheduler with
    /// other work comes to that.
    @usableFromInline static var valuesPerAction: Int { 128 }

    @usableFromInline let place: Lock<ScheduledPlace<Context>?>
    /// Whether an action is on its way that has not looked for values yet.
    @usableFromInline let isScheduled = AtomicValue<Bool>(false)

    @usableFromInline
    init(downstream: Downstream, place: ScheduledPlace<Context>) {
      self.place = Lock(place)
      super.init(downstream: downstream, name: "ReceiveOn")
    }

    @inlinable
    func receive(_ input: Input) -> Subscribers.Demand {
      if append(input) != nil, drain.announce(.queued) { runOut() }
      return .none
    }

    @usableFromInline
    func receive(completion: Subscribers.Completion<Failure>) { endOfUpstream(completion) }

    @usableFromInline
    override func request(_ credit: Credit) {
      guard credit != .none, !isCancelled, !isOver else { return }
      pending.add(credit)
      stage.request(credit)
      // What waits already came unasked, or before the upstream ended.
      if waiting.withLock({ ($0?.items.count ?? 0) > 0 }) { wake() }
    }

    /// Only lets go, and leaves what is to be delivered to an action.
    ///
    /// The drain is left before that is scheduled: a scheduler may run it at once.
    @inlinable
    override func runOut() {
      var isWanted = false
      repeat {
        if drain.has(.queued) { isWanted = true }
        drain.clear([.queued, .attention])
        if isCancelled { letGo() }
      } while !drain.tryLeave()
      if isWanted, !isOver { scheduleAction() }
    }

    @inlinable
    func scheduleAction() {
      guard !isScheduled.exchange(true, ordering: .sequentiallyConsistent) else { return }
      guard let place = place.withLock({ $0 }) else { return }
      place.schedule { self.act() }
    }

    /// Delivers, as the only one that does.
    @inlinable
    func act() {
      // Before anything else: what is left from here on needs this action's drain, or another action.
      isScheduled.store(false, ordering: .sequentiallyConsistent)
      guard drain.announce(.queued) else { return }
      var isSpent = false
      repeat {
        drain.clear([.queued, .attention])
        // The next action takes over, if it has not been run already: within the call that
        // scheduled it, so that it found the drain taken. Then this one goes on for it, and a
        // scheduler that runs actions at once does not grow the stack.
        if !isSpent || !isScheduled.load(ordering: .sequentiallyConsistent) {
          isSpent = deliverBatch()
          if isSpent { scheduleAction() }
        }
        if isCancelled { letGo() }
      } while !drain.tryLeave()
    }

    @inlinable
    func deliverBatch() -> Bool {
      deliverWaiting(
        atMost: Self.valuesPerAction, { $0 },
        afterEach: { _, more in if more != .none { stage.request(more) } })
    }

    @usableFromInline
    override func letGo() {
      let old = place.withLock { place in
        defer { place = nil }
        return place
      }
      withExtendedLifetime(old) {}
      super.letGo()
    }

    package override var heldReferences: [HeldReference] {
      let known = place.withLock { $0 }.map { [HeldReference.value("place", $0)] } ?? []
      return super.heldReferences + known
    }
  }
}

extension Publisher {
  /// Delivers values and the end at the place of a scheduler.
  ///
  /// They wait in a queue, which one action at a time takes up: so their order holds also on a
  /// scheduler that runs several actions at once. It is the way to wait inside `receive` for another
  /// delivery of the same publisher, and the way to a place where values are wanted.
  ///
  /// - Demand: passed to the upstream as it is, on the thread that asks; what an upstream sends
  ///   unasked waits.
  /// - Completion, failure: come behind the last value, on the scheduler.
  /// - Cancel: passed up on the thread that cancels; nothing is delivered after it, and the
  ///   subscriber and all that waits is let go of at once.
  /// - Concurrency: the subscription comes on the subscribing thread. An action delivers up to 128
  ///   values, and leaves the rest to the next one.
  /// - Ownership: an action that is scheduled retains the subscription until it has run; after a
  ///   cancel that retains neither the subscriber nor values nor the scheduler.
  ///
  /// - Parameters:
  ///   - scheduler: Where values and the end are delivered.
  ///   - options: What is said to the scheduler each time, or nil.
  /// - Returns: A publisher of the same values.
  ///
  /// ```swift
  /// import Fanout
  /// import FanoutTestSupport
  ///
  /// let scheduler = TestScheduler()
  /// let events = PassthroughSubject<Int, Never>()
  /// let shown = events.receive(on: scheduler).sink { print("received", $0) }
  /// events.send(1)
  /// events.send(2)
  /// print("sent")
  /// scheduler.advance(by: 0)
  /// shown.cancel()
  /// // Prints:
  /// // sent
  /// // received 1
  /// // received 2
  /// ```
  public func receive<S: Scheduler>(
    on scheduler: S, options: S.SchedulerOptions? = nil
  ) -> Publishers.ReceiveOn<Self, S> {
    Publishers.ReceiveOn(upstream: self, scheduler: scheduler, options: options)
  }
}
