public import FanoutCore
public import FanoutEngine
public import Synchronization

/// The base of the operators that deliver on a scheduler.
///
/// Any thread may bring values, requests and a cancel. Deliveries are left to an action of the scheduler, of
/// which one at a time delivers, so that the order is kept on every scheduler.
@usableFromInline
package class ScheduledSubscription<Item, Context: Scheduler, Downstream: Subscriber>:
  QueuedSubscription<Item, Downstream>
{
  /// The number of values after which an action leaves the rest to the next one, so that the
  /// scheduler gets to its other work.
  @inlinable static var valuesPerAction: Int { 128 }

  @usableFromInline package final let place: Lock<ScheduledPlace<Context>?>
  /// Whether an action is scheduled that has not looked for values yet.
  @usableFromInline package final let isScheduled = AtomicValue<Bool>(false)

  /// Creates a subscription without an upstream.
  ///
  /// - Parameters:
  ///   - downstream: The subscriber.
  ///   - name: The name of the operator.
  ///   - place: The scheduler on which values are delivered.
  ///   - runOut: The closure that calls `runOut(isLimited:)`; see `DrainedSource`.
  @inlinable
  init(
    downstream: Downstream, name: StaticString, place: ScheduledPlace<Context>,
    runOut: @escaping (DrainedSource, _ isLimited: Bool) -> Void
  ) {
    self.place = Lock(place)
    super.init(downstream: downstream, name: name, runOut: runOut)
  }

  @usableFromInline
  package override func request(_ credit: Credit) {
    guard credit != .none, !isCancelled, !isOver else { return }
    pending.add(credit)
    didRequest(credit)
    // Waiting values have arrived unrequested, or before the upstream ended.
    if waiting.withLock({ ($0?.items.count ?? 0) > 0 }) { wake() }
  }

  /// Requests from the upstream what the subscriber has requested.
  @usableFromInline
  package func didRequest(_ credit: Credit) { stage.request(credit) }

  /// Releases after a cancel, and leaves the drain; returns whether an action has to be scheduled.
  ///
  /// The drain is left before that action is scheduled: a scheduler may run it at once.
  @inlinable
  @inline(__always)
  final func leaveToAction() -> Bool {
    var isWanted = false
    drain.run { notes in
      if notes.contains(.queued) { isWanted = true }
      if isCancelled { letGo() }
      return .done([])
    }
    return isWanted && !isOver
  }

  /// Returns the place where the caller has to schedule an action, or nil if it need not.
  @inlinable
  @inline(__always)
  final func placeForAction() -> ScheduledPlace<Context>? {
    guard !isScheduled.exchange(true, ordering: .sequentiallyConsistent) else { return nil }
    return place.withLock { $0 }
  }

  /// Notes that the scheduled action runs; before anything else in it: everything announced from here
  /// on needs this action's drain, or another action.
  @inlinable
  @inline(__always)
  final func beginAction() { isScheduled.store(false, ordering: .sequentiallyConsistent) }

  /// Delivers waiting values within an action of the scheduler, if no other action does.
  ///
  /// `deliver` delivers what waits, and returns whether it stopped at `valuesPerAction`. Then
  /// `scheduleAction` schedules the next action.
  @inlinable
  @inline(__always)
  final func deliverInAction(_ deliver: () -> Bool, scheduleAction: () -> Void) {
    guard drain.announce(.queued) else { return }
    var isSpent = false
    drain.run { _ in
      // The next action takes over, unless it has run already: within the call that scheduled it,
      // when it found the drain taken. Then this action continues in its place, and a scheduler
      // that runs actions at once does not grow the stack.
      if !isSpent || !isScheduled.load(ordering: .sequentiallyConsistent) {
        isSpent = deliver()
        if isSpent { scheduleAction() }
      }
      if isCancelled { letGo() }
      return .done([])
    }
  }

  @usableFromInline
  package override func letGo() {
    withExtendedLifetime(place.take()) {}
    super.letGo()
  }
}
