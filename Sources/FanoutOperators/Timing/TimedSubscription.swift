// Invariant: the properties marked `@exclusivity(unchecked)` are reached only under the lock of `waiting`.

public import FanoutCore
public import FanoutEngine

/// The base of the operators that deliver at a time of their own choice: a queue and a timer.
///
/// When the time is up, an action of the scheduler moves what has become due into the queue, and delivers.
@_fixed_layout
@usableFromInline
package class TimedSubscription<Item, Context: Scheduler, Downstream: Subscriber>:
  ScheduledSubscription<Item, Context, Downstream>
{
  @usableFromInline package typealias Time = Context.SchedulerTimeType

  /// The next thing that the timer's action does.
  @usableFromInline
  enum Move {
    case lookAgain
    case schedule(Time)
    case rest
  }

  @exclusivity(unchecked) @usableFromInline final var timer = RestartableTimer<Time>()
  /// The ticket of the scheduled action, which retains this object through it.
  @exclusivity(unchecked)
  @usableFromInline package final weak var ticket: TimerTicket<TimedSubscription>?

  /// The requested items that have not been taken out, in the operators that count them.
  ///
  /// A request is counted before it can be served, so this is never less than what the drain may take.
  @exclusivity(unchecked) @usableFromInline package final var requested = Credit.none

  /// The closure that delivers what waits, and returns whether it stopped at a number.
  @usableFromInline final let delivers: (DrainedSource) -> Bool
  /// The closure that calls `timeIsUp(_:)`; specialised if it was formed where the types are known.
  @usableFromInline final let moves: (TimedSubscription, inout Waiting) -> Item?
  /// The allowed lateness of the timer, or nil for the least that the scheduler can promise.
  @usableFromInline final let tolerance: Time.Stride?

  /// Creates a subscription without an upstream.
  ///
  /// - Parameters:
  ///   - downstream: The subscriber.
  ///   - name: The name of the operator.
  ///   - place: The scheduler on which values are delivered.
  ///   - tolerance: The allowed lateness of the timer, or nil.
  ///   - runOut: The closure that calls `runOut(isLimited:)`; see `DrainedSource`.
  ///   - delivers: The closure that delivers what waits and returns whether it stopped at `valuesPerAction`.
  ///     It is formed where the types are known, so that it is specialised.
  ///   - moves: The closure that calls `timeIsUp(_:)`.
  @inlinable
  init(
    downstream: Downstream, name: StaticString, place: ScheduledPlace<Context>,
    tolerance: Time.Stride? = nil, runOut: @escaping (DrainedSource, _ isLimited: Bool) -> Void,
    delivers: @escaping (DrainedSource) -> Bool,
    moves: @escaping (TimedSubscription, inout Waiting) -> Item? = { $0.timeIsUp(&$1) }
  ) {
    self.delivers = delivers
    self.moves = moves
    self.tolerance = tolerance
    super.init(downstream: downstream, name: name, place: place, runOut: runOut)
  }

  /// Counts a request in `requested`.
  @inlinable
  @inline(__always)
  final func noteRequest(_ credit: Credit) {
    guard credit != .none else { return }
    waiting.withLock { _ in requested = requested + credit }
  }

  /// Counts an item that is taken out; called under the lock.
  @inlinable
  @inline(__always)
  final func noteTaken() { requested = requested.afterOne }

  /// Adds an item in place of the one that waits unrequested, and returns that; called under the lock.
  ///
  /// What is requested stays, although the subscriber may be too busy to have received it.
  @inlinable
  final func replaceUnrequested(by item: Item, _ waiting: Waiting) -> Item? {
    let replaced = requested.covers(waiting.items.count) ? nil : waiting.items.popLast()
    waiting.items.append(item)
    return replaced
  }

  /// Releases after a cancel, and otherwise leaves deliveries to an action.
  @inlinable
  package override func runOut(isLimited: Bool) {
    if let place = leaveToAction() { schedule(at: place) }
  }

  @inlinable
  final func schedule(at place: ScheduledPlace<Context>) {
    place.schedule(for: self) { timed in
      if let notes = timed.drain.enterScheduled() { timed.deliver(after: notes) }
    }
  }

  /// Delivers waiting values within an action of the scheduler, if no other action does.
  @inlinable
  final func deliverNow() {
    if drain.announce(.queued) { deliver(after: drain.takeNotes()) }
  }

  @inlinable
  final func deliver(after notes: Drain.Note) {
    deliverInAction(after: notes, { _ in delivers(self) }, scheduleNext: { scheduleNext() })
  }

  // Not inlined: where the types are not known, each action would look up that of the place.
  @inlinable
  @inline(never)
  final func scheduleNext() -> Bool { scheduleNext { schedule(at: $0) } }

  /// The current time of the scheduler, or nil if everything is released.
  @inlinable
  final var now: Time? { waiting.withLock { _ in place }?.scheduler.now }

  /// Moves what is due into the queue, and returns what that replaces; called under the lock.
  ///
  /// The timer is stopped, and may be started for a later date: then this is called again when that is reached.
  @usableFromInline
  package func timeIsUp(_ waiting: inout Waiting) -> Item? { nil }

  /// Delivers what has become due; called by the action, without a lock.
  @usableFromInline
  package func deliverDue() { deliverNow() }

  /// Schedules the timer's action.
  ///
  /// The caller has been told so by `RestartableTimer.start(at:)`, and has left the lock.
  @inlinable
  final func scheduleTimer(for date: Time) {
    guard let place = waiting.withLock({ _ in place }) else { return }
    let ticket = TimerTicket<TimedSubscription>(self)
    let isWanted = waiting.withLock { waiting in
      guard waiting != nil else { return false }
      self.ticket = ticket
      return true
    }
    guard isWanted else { return }
    let revocation = place.schedule(after: date, tolerance: tolerance) {
      ticket.redeem()?.timerRuns(date)
    }
    if let revocation { ticket.keep(revocation) }
  }

  /// Handles the dates that have been reached, and schedules the next action for one that has not.
  ///
  /// The date of the action itself counts as reached, whatever the scheduler's clock shows: a scheduler may run an
  /// action at once. Another date that is no later need not be: the clock may have been set back before that one was
  /// set. After `valuesPerAction` dates, what they brought is delivered first.
  @inlinable
  final func timerRuns(_ date: Time) {
    guard let now else { return }
    var moved = 0
    while true {
      let (due, epoch) = waiting.withLock { _ in (timer.due, timer.epoch) }
      let isDue = due.map { $0 <= now || $0 == date } ?? false
      let (move, replaced) = waiting.withLock { waiting -> (Move, Item?) in
        guard var known = waiting else { return (.rest, nil) }
        guard timer.epoch == epoch else { return (.lookAgain, nil) }
        if let due, !isDue || moved == Self.valuesPerAction { return (.schedule(due), nil) }
        guard due != nil else {
          timer.hasAction = false
          return (.rest, nil)
        }
        timer.stop()
        let replaced = moves(self, &known)
        waiting = known
        moved += 1
        return (.lookAgain, replaced)
      }
      withExtendedLifetime(replaced) {}
      if case .lookAgain = move { continue }
      if case .schedule(let due) = move, !isDue { scheduleTimer(for: due) }
      if moved > 0 { deliverDue() }
      if case .schedule(let due) = move, isDue { scheduleTimer(for: due) }
      return
    }
  }

  package override func letGo() {
    super.letGo()
    // Nothing is scheduled from here on: a thread has to find the queue before it schedules.
    let ticket = waiting.withLock { _ in self.ticket }
    ticket?.revoke()
  }
}

@available(*, unavailable)
extension TimedSubscription.Move: Sendable {}
