// Invariant: `place`, marked `@exclusivity(unchecked)`, is set to nil by the holder of `drain` under the lock of
// `waiting`. The holder reads it without that lock, and any other thread under it.

public import FanoutCore
public import FanoutEngine

/// The base of the operators that deliver on a scheduler.
///
/// Any thread may bring values, requests and a cancel. Deliveries are left to an action of the scheduler, of
/// which one at a time delivers, so that the order is kept on every scheduler.
///
/// The drain knows whether an action is scheduled that has not begun. It is idle meanwhile, so that a cancel releases
/// everything at once. A thread that takes it finds that action noted, and leaves the note where it is.
@_fixed_layout
@usableFromInline
package class ScheduledSubscription<Item, Context: Scheduler, Downstream: Subscriber>:
  OldQueuedSubscription<Item, Downstream>
{
  /// The number of values after which an action leaves the rest to the next one, so that the
  /// scheduler gets to its other work.
  @inlinable static var valuesPerAction: Int { 128 }

  /// The scheduler, until everything is released.
  @exclusivity(unchecked) @usableFromInline package final var place: ScheduledPlace<Context>?

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
    self.place = place
    super.init(downstream: downstream, name: name, runOut: runOut)
  }

  package override func request(_ credit: Credit) {
    guard credit != .none, !isCancelled, !isOver else { return }
    pending.add(credit)
    didRequest(credit)
    // Waiting values have arrived unrequested, or before the upstream ended.
    if waiting.withLock({ ($0?.items.count ?? 0) > 0 }) { wake() }
  }

  /// Requests from the upstream what the subscriber has requested.
  package func didRequest(_ credit: Credit) { stage.request(credit) }

  /// Releases after a cancel, and leaves the drain; returns the place where the caller has to schedule an action, or
  /// nil if it need not.
  ///
  /// The drain is left before that action is scheduled: a scheduler may run it at once.
  @inlinable
  @inline(__always)
  final func leaveToAction() -> ScheduledPlace<Context>? {
    var isWanted = false
    var next: ScheduledPlace<Context>?
    drain.run { notes in
      if notes.contains(.queued) { isWanted = true }
      if notes.contains(.blocked) { isBlocked = true }
      if isCancelled { letGo() }
      let known = notes.intersection(.scheduled)
      next = isWanted && known.isEmpty ? place : nil
      if isWanted, next != nil || !known.isEmpty {
        return .done([.scheduled, .queued], past: known)
      }
      return .done(isBlocked ? known.union(.blocked) : known, past: known)
    }
    return next
  }

  /// Delivers waiting values within an action of the scheduler; the caller holds the drain and has taken `notes`.
  ///
  /// `deliver` delivers what waits, and returns whether it stopped at `valuesPerAction`. Then `scheduleNext` schedules
  /// the next action by `scheduleNext(by:)`, and returns its result.
  @inlinable
  @inline(__always)
  final func deliverInAction(
    after notes: Drain.Note, _ deliver: (Drain.Note) -> Bool,
    scheduleNext: () -> Bool
  ) {
    var isSpent = false
    drain.run(after: notes) { notes in
      if notes.contains(.blocked) { isBlocked = true }
      var known = notes.intersection(.scheduled)
      // The next action takes over, unless it has begun already: within the call that scheduled it,
      // when it found the drain taken. Then this action continues in its place, and a scheduler
      // that runs actions at once does not grow the stack.
      if !isSpent || known.isEmpty {
        isSpent = deliver(notes)
        if isSpent, known.isEmpty, scheduleNext() { known = .scheduled }
      }
      if isCancelled { letGo() }
      if isSpent, !known.isEmpty { return .done([.scheduled, .queued], past: known) }
      return .done(isBlocked ? known.union(.blocked) : known, past: known)
    }
  }

  /// Schedules the next action, unless everything is released; the caller holds the drain.
  @inlinable
  @inline(__always)
  final func scheduleNext(by schedule: (ScheduledPlace<Context>) -> Void) -> Bool {
    guard let place else { return false }
    drain.note(.scheduled)
    schedule(place)
    return true
  }

  @usableFromInline
  package override func letGo() {
    withExtendedLifetime(waiting.withLock { _ in place.take() }) {}
    super.letGo()
  }
}
