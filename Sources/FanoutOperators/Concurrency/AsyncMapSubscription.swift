// Invariant: only the holder of `drain` reaches the properties marked `@exclusivity(unchecked)`.

public import FanoutCore
public import FanoutEngine
public import Synchronization

/// The subscription of an operator that processes each value in a task.
///
/// Its workers bring results in any order, and it delivers them in the order of the values. The upstream is
/// asked for one more value only when a result has been delivered. So there are at most as many values as may
/// be worked on at a time, whether they wait for a worker, are in work, or have their result.
///
/// What runs for each value is reached through closures that are formed where the types are known: a call
/// through the class or the protocol is not specialised.
@_fixed_layout
@usableFromInline
package final class AsyncMapSubscription<Input: Sendable, Failure: Error, Downstream: Subscriber>:
  DrainedSource, Subscriber, DescribedSubscription
{
  @usableFromInline package typealias Workers = AsyncMapWorkers<Input, Failure, Downstream>

  @usableFromInline package let workers: Workers
  @usableFromInline package let transform: Lock<Workers.Transform?>
  @usableFromInline package let stage = ReceiverStage(UpstreamBody())
  @usableFromInline package let makeFailure: (Failure) -> Downstream.Failure
  @usableFromInline let maxConcurrent: Int
  @usableFromInline let name: StaticString
  /// Whether the upstream was asked for values; one that comes before that is ignored.
  @usableFromInline let hasAsked = AtomicValue<Bool>(false)
  @usableFromInline let acceptValue: (AsyncMapSubscription, Input) -> Void
  @exclusivity(unchecked) @usableFromInline package var downstream: Downstream?
  @exclusivity(unchecked) @usableFromInline var credit = Credit.none

  @inlinable
  init(
    downstream: Downstream, name: StaticString, maxConcurrent: Int,
    transform: @escaping Workers.Transform, failure: @escaping (Failure) -> Downstream.Failure
  ) {
    self.downstream = downstream
    self.name = name
    self.maxConcurrent = maxConcurrent
    self.transform = Lock(transform)
    workers = Workers(maxConcurrent: maxConcurrent)
    makeFailure = failure
    acceptValue = { subscription, input in subscription.workers.accept(input, for: subscription) }
    super.init {
      unsafeDowncast($0, to: AsyncMapSubscription.self).deliver(isLimited: $1, inWorker: false)
    }
  }

  @usableFromInline
  package func receive(subscription: any Subscription) {
    if stage.attach(deliverySource(of: subscription), for: self) { begin() }
  }

  /// Gives the subscriber this subscription, once, and lets deliveries start.
  private func begin() {
    if let downstream {
      if let credit = downstream._fuse(self) {
        request(credit)
      } else {
        downstream.receive(subscription: self)
      }
    }
    runsOut(self, true)
  }

  package override func request(_ credit: Credit) {
    super.request(credit)
    guard credit != .none, !hasAsked.exchange(true, ordering: .acquiringAndReleasing) else {
      return
    }
    stage.request(Credit(rawValue: UInt(maxConcurrent)))
  }

  @usableFromInline
  package func request(_ demand: Subscribers.Demand) { request(demand.credit) }

  @inlinable
  package func receive(_ input: Input) -> Subscribers.Demand {
    // A value that was not requested is not processed.
    if hasAsked.load(ordering: .acquiring) { acceptValue(self, input) }
    return .none
  }

  @usableFromInline
  package func receive(completion: Subscribers.Completion<Failure>) {
    // The upstream may end before it has sent its subscription.
    if stage.noteEarlyEnd() { begin() }
    guard stage.finish(for: self, taking: { _ in true }) ?? false else { return }
    let end: Subscribers.Completion<Downstream.Failure> =
      switch completion {
      case .finished: .finished
      case .failure(let error): .failure(makeFailure(error))
      }
    if workers.finish(end) { wake() }
  }

  /// Delivers what a worker has brought, on that worker's thread.
  @inlinable
  func deliverInWorker() {
    if drain.announce(.queued) {
      deliver(isLimited: false, inWorker: true)
    } else {
      noteOrigin()
    }
  }

  /// Delivers requested results until nothing is left to do; the caller holds the drain.
  @inlinable
  func deliver(isLimited: Bool, inWorker: Bool) {
    runTurns(isLimited: isLimited) {
      deliverResults(atMost: BoundedDelivery.count, inWorker: inWorker)
    }
  }

  /// Delivers requested results up to a number, and the completion, once.
  ///
  /// Returns whether it stopped at that number, so that more may be left to deliver.
  @inlinable
  func deliverResults(atMost limit: Int, inWorker: Bool) -> Bool {
    // Only the holder of the drain, which is this thread, releases the subscriber.
    guard let downstream else { return false }
    var count = 0
    while !isCancelled {
      guard count < limit else { return true }
      if credit == .none { credit = pending.take() }
      let (supply, new) = workers.supply(
        isRequested: credit != .none, inWorker: inWorker, for: self)
      switch supply {
      case .nothing: return false
      case .end(let end):
        finish(end, downstream)
        return false
      case .result(let output):
        if let new { workers.start(new, for: self) }
        let more = downstream._receiveFused(output).credit
        credit = credit.afterOne + more
        requestOneMore(inWorker: inWorker)
      }
      count &+= 1
    }
    return false
  }

  /// Requests a value from the upstream, for the place of a result that was delivered.
  @inlinable
  func requestOneMore(inWorker: Bool) {
    guard inWorker else { return stage.request(Credit(rawValue: 1)) }
    // From a self-contained upstream this worker is back before long. From any other it may not be, so until
    // then another worker takes a value that arrives.
    let isSelfContained = stage.withBody { $0.adopted?.isSelfContained ?? false } ?? false
    if isSelfContained { workers.didCall() }
    BoundedDelivery.limit { stage.request(Credit(rawValue: 1)) }
    if !isSelfContained { workers.didCall() }
  }

  @usableFromInline
  func finish(_ end: Subscribers.Completion<Downstream.Failure>, _ downstream: Downstream) {
    letGo()
    // The `deinit` of a released object may have cancelled.
    if !isCancelled { downstream.receive(completion: end) }
  }

  @usableFromInline
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
    withExtendedLifetime((abandoned, owner, transform.take())) {}
    downstream = nil
    didLetGo()
  }

  @usableFromInline package var description: String { "\(name)" }
}
