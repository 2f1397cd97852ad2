// `@unchecked Sendable` invariant: blocks are added to a run loop, and it is woken. Any thread may
// do both, which its type cannot state.

public import Foundation

/// A run loop as a scheduler.
///
/// On platforms without Combine, a `RunLoop` is a `Scheduler` itself, and this type
/// is not needed.
///
/// Actions run on the thread that runs the loop, in the default mode, in the order in which they
/// were scheduled. If nothing runs the loop, no action runs: on Linux an `async` `main` runs the
/// main queue and not the main run loop, so use `DispatchQueue.main` there. On Linux the loop gets
/// a timer that wakes it and stays, so that `run()` does not return for lack of timers.
/// While a run of a repetition waits for its turn, no further one is added.
///
/// ```swift
/// import Fanout
/// import FanoutFoundation
/// import Foundation
///
/// let shown = (1...2).publisher.receive(on: RunLoopScheduler(.main)).sink { print($0) }
/// print("subscribed")
/// RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.01))
/// shown.cancel()
/// // Prints:
/// // subscribed
/// // 1
/// // 2
/// ```
public struct RunLoopScheduler: _DateScheduler, @unchecked Sendable {
  /// A time as a run loop measures it.
  public typealias SchedulerTimeType = DateSchedulerTime

  /// The options for an action on a run loop: there are none.
  public struct SchedulerOptions: Sendable {
    /// Creates options.
    public init() {}
  }

  /// The run loop on which actions run.
  public let runLoop: RunLoop

  /// Creates a scheduler that runs actions on the specified run loop.
  ///
  /// - Parameter runLoop: The run loop.
  public init(_ runLoop: RunLoop) { self.runLoop = runLoop }

  /// The closure that adds an action to the loop, and wakes it.
  public var _perform: @Sendable (_ action: @escaping @Sendable () -> Void) -> Void {
    { action in
      runLoop.perform(inModes: [.default], block: action)
      #if canImport(Darwin)
        CFRunLoopWakeUp(runLoop.getCFRunLoop())
      #else
        RunLoopWaker.wake(runLoop)
      #endif
    }
  }
}

#if !canImport(Combine)
  // On platforms with Combine, a run loop is a scheduler of Combine's, which uses these names.
  extension RunLoop: _DateScheduler {
    /// A time as a run loop measures it.
    public typealias SchedulerTimeType = RunLoopScheduler.SchedulerTimeType
    /// The options for an action on a run loop: there are none.
    public typealias SchedulerOptions = RunLoopScheduler.SchedulerOptions

    /// The closure that adds an action to the loop, and wakes it.
    public var _perform: @Sendable (_ action: @escaping @Sendable () -> Void) -> Void {
      RunLoopScheduler(self)._perform
    }
  }
#endif
