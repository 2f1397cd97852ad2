package import FanoutCore
package import FanoutEngine
internal import Synchronization

/// The subscription of an operator that processes each value in a task.
///
/// Its queue holds the runs in the order of the values; the first run is delivered when it has its
/// result. The upstream is asked for one more value only when a result has been delivered. So the
/// queue holds at most as many runs as may work at a time, whether they still work or have their
/// result.
package final class AsyncMapSubscription<Input: Sendable, Failure: Error, Downstream: Subscriber>:
  QueuedSubscription<AsyncMapRun<Input, Failure, Downstream>, Downstream>, Subscriber
{
  package typealias Run = AsyncMapRun<Input, Failure, Downstream>
  package typealias Outcome = Result<Downstream.Input, Downstream.Failure>
  package typealias Transform = @Sendable (Input) async -> Outcome

  let maxConcurrent: Int
  package let makeFailure: (Failure) -> Downstream.Failure
  private let hasAsked = AtomicValue<Bool>(false)
  package let transform: Lock<Transform?>

  init(
    downstream: Downstream, name: StaticString, maxConcurrent: Int,
    transform: @escaping Transform, failure: @escaping (Failure) -> Downstream.Failure
  ) {
    self.maxConcurrent = maxConcurrent
    self.transform = Lock(transform)
    makeFailure = failure
    super.init(downstream: downstream, name: name)
  }

  package override func request(_ credit: Credit) {
    super.request(credit)
    guard credit != .none, !hasAsked.exchange(true, ordering: .acquiringAndReleasing) else {
      return
    }
    stage.request(Credit(rawValue: UInt(maxConcurrent)))
  }

  package func receive(_ input: Input) -> Subscribers.Demand {
    // A value that was not requested is not processed.
    guard hasAsked.load(ordering: .acquiring), let transform = transform.withLock({ $0 }) else {
      return .none
    }
    let run = Run(for: self)
    let isAccepted = waiting.withLock { waiting -> Bool in
      guard let known = waiting, !known.isClosed, known.items.count < maxConcurrent else {
        return false
      }
      known.items.append(run)
      return true
    }
    if isAccepted { run.start { await transform(input) } }
    return .none
  }

  package func receive(completion: Subscribers.Completion<Failure>) {
    switch completion {
    case .finished: endOfUpstream(.finished)
    case .failure(let error): endOfUpstream(.failure(makeFailure(error)))
    }
  }

  package override func runOut(isLimited: Bool) {
    deliverItems(
      isLimited: isLimited, when: { $0.isReady }, { $0.takeResult() },
      afterEach: { _, _ in stage.request(Credit(rawValue: 1)) })
  }

  package override func willCancel() {
    // Closed before the upstream is cancelled, so that no task starts for a value sent meanwhile.
    let runs = takeRuns()
    super.willCancel()
    for run in runs { run.giveUp() }
  }

  /// Takes all runs out, so that no thread delivers a run that is given up.
  private func takeRuns() -> [Run] {
    waiting.withLock { waiting in
      waiting?.isClosed = true
      return Self.takeAll(of: waiting?.items)
    }
  }

  package override func letGo() {
    // A delivering thread may reach this before the cancelling thread has given up the runs.
    for run in takeRuns() { run.giveUp() }
    withExtendedLifetime(transform.take()) {}
    super.letGo()
  }

  /// Runs when a run has its result.
  func didSucceed() { wake() }

  /// Runs when a run has failed.
  func didFail(_ failed: Run, _ error: Downstream.Failure) {
    // A completion that is noted already comes later in order: the run still stands in front of it.
    let (later, old) = waiting.withLock { waiting -> (ArraySlice<Run>?, Waiting?) in
      // The old state is released outside the lock.
      let old = waiting
      guard let items = waiting?.items, items.values.contains(where: { $0 === failed }) else {
        return (nil, old)
      }
      let all = Self.takeAll(of: items)
      for run in all.prefix(while: { $0 !== failed }) { items.append(run) }
      waiting?.isClosed = true
      waiting?.end = .failure(error)
      return (all.drop { $0 !== failed }, old)
    }
    withExtendedLifetime(old) {}
    guard let later else { return }
    stage.cancel(for: self)
    for run in later { run.giveUp() }
    wake()
  }

  private static func takeAll(of items: Backlog<Run>?) -> [Run] {
    var all: [Run] = []
    while let run = items?.popFirst() { all.append(run) }
    return all
  }
}
