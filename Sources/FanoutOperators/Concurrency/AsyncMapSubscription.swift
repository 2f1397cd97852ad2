// Invariant: only the holder of `drain` reaches `receiver` and `credit`, and `transform` is reached
// under the lock of `workers.state` only.
//
// Unsafe pointers: invariant: the memory for a result is initialised from the move out of `workers`
// until its delivery is over.

package import FanoutCore
package import FanoutEngine
internal import Synchronization

/// The subscription of an operator that processes each value in a task.
///
/// Its workers bring results in any order, and it delivers them in the order of the values. The
/// upstream is asked for one more value only when a result has been delivered. So there are at most
/// as many values as may be worked on at a time, whether they wait for a worker, are in work, or
/// have their result.
package final class AsyncMapSubscription<
  Input: Sendable, Failure: Error, Output, OutputFailure: Error
>: SubscribedSource<Input, Failure> {
  package typealias Workers = AsyncMapWorkers<Input, Failure, Output, OutputFailure>

  package let workers: Workers
  package let makeFailure: (Failure) -> OutputFailure
  let maxConcurrent: Int
  /// Whether the upstream was asked for values; one that comes before that is ignored.
  let hasAsked = AtomicValue<Bool>(false)
  let calls: ErasedSubscriber<Output, OutputFailure>.Calls
  /// The closure, until everything is released.
  @exclusivity(unchecked) package var transform: Workers.Transform?
  /// The subscriber, until everything is released.
  @exclusivity(unchecked) package var receiver: AnyObject?
  @exclusivity(unchecked) var credit = Credit.none

  init(
    downstream: ErasedSubscriber<Output, OutputFailure>, name: StaticString, maxConcurrent: Int,
    transform: @escaping Workers.Transform, failure: @escaping (Failure) -> OutputFailure
  ) {
    receiver = downstream.receiver
    calls = downstream.calls
    self.maxConcurrent = maxConcurrent
    self.transform = transform
    workers = Workers(maxConcurrent: maxConcurrent)
    makeFailure = failure
    super.init(name: name, body: ReceiverBody())
  }

  package override func begin() {
    if let receiver, let credit = calls.ends.begin(receiver, self, mayFuse: true) {
      request(credit)
    }
    runOut(isLimited: true)
  }

  package override func request(_ credit: Credit) {
    super.request(credit)
    guard credit != .none, !hasAsked.exchange(true, ordering: .acquiringAndReleasing) else {
      return
    }
    stage.request(Credit(rawValue: UInt(maxConcurrent)))
  }

  /// Leaves the upstream alone, of which this operator takes as many values as it may.
  package override func disallowDrops() -> Bool { false }

  package override func receive(_ input: Input) -> Subscribers.Demand {
    // A value that was not requested is not processed.
    if hasAsked.load(ordering: .acquiring) { workers.accept(input, for: self) }
    return .none
  }

  package override func receive(completion: Subscribers.Completion<Failure>) {
    // The upstream may end before it has sent its subscription.
    if stage.noteEarlyEnd() { begin() }
    guard stage.finish(for: self, taking: { _ in true }) ?? false else { return }
    let end: Subscribers.Completion<OutputFailure> =
      switch completion {
      case .finished: .finished
      case .failure(let error): .failure(makeFailure(error))
      }
    if workers.finish(end) { wake() }
  }

  /// Delivers what a worker has brought, on that worker's thread.
  func deliverInWorker() {
    if drain.announce(.queued) {
      deliver(isLimited: false, inWorker: true)
    } else {
      noteOrigin()
    }
  }

  package override func runOut(isLimited: Bool) { deliver(isLimited: isLimited, inWorker: false) }

  /// Delivers requested results until nothing is left to do; the caller holds the drain.
  private func deliver(isLimited: Bool, inWorker: Bool) {
    runTurns(isLimited: isLimited) {
      deliverResults(atMost: BoundedDelivery.count, inWorker: inWorker)
    }
  }

  /// Delivers requested results up to a number, and the completion, once.
  ///
  /// Returns whether it stopped at that number, so that more may be left to deliver.
  private func deliverResults(atMost limit: Int, inWorker: Bool) -> Bool {
    withUnsafeTemporaryAllocation(of: Output.self, capacity: 1) { memory in
      // Only the holder of the drain, which is this thread, releases the subscriber.
      guard let receiver, let slot = memory.baseAddress else { return false }
      var count = 0
      while !isCancelled {
        guard count < limit else { return true }
        if credit == .none { credit = pending.take() }
        var new: AsyncMapWindow.NewWorker?
        switch workers.supply(
          to: slot, isRequested: credit != .none, inWorker: inWorker, for: self, &new)
        {
        case .nothing: return false
        case .end:
          finish(receiver)
          return false
        case .result:
          if let new { workers.start(new, for: self) }
          let more = calls.deliver(receiver, slot.pointee)
          slot.deinitialize(count: 1)
          credit = credit.afterOne + more
          requestOneMore(inWorker: inWorker)
        }
        count &+= 1
      }
      return false
    }
  }

  /// Requests a value from the upstream, for the place of a result that was delivered.
  private func requestOneMore(inWorker: Bool) {
    guard inWorker else { return stage.request(Credit(rawValue: 1)) }
    // From a self-contained upstream this worker is back before long. From any other it may not be,
    // so until then another worker takes a value that arrives.
    let isSelfContained = stage.withBody { $0.adopted?.isSelfContained ?? false } ?? false
    if isSelfContained { workers.didCall() }
    BoundedDelivery.limit { stage.request(Credit(rawValue: 1)) }
    if !isSelfContained { workers.didCall() }
  }

  private func finish(_ receiver: AnyObject) {
    let end = workers.state.withLock { _ in workers.end }
    letGo()
    // The `deinit` of a released object may have cancelled.
    if !isCancelled, let end { calls.ends.finish(receiver, end) }
  }

  func cancelUpstream() { stage.cancel(for: self) }

  package override func willCancel() {
    // Closed before the upstream is cancelled, so that no worker starts for a value sent meanwhile.
    let (abandoned, owner) = workers.abandonAll()
    stage.cancel(for: self)
    abandoned.cancelTasks()
    withExtendedLifetime((abandoned, owner)) {}
  }

  /// Releases the subscriber, the closure and everything that waits.
  package override func letGo() {
    // A delivering thread may reach this before the cancelling thread has given up the workers.
    let (abandoned, owner) = workers.abandonAll()
    abandoned.cancelTasks()
    var released: Workers.Transform?
    workers.state.withLock { _ in (released, transform) = (transform, nil) }
    withExtendedLifetime((abandoned, owner, released)) {}
    receiver = nil
    didLetGo()
  }
}
