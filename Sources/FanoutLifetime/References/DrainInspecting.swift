// What a drain guards is read by holding the drain, in the way of any thread that delivers: whoever
// brings work meanwhile leaves it and goes on, and the inspector does that work when it lets the drain
// go. So no thread waits for an inspector. A drain that is held already is left alone, and what it
// guards is reported as busy.

internal import Fanout
internal import FanoutEngine

/// A source that can be inspected while it delivers nothing.
protocol DrainInspecting: AnyObject {
  /// Runs a closure that reads what deliveries change, and then does the work that was left meanwhile.
  ///
  /// Returns false, without running the closure, if another thread delivers.
  func inspect(_ body: () -> Void) -> Bool
}

extension Drain {
  /// Runs `body` as the holder of the drain, and `runOut` if work was left meanwhile.
  ///
  /// Not optimised: what `body` retains must be retained before others may release it again, and the
  /// optimiser moves a retain behind an atomic store.
  @_optimize(none)
  borrowing func inspect(_ body: () -> Void, runOut: () -> Void) -> Bool {
    guard tryEnter() else { return false }
    body()
    if !tryLeave() { runOut() }
    return true
  }
}

extension Hub: DrainInspecting {
  func inspect(_ body: () -> Void) -> Bool {
    drain.inspect(body, runOut: { self.runOut(isLimited: true) })
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
