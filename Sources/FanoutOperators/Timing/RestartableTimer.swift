// Invariant: only `TimedSubscription` uses a timer, under the lock of its queue. Unsafe pointers:
// invariant: the memory of a timer holds its two dates exactly from the first start until `free()`,
// which the owner calls in its `deinit`.

internal import FanoutCore
package import FanoutEngine

/// A timer that can be started again at any time, while one action at most is scheduled for it.
///
/// A later date costs no action: the one that is scheduled finds the date when it runs, and is
/// scheduled again. So dates may only grow; a timer that is started for an earlier one is late. The
/// owner guards it with a lock, under which no dates are compared, because that is user code. What
/// is called for a value is inlined: a call would look the type up.
struct RestartableTimer<Time> {
  /// The date of the last start, and then that for which the action is to be scheduled, or was.
  ///
  /// The second one belongs to the thread that schedules the action, and then to the action.
  let dates = UnsafeMutablePointer<Time>.allocate(capacity: 2)
  /// The number of starts and stops: an action that compared dates while it changed looks again.
  private(set) var epoch: UInt = 0
  private var hasDates = false
  /// Whether the timer is started, so that the time is up at `due`.
  private(set) var isStarted = false
  /// Whether an action is scheduled or running.
  var hasAction = false

  /// The date of the last start.
  var due: Time { dates[0] }

  /// Sets the date; returns whether the caller has to schedule an action for it.
  @inline(__always)
  mutating func start(at date: Time) -> Bool {
    if hasDates {
      dates[0] = date
    } else {
      dates.initialize(repeating: date, count: 2)
      hasDates = true
    }
    isStarted = true
    epoch &+= 1
    guard !hasAction else { return false }
    hasAction = true
    noteDateOfAction()
    return true
  }

  /// Notes that the next action is to be scheduled for the date of the last start.
  @inline(__always)
  func noteDateOfAction() { dates[1] = dates[0] }

  /// Stops the timer: the action that is scheduled does nothing.
  @inline(__always)
  mutating func stop() {
    isStarted = false
    epoch &+= 1
  }

  /// Releases the dates.
  func free() {
    if hasDates { dates.deinitialize(count: 2) }
    dates.deallocate()
  }
}

/// An object that is called when its timer's action runs.
package protocol TimerTarget: AnyObject {
  /// Handles the dates that have been reached, and forgets the ticket.
  func timerRuns()

  /// Forgets a ticket whose action will never run.
  func forget(_ ticket: TimerTicket)
}

/// The only object that a scheduled action of a timer retains.
///
/// It retains its target until the action runs. At a cancel or an end, the action is taken back. A
/// scheduler that cannot do that keeps a ticket that retains nothing.
package final class TimerTicket: Sendable {
  /// The objects that a ticket retains until the action runs or is taken back.
  package struct State {
    package var target: (any TimerTarget)?
    /// The cancellable that takes the action back.
    fileprivate(set) var revocation: (any Cancellable)?
  }

  package let state: Lock<State>

  // Of an argument that is a target the type would be looked up.
  init(_ state: State) {
    self.state = Lock(state)
    noteCreation(of: self, isPart: true)
  }

  // A scheduler may drop an action.
  deinit { take().target?.forget(self) }

  /// Keeps the cancellable that takes the action back.
  func keep(_ revocation: any Cancellable) {
    // The action may have run, or a cancel may have come, before there was anything to take back.
    let isLate = state.withLock { state in
      guard state.target != nil else { return true }
      state.revocation = revocation
      return false
    }
    if isLate { revocation.cancel() }
  }

  /// Releases the target when the action runs, and calls it unless that has happened before.
  func redeem() {
    // Until the target has forgotten it.
    withExtendedLifetime(self) { take().target?.timerRuns() }
  }

  /// Takes everything out: the action does nothing then, and the caller takes it back.
  func take() -> State {
    state.withLock { state in
      defer { state = State() }
      return state
    }
  }
}
