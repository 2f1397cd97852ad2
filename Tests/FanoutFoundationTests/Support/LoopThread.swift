// `@unchecked Sendable` invariant: the run loop is set before the initialiser returns, and is then only used as
// a scheduler, from any thread.

import FanoutTestSupport
import Foundation
import TestThreads

/// A thread that runs a run loop, until it is stopped.
final class LoopThread: @unchecked Sendable {

  let runLoop: RunLoop
  private let isStopped: Shared<Bool>
  private let hasEnded = Gate()

  init() {
    final class Handover: @unchecked Sendable { var runLoop = RunLoop.main }
    let (made, isReady, isStopped, hasEnded) = (Handover(), Gate(), Shared(false), hasEnded)
    Thread.detachNewThread {
      made.runLoop = RunLoop.current
      // A loop without a source or a timer does not run.
      let anchor = Timer(timeInterval: 1e9, repeats: true) { _ in }
      RunLoop.current.add(anchor, forMode: .default)
      isReady.open()
      while !isStopped.value {
        // On Linux, no timer and no block makes this return, so it looks at the flag again and again.
        _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.005))
      }
      anchor.invalidate()
      hasEnded.open()
    }
    _ = isReady.wait()
    runLoop = made.runLoop
    self.isStopped = isStopped
  }

  /// Ends the thread, and waits for that.
  func stop() -> Bool {
    isStopped.value = true
    return hasEnded.wait()
  }
}
