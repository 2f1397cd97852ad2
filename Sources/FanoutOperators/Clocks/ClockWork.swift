internal import FanoutCore
internal import FanoutEngine

/// An action of a clock's scheduler, until it has run or is cancelled.
final class ClockWork: Sendable {
  /// A wrapped action, because generic code wraps a bare closure anew each time it passes it on.
  struct Action: Sendable {
    let run: @Sendable () -> Void
  }

  let interval: Duration?
  let tolerance: Duration
  private let action: Lock<Action?>

  init(_ action: @escaping @Sendable () -> Void, every interval: Duration?, tolerance: Duration) {
    self.interval = interval
    self.tolerance = tolerance
    self.action = Lock(Action(run: action))
    noteCreation(of: self, isPart: true)
  }

  /// Whether there is nothing left to run.
  var isOver: Bool { action.withLock { $0 == nil } }

  /// Runs the action, and releases it unless it repeats.
  func run() {
    let action = interval == nil ? action.take() : action.withLock { $0 }
    action?.run()
  }

  /// Releases the action; returns false if it was released before.
  func cancel() -> Bool { action.take() != nil }
}

/// A cancellable that takes an action back from a clock's scheduler.
struct ClockRevocation<Base: Clock>: Cancellable, Sendable where Base.Duration == Duration {
  let work: ClockWork
  private(set) weak var runner: ClockRunner<Base>?

  func cancel() {
    if work.cancel() { runner?.noteCancel() }
  }
}
