// An inspector reads the state that a drain guards by holding the drain, as a thread that delivers
// does. A thread that brings work meanwhile leaves the work and returns. The inspector does that
// work before it leaves the drain, so a value may be delivered on its thread (D4). No thread waits
// for an inspector. A drain that is held already is left alone, and its state is reported as busy.

internal import Fanout
internal import FanoutEngine

/// A source that can be inspected while it delivers nothing.
protocol DrainInspecting: AnyObject {
  /// Runs a closure that reads the state of deliveries, and then does the work that was left
  /// meanwhile.
  ///
  /// Returns false, without running the closure, if a thread is delivering.
  func inspect(_ body: () -> Void) -> Bool
}

extension Drain {
  /// Runs `body` as the holder of the drain, and `runOut` if work was left meanwhile.
  ///
  /// It is not optimised: `body` must retain objects before other threads may release them, and the
  /// optimiser moves a retain behind an atomic store.
  @_optimize(none)
  borrowing func inspect(
    _ body: () -> Void, entering: (() -> Bool)? = nil, runOut: () -> Void
  ) -> Bool {
    guard entering?() ?? tryEnterToRead() else { return false }
    body()
    if !tryLeave() { runOut() }
    return true
  }
}

extension Hub: DrainInspecting {
  func inspect(_ body: () -> Void) -> Bool {
    drain.inspect(
      body,
      // Under the lock, as in `tryEnter()`.
      entering: { self.withInbox { _ in self.drain.tryEnterToRead() } },
      runOut: { self.runOut(isLimited: true) })
  }
}

extension Cursor: DrainInspecting {
  func inspect(_ body: () -> Void) -> Bool { withHub { $0.inspect(body) } ?? false }
}

extension DrainedSource: DrainInspecting {
  func inspect(_ body: () -> Void) -> Bool {
    drain.inspect(body, runOut: { self.runOut(isLimited: true) })
  }
}

extension RelayedSource: DrainInspecting {
  func inspect(_ body: () -> Void) -> Bool {
    let upstream = (stage.withBody { $0.adopted } ?? nil) as? any DrainInspecting
    return upstream?.inspect(body) ?? false
  }
}
