// Invariant: only the holder of `drain` reaches the properties marked `@exclusivity(unchecked)`.

public import FanoutCore
package import FanoutEngine

extension Publishers {
  /// A publisher that delivers the values of its upstream on a scheduler.
  public struct ReceiveOn<Upstream: Publisher, Context: Scheduler>: Publisher, UpstreamTypes {
    /// The upstream publisher.
    public let upstream: Upstream
    /// The scheduler on which values are delivered.
    public let scheduler: Context
    /// The options passed with every scheduled action.
    public let options: Context.SchedulerOptions?

    /// Creates a publisher that delivers the values of the specified upstream on a scheduler.
    ///
    /// - Parameters:
    ///   - upstream: The upstream publisher.
    ///   - scheduler: The scheduler on which values are delivered.
    ///   - options: The options passed with every scheduled action, or nil.
    public init(upstream: Upstream, scheduler: Context, options: Context.SchedulerOptions?) {
      self.upstream = upstream
      self.scheduler = scheduler
      self.options = options
    }

    /// Attaches the specified subscriber, which receives its subscription on the subscribing
    /// thread.
    ///
    /// - Parameter subscriber: The subscriber to attach.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Upstream.Output, S.Failure == Failure {
      upstream.receive(
        subscriber: makeInner(ErasedSubscriber(subscriber)) { [scheduler, options] work in
          scheduler.schedule(options: options) { work.run() }
        })
    }
  }
}

extension Publishers.ReceiveOn: Sendable
where Upstream: Sendable, Context: Sendable, Context.SchedulerOptions: Sendable {}

extension Publishers.ReceiveOn {
  /// Returns the subscriber to the upstream.
  @usableFromInline
  func makeInner(
    _ downstream: ErasedSubscriber<Upstream.Output, Failure>,
    schedule: @escaping (ScheduledWork) -> Void
  ) -> SubscribedSource<Upstream.Output, Failure> {
    Inner(downstream: downstream, name: "ReceiveOn", place: ScheduledPlace(schedule: schedule))
  }

  package final class Inner: ScheduledSubscription<Upstream.Output, Upstream.Output, Failure> {
    /// The value with which the sender has scheduled the action; requested, and reached by the
    /// holder of the drain.
    @exclusivity(unchecked) package var first = ValueSlot<Upstream.Output>()
    /// The values that an action took out of `items` together, so that the sender seldom waits for
    /// the lock.
    ///
    /// All of them are requested. They belong to the holder of the drain.
    @exclusivity(unchecked) package var batch = LateQueue<Upstream.Output>()
    /// The number of values in `batch`.
    @exclusivity(unchecked) var batchCount = 0

    deinit {
      first.free()
      batch.free()
    }

    package override func receive(_ input: Upstream.Output) -> Subscribers.Demand {
      guard drain.isIdle, drain.tryEnter() else {
        enqueue(input)
        return .none
      }
      if credit == .none { credit = pending.take() }
      if credit != .none, !isCancelled, let schedule = place?.schedule {
        // Nothing waits, and no action is scheduled: the next one gets the value without the
        // queue's lock.
        first.put(input)
        if drain.tryLeave(.scheduled) {
          schedule(.delivery(self))
          return .none
        }
        drain.note(.queued)
      } else {
        enqueue(input)
      }
      runOut(isLimited: false)
      return .none
    }

    @inline(never)
    func enqueue(_ input: Upstream.Output) {
      var isNoted = false
      // The note is read under the lock. A thread that clears it takes the lock later and sees the
      // value, or schedules an action: one follows as long as `first` or `batch` holds values.
      let isAccepted = append(input, whenAdded: { isNoted = drain.isNoted(.queued) })
      if isAccepted, !isNoted, !drain.note(.queued) { wake() }
    }

    /// Delivers waiting values, as far as they are requested, and the completion.
    ///
    /// Without a note, nothing is in the queue: only what the action was left lies in `first`, or
    /// in `batch`.
    package override func deliverSome(after notes: Drain.Note) -> Bool {
      let looks = notes.contains(.queued)
      return deliverWaiting(
        atMost: Self.valuesPerAction, next: { nextOfBatch(to: $0) },
        mayWait: { looks || drain.has(.queued) }, waiting: { items.count },
        takesAll: { takeBatch() }, whenTaken: { _ in }, beforeEach: {},
        afterEach: { more in if more != .none { stage.request(more) } })
    }

    @inline(__always)
    func nextOfBatch(to slot: UnsafeMutablePointer<Upstream.Output>) -> Bool {
      if let value = first.take() {
        slot.moveInitialize(from: value, count: 1)
        return true
      }
      guard batchCount > 0 else { return false }
      batchCount &-= 1
      return batch.moveFirst(to: slot)
    }

    /// Takes out everything that waits, if all of it is requested; the caller holds the lock.
    @inline(never)
    func takeBatch() -> Bool {
      guard credit.covers(items.count) else { return false }
      items.swapValues(with: &batch)
      batchCount = batch.count
      return true
    }

    package override func letGo() {
      batchCount = 0
      first.take()?.deinitialize(count: 1)
      withExtendedLifetime(batch.takeAll()) {}
      super.letGo()
    }
  }
}

extension Publisher {
  /// Delivers the values and the completion of this publisher on the specified scheduler.
  ///
  /// Values wait in a queue from which one action at a time delivers. So the order is kept even on
  /// a scheduler that runs several actions at once. Use this operator to reach the place where
  /// values are needed, or to wait inside `receive` for another delivery of the same publisher.
  ///
  /// - Demand: passed to the upstream unchanged, on the requesting thread. Values that an upstream
  ///   sends unrequested wait.
  /// - Completion, failure: arrive behind the last value, on the scheduler.
  /// - Cancel: passed up on the cancelling thread. Nothing is delivered after it, and the
  ///   subscriber and all waiting values are released at once.
  /// - Concurrency: the subscription arrives on the subscribing thread. An action delivers up to
  ///   128 values, and leaves the rest to the next one.
  /// - Ownership: a scheduled action retains the subscription until it has run; after a cancel the
  ///   subscription retains neither the subscriber nor values nor the scheduler.
  ///
  /// - Parameters:
  ///   - scheduler: The scheduler on which values and the completion are delivered.
  ///   - options: The options passed with every scheduled action, or nil.
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
  @preconcurrency
  public func receive<S: Scheduler>(
    on scheduler: S, options: S.SchedulerOptions? = nil
  ) -> Publishers.ReceiveOn<Self, S>
  where Output: Sendable {
    Publishers.ReceiveOn(upstream: self, scheduler: scheduler, options: options)
  }
}
