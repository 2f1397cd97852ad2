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
  /// The closure that delivers what waits, and returns whether it stopped at a number.
  @usableFromInline final let delivers: (DrainedSource) -> Bool

  /// Creates a subscription without an upstream.
  ///
  /// - Parameters:
  ///   - downstream: The subscriber.
  ///   - name: The name of the operator.
  ///   - place: The scheduler on which values are delivered.
  ///   - runOut: The closure that calls `runOut(isLimited:)`; see `DrainedSource`.
  ///   - delivers: The closure that delivers what waits and returns whether it stopped at `valuesPerAction`.
  ///     It is formed where the types are known, so that it is specialised.
  @inlinable
  init(
    downstream: Downstream, name: StaticString, place: ScheduledPlace<Context>,
    runOut: @escaping (DrainedSource, _ isLimited: Bool) -> Void,
    delivers: @escaping (DrainedSource) -> Bool
  ) {
    self.place = Lock(place)
    self.delivers = delivers
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

  /// Releases after a cancel, and otherwise leaves deliveries to an action.
  ///
  /// The drain is left before that action is scheduled: a scheduler may run it at once.
  @inlinable
  package override func runOut(isLimited: Bool) {
    var isWanted = false
    repeat {
      // Read and cleared in one step: a note that comes in between would be lost.
      if drain.clear([.queued, .attention]).contains(.queued) { isWanted = true }
      if isCancelled { letGo() }
    } while !drain.tryLeave()
    if isWanted, !isOver { scheduleAction() }
  }

  @inlinable
  final func scheduleAction() {
    guard !isScheduled.exchange(true, ordering: .sequentiallyConsistent) else { return }
    guard let place = place.withLock({ $0 }) else { return }
    place.schedule { self.act() }
  }

  /// Delivers waiting values, if no other action does.
  @inlinable
  final func act() {
    // Before anything else: everything announced from here on needs this action's drain, or
    // another action.
    isScheduled.store(false, ordering: .sequentiallyConsistent)
    deliverNow()
  }

  /// Delivers waiting values within an action of the scheduler, if no other action does.
  @inlinable
  final func deliverNow() {
    guard drain.announce(.queued) else { return }
    var isSpent = false
    repeat {
      drain.clear([.queued, .attention])
      // The next action takes over, unless it has run already: within the call that scheduled it,
      // when it found the drain taken. Then this action continues in its place, and a scheduler
      // that runs actions at once does not grow the stack.
      if !isSpent || !isScheduled.load(ordering: .sequentiallyConsistent) {
        isSpent = delivers(self)
        if isSpent { scheduleAction() }
      }
      if isCancelled { letGo() }
    } while !drain.tryLeave()
  }

  @usableFromInline
  package override func letGo() {
    withExtendedLifetime(place.take()) {}
    super.letGo()
  }
}
