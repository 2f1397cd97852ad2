// Invariant: the properties marked `@exclusivity(unchecked)` are reached only under the lock of
// `state`. Unsafe pointer: invariant: `dateOfAction` is set when the timer is started first, and
// freed with it. Unmanaged reference: invariant: `ticket` is reached only under that lock, and is
// set to nil before the ticket is freed: when its action begins, in its `deinit`, or at the release
// of everything.

internal import FanoutCore
package import FanoutEngine

/// The next thing that the timer's action does.
private enum Move: Sendable { case lookAgain, schedule, rest }

/// The base of the operators that deliver at a time of their own choice: a queue and a timer.
///
/// When the time is up, an action of the scheduler moves what has become due into the queue, and
/// delivers.
package class TimedSubscription<Input, Output, Failure: Error, Time: Strideable>:
  ScheduledSubscription<Input, Output, Failure>, TimerTarget
{
  /// The functions of the scheduler, until everything is released; see `TimedPlace`.
  @exclusivity(unchecked) private final var now: (() -> Time)?
  @exclusivity(unchecked) private final var scheduleAfter: TimedPlace<Time>.ScheduleAfter?
  @exclusivity(unchecked) final var timer: RestartableTimer<Time>
  /// The date for which the timer's action is to be scheduled, or was; see
  /// `RestartableTimer.dates`.
  final let dateOfAction: UnsafeMutablePointer<Time>
  /// The ticket of the scheduled action, which retains this object through it.
  @exclusivity(unchecked) package final var ticket: Unmanaged<TimerTicket>?

  /// The requested items that have not been taken out, in the operators that count them.
  ///
  /// A request is counted before it can be served, so this is never less than what the drain may
  /// take.
  @exclusivity(unchecked) package final var requested = Credit.none

  /// Creates a subscription without an upstream.
  ///
  /// - Parameters:
  ///   - downstream: The subscriber.
  ///   - name: The name of the operator.
  ///   - place: The scheduler on which values are delivered.
  init(downstream: ErasedSubscriber<Output, Failure>, name: StaticString, place: TimedPlace<Time>) {
    (now, scheduleAfter) = (place.now, place.scheduleAfter)
    timer = RestartableTimer()
    dateOfAction = timer.dates + 1
    super.init(downstream: downstream, name: name, place: place.place)
  }

  deinit { timer.free() }

  /// Counts a request in `requested`.
  final func noteRequest(_ credit: Credit) {
    guard credit != .none else { return }
    state.withLock { _ in requested = requested + credit }
  }

  /// Counts an item that is taken out; called under the lock.
  final func noteTaken() { requested = requested.afterOne }

  /// Adds an item in place of the one that waits unrequested; called under the lock.
  ///
  /// What is requested stays, although the subscriber may be too busy to have received it. Returns
  /// whether there was one to replace, which it has moved to `replaced`.
  final func replaceUnrequested(
    by item: Output, _ replaced: UnsafeMutablePointer<Output>
  ) -> Bool {
    let isReplaced = !requested.covers(items.count) && items.moveLast(to: replaced)
    items.append(item)
    return isReplaced
  }

  /// The function that returns the current time of the scheduler, or nil if everything is released.
  final var readTime: (() -> Time)? {
    var readTime: (() -> Time)?
    state.withLock { _ in readTime = now }
    return readTime
  }

  /// Moves what is due into the queue; called under the lock.
  ///
  /// The timer is stopped, and may be started for a later date: then this is called again when that
  /// is reached. Returns whether a value was replaced, which it has moved to `replaced`.
  package func timeIsUp(
    _ state: inout QueueState, _ replaced: UnsafeMutablePointer<Output>
  ) -> Bool { false }

  /// Delivers what has become due; called by the action, without a lock.
  package func deliverDue() { deliverNow() }

  /// Delivers waiting values within an action of the scheduler, if no other action does.
  final func deliverNow() {
    if drain.announce(.queued) { deliver(after: drain.takeNotes()) }
  }

  /// Runs `body` under the lock, unless everything is released, and releases the value that it
  /// replaces behind it.
  ///
  /// The body returns whether it has moved a value to the memory that it is passed.
  @inline(__always)
  final func replacing(
    _ body: (inout QueueState, UnsafeMutablePointer<Output>) -> Bool
  ) {
    withUnsafeTemporaryAllocation(of: Output.self, capacity: 1) { memory in
      guard let replaced = memory.baseAddress else { return }
      let isReplaced = state.withLock { state in
        guard !state.isReleased else { return false }
        return body(&state, replaced)
      }
      if isReplaced { replaced.deinitialize(count: 1) }
    }
  }

  /// Forgets the ticket of the timer's action, which begins; returns the closure that reads the
  /// time, until everything is released.
  final func beginAction() -> (() -> Time)? {
    var readTime: (() -> Time)?
    state.withLock { _ in (readTime, ticket) = (now, nil) }
    return readTime
  }

  package final func forget(_ ticket: TimerTicket) {
    state.withLock { _ in
      if self.ticket?.toOpaque() == Unmanaged.passUnretained(ticket).toOpaque() {
        self.ticket = nil
      }
    }
  }

  /// Schedules the timer's action.
  ///
  /// The caller has been told so by `RestartableTimer.start(at:)`, and has left the lock.
  final func scheduleTimer() {
    let ticket = TimerTicket(TimerTicket.State(target: self))
    var scheduleAfter: TimedPlace<Time>.ScheduleAfter?
    state.withLock { _ in
      scheduleAfter = self.scheduleAfter
      if scheduleAfter != nil { self.ticket = .passUnretained(ticket) }
    }
    guard let scheduleAfter else { return }
    let revocation = scheduleAfter(dateOfAction.pointee) { ticket.redeem() }
    if let revocation { ticket.keep(revocation) }
  }

  /// Handles the dates that have been reached, and schedules the next action for one that has not.
  ///
  /// The date of the action itself counts as reached, whatever the scheduler's clock shows: a
  /// scheduler may run an action at once. Another date that is no later need not be: the clock may
  /// have been set back before that one was set. After `valuesPerAction` dates, what they brought
  /// is delivered first.
  package func timerRuns() {
    var readTime: (() -> Time)?
    // Until it is known.
    var due = dateOfAction.pointee
    var (isStarted, epoch) = state.withLock { _ in
      ticket = nil
      readTime = self.now
      if timer.isStarted { due = timer.due }
      return (timer.isStarted, timer.epoch)
    }
    guard let readTime else { return }
    let now = readTime()
    var (move, moved, isDue) = (Move.lookAgain, 0, false)
    while case .lookAgain = move {
      isDue = isStarted && (due <= now || due == dateOfAction.pointee)
      move = .rest
      replacing { state, replaced in
        defer {
          if case .lookAgain = move {
            if timer.isStarted { due = timer.due }
            (isStarted, epoch) = (timer.isStarted, timer.epoch)
          }
        }
        guard timer.epoch == epoch else {
          move = .lookAgain
          return false
        }
        guard isStarted else {
          timer.hasAction = false
          return false
        }
        guard isDue, moved < Self.valuesPerAction else {
          timer.noteDateOfAction()
          move = .schedule
          return false
        }
        timer.stop()
        moved += 1
        let isReplaced = timeIsUp(&state, replaced)
        timer.hasAction = timer.isStarted
        if timer.hasAction { move = .lookAgain }
        return isReplaced
      }
    }
    guard case .schedule = move else {
      if moved > 0 { deliverDue() }
      return
    }
    if !isDue { scheduleTimer() }
    if moved > 0 { deliverDue() }
    if isDue { scheduleTimer() }
  }

  /// Closes the queue, and releases a value that is not in it; `take` is called under the lock.
  final func release(_ take: () -> UnsafeMutablePointer<Output>?) {
    var value: UnsafeMutablePointer<Output>?
    state.withLock { state in
      // So no other value takes its place.
      state.isClosed = true
      value = take()
    }
    value?.deinitialize(count: 1)
  }

  package override func letGo() {
    var readTime: (() -> Time)?
    var scheduleAfter: TimedPlace<Time>.ScheduleAfter?
    state.withLock { _ in
      (readTime, scheduleAfter) = (now, self.scheduleAfter)
      (now, self.scheduleAfter) = (nil, nil)
    }
    withExtendedLifetime(readTime) {}
    withExtendedLifetime(scheduleAfter) {}
    super.letGo()
    // Nothing is scheduled from here on: a thread has to find the queue before it schedules.
    let revocation = state.withLock { _ -> (any Cancellable)? in
      defer { ticket = nil }
      return ticket?._withUnsafeGuaranteedRef { $0.take() }.revocation
    }
    revocation?.cancel()
  }
}
