// Invariant: only `TimedSubscription` uses a timer, under the lock of its queue.

public import FanoutCore
public import FanoutEngine

/// A timer that can be started again at any time, while one action at most is scheduled for it.
///
/// A later date costs no action: the one that is scheduled finds the date when it runs, and is scheduled again. So
/// dates may only grow; a timer that is started for an earlier one is late. The owner guards it with a lock, under
/// which no dates are compared, because that is user code.
@frozen @usableFromInline
package struct RestartableTimer<Time> {
  /// The date at which the time is up, or nil if the timer is stopped.
  @usableFromInline package var due: Time?
  /// The number of starts and stops: an action that compared dates while it changed looks again.
  @usableFromInline package var epoch: UInt = 0
  /// Whether an action is scheduled or running.
  @usableFromInline package var hasAction = false

  @inlinable init() {}

  /// Sets the date; returns whether the caller has to schedule an action for it.
  @inlinable
  package mutating func start(at date: Time) -> Bool {
    due = date
    epoch &+= 1
    defer { hasAction = true }
    return !hasAction
  }

  /// Stops the timer: the action that is scheduled does nothing.
  @inlinable
  package mutating func stop() {
    due = nil
    epoch &+= 1
  }
}

/// The only object that a scheduled action of a timer retains.
///
/// It retains its target until the action runs. At a cancel or an end, the action is taken back. A scheduler that
/// cannot do that keeps a ticket that retains nothing.
@_fixed_layout
@usableFromInline package final class TimerTicket<Target: AnyObject> {
  @usableFromInline package let target: Lock<Target?>
  /// The cancellable that takes the action back, as long as the target is retained.
  @usableFromInline let revocation = Lock<(any Cancellable)?>(nil)

  @inlinable
  init(_ target: Target) {
    self.target = Lock(target)
    noteCreation(of: self, isPart: true)
  }

  /// Keeps the cancellable that takes the action back.
  @inlinable
  func keep(_ revocation: any Cancellable) {
    self.revocation.withLock { $0 = revocation }
    // The action may have run, or a cancel may have come, before there was anything to take back.
    if target.withLock({ $0 == nil }) { self.revocation.take()?.cancel() }
  }

  /// Releases the target when the action runs, and returns it unless that has happened before.
  @inlinable
  func redeem() -> Target? {
    let target = target.take()
    withExtendedLifetime(revocation.take()) {}
    return target
  }

  /// Releases the target, and takes the action back.
  func revoke() {
    withExtendedLifetime(target.take()) {}
    revocation.take()?.cancel()
  }
}

@available(*, unavailable)
extension RestartableTimer: Sendable {}

@available(*, unavailable)
extension TimerTicket: Sendable {}
