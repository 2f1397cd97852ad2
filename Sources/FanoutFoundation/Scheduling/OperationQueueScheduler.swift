public import Foundation

/// An operation queue as a scheduler.
///
/// On platforms without Combine, an `OperationQueue` is a `Scheduler` itself, and
/// this type is not needed.
///
/// Every action is an operation. The queue decides when it runs, and how many run at once.
/// While a run of a repetition waits for its turn, no further one is added.
///
/// ```swift
/// import Fanout
/// import FanoutFoundation
/// import Foundation
///
/// let queue = OperationQueue()
/// queue.isSuspended = true
/// let shown = (1...2).publisher.receive(on: OperationQueueScheduler(queue)).sink { print($0) }
/// print("subscribed")
/// queue.isSuspended = false
/// queue.waitUntilAllOperationsAreFinished()
/// shown.cancel()
/// // Prints:
/// // subscribed
/// // 1
/// // 2
/// ```
public struct OperationQueueScheduler: _DateScheduler, Sendable {
  /// A time as an operation queue measures it.
  public typealias SchedulerTimeType = DateSchedulerTime

  /// The options for an action on an operation queue: there are none.
  public struct SchedulerOptions: Sendable {
    /// Creates options.
    public init() {}
  }

  /// The queue on which actions run.
  public let queue: OperationQueue

  /// Creates a scheduler that runs actions on the specified queue.
  ///
  /// - Parameter queue: The queue, serial or concurrent.
  public init(_ queue: OperationQueue) { self.queue = queue }

  /// The closure that adds an action to the queue.
  public var _perform: @Sendable (_ action: @escaping @Sendable () -> Void) -> Void {
    { [queue] in queue.addOperation($0) }
  }
}

#if !canImport(Combine)
  // On platforms with Combine, a queue is a scheduler of Combine's, which uses these names.
  extension OperationQueue: _DateScheduler {
    /// A time as an operation queue measures it.
    public typealias SchedulerTimeType = OperationQueueScheduler.SchedulerTimeType
    /// The options for an action on an operation queue: there are none.
    public typealias SchedulerOptions = OperationQueueScheduler.SchedulerOptions

    /// The closure that adds an action to the queue.
    public var _perform: @Sendable (_ action: @escaping @Sendable () -> Void) -> Void {
      OperationQueueScheduler(self)._perform
    }
  }
#endif
