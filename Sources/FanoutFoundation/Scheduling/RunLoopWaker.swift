// `@unchecked Sendable` invariant: the table is used under its lock only. A run loop is compared,
// and a timer's date is set; any thread may do both, which the types cannot state.

#if !canImport(Darwin)
  internal import FanoutEngine
  internal import Foundation

  /// The timers by which other threads wake run loops.
  ///
  /// A block that is added to a run loop that sleeps does not wake it here; a timer that is due
  /// does. There is one timer for each run loop, because Foundation never releases one.
  struct RunLoopWaker: @unchecked Sendable {
    private weak var runLoop: RunLoop?
    private let timer: Timer

    private static let known = Lock<[ObjectIdentifier: RunLoopWaker]>([:])

    private init(for runLoop: RunLoop) {
      self.runLoop = runLoop
      timer = Timer(fire: .distantFuture, interval: 1e9, repeats: true) { _ in }
      runLoop.add(timer, forMode: .default)
    }

    /// Wakes a run loop that sleeps in the default mode.
    static func wake(_ runLoop: RunLoop) {
      let id = ObjectIdentifier(runLoop)
      let waker = known.withLock { known in
        if let waker = known[id], waker.runLoop === runLoop { return waker }
        // A run loop ends with its thread.
        known = known.filter { $0.value.runLoop != nil }
        let waker = RunLoopWaker(for: runLoop)
        known[id] = waker
        return waker
      }
      waker.timer.fireDate = Date()
    }
  }
#endif
