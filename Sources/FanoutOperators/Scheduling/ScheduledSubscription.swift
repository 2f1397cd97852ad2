// Invariant: `place`, marked `@exclusivity(unchecked)`, is set to nil by the holder of `drain`
// under the lock of `state`. The holder reads it without that lock, and any other thread under it.

internal import FanoutCore
package import FanoutEngine

/// The base of the operators that deliver on a scheduler.
///
/// Any thread may bring values, requests and a cancel. Deliveries are left to an action of the
/// scheduler, of which one at a time delivers, so that the order is kept on every scheduler.
///
/// The drain knows whether an action is scheduled that has not begun. It is idle meanwhile, so that
/// a cancel releases everything at once. A thread that takes it finds that action noted, and leaves
/// the note where it is.
package class ScheduledSubscription<Input, Output, Failure: Error>: QueuedSubscription<
  Input, Output, Output, Failure
>, ActingSource
{
  /// The number of values after which an action leaves the rest to the next one, so that the
  /// scheduler gets to its other work.
  static var valuesPerAction: Int { 128 }

  /// The scheduler, until everything is released.
  @exclusivity(unchecked) package final var place: ScheduledPlace?

  /// Creates a subscription without an upstream.
  ///
  /// - Parameters:
  ///   - downstream: The subscriber.
  ///   - name: The name of the operator.
  ///   - place: The scheduler on which values are delivered.
  init(
    downstream: ErasedSubscriber<Output, Failure>, name: StaticString, place: ScheduledPlace
  ) {
    self.place = place
    super.init(downstream: downstream, name: name)
  }

  package override func request(_ credit: Credit) {
    guard credit != .none, !isCancelled, !isOver else { return }
    pending.add(credit)
    didRequest(credit)
    // Waiting values have arrived unrequested, or before the upstream ended.
    if state.withLock({ _ in isWaiting }) { wake() }
  }

  /// Whether a value waits for a request; called under the lock.
  package var isWaiting: Bool { items.count > 0 }

  /// Requests from the upstream what the subscriber has requested.
  package func didRequest(_ credit: Credit) { stage.request(credit) }

  /// Releases after a cancel, and otherwise leaves deliveries to an action.
  package final override func runOut(isLimited: Bool) {
    var isWanted = false
    var next: ((ScheduledWork) -> Void)?
    // The drain is left before that action is scheduled: a scheduler may run it at once.
    drain.run { notes in
      if notes.contains(.queued) { isWanted = true }
      if notes.contains(.blocked) { isBlocked = true }
      if isCancelled { letGo() }
      let known = notes.intersection(.scheduled)
      next = isWanted && known.isEmpty ? place?.schedule : nil
      if isWanted, next != nil || !known.isEmpty {
        return .done([.scheduled, .queued], past: known)
      }
      return .done(isBlocked ? known.union(.blocked) : known, past: known)
    }
    next?(.delivery(self))
  }

  package final func act() {
    if let notes = drain.enterScheduled() { deliver(after: notes) }
  }

  /// Delivers waiting values within an action of the scheduler; the caller holds the drain and has
  /// taken `notes`.
  final func deliver(after notes: Drain.Note) {
    var isSpent = false
    drain.run(after: notes) { notes in
      if notes.contains(.blocked) { isBlocked = true }
      var known = notes.intersection(.scheduled)
      // The next action takes over, unless it has begun already: within the call that scheduled it,
      // when it found the drain taken. Then this action continues in its place, and a scheduler
      // that runs actions at once does not grow the stack.
      if !isSpent || known.isEmpty {
        isSpent = deliverSome(after: notes)
        if isSpent, known.isEmpty, let schedule = place?.schedule {
          drain.note(.scheduled)
          schedule(.delivery(self))
          known = .scheduled
        }
      }
      if isCancelled { letGo() }
      if isSpent, !known.isEmpty { return .done([.scheduled, .queued], past: known) }
      return .done(isBlocked ? known.union(.blocked) : known, past: known)
    }
  }

  /// Delivers what waits, and returns whether it stopped at `valuesPerAction`; `notes` were set in
  /// the drain.
  package func deliverSome(after notes: Drain.Note) -> Bool { false }

  package override func letGo() {
    withExtendedLifetime(state.withLock { _ in place.take() }) {}
    super.letGo()
  }
}
