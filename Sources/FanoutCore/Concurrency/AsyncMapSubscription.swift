internal import FanoutEngine
internal import Synchronization

/// The subscription of an operator that has a task work on each value: a queue of runs in the order of
/// the values, of which the first is delivered when its result is there.
///
/// The queue holds at most as many runs as may work at one time, whether they do or have their result,
/// because the upstream is asked for one more value only when a result was handed on.
final class AsyncMapSubscription<Input: Sendable, Failure: Error, Downstream: Subscriber>:
  QueuedSubscription<AsyncMapRun<Input, Failure, Downstream>, Downstream>, Subscriber
{
  typealias Run = AsyncMapRun<Input, Failure, Downstream>
  typealias Outcome = Result<Downstream.Input, Downstream.Failure>
  typealias Transform = @Sendable (Input) async -> Outcome

  let maxConcurrent: Int
  let makeFailure: (Failure) -> Downstream.Failure
  private let hasAsked = AtomicValue<Bool>(false)
  private let transform: Lock<Transform?>

  init(
    downstream: Downstream, name: StaticString, maxConcurrent: Int,
    transform: @escaping Transform, failure: @escaping (Failure) -> Downstream.Failure
  ) {
    self.maxConcurrent = maxConcurrent
    self.transform = Lock(transform)
    makeFailure = failure
    super.init(downstream: downstream, name: name)
  }

  override func request(_ credit: Credit) {
    super.request(credit)
    guard credit != .none, !hasAsked.exchange(true, ordering: .acquiringAndReleasing) else {
      return
    }
    stage.request(Credit(rawValue: UInt(maxConcurrent)))
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    // What was not asked for is not worked on.
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

  func receive(completion: Subscribers.Completion<Failure>) {
    switch completion {
    case .finished: endOfUpstream(.finished)
    case .failure(let error): endOfUpstream(.failure(makeFailure(error)))
    }
  }

  override func runOut() {
    deliverItems(
      when: { $0.isReady }, { $0.takeResult() },
      afterEach: { _, _ in stage.request(Credit(rawValue: 1)) })
  }

  override func willCancel() {
    super.willCancel()
    // Taken out, so that nobody delivers what is given up here.
    let runs = waiting.withLock { waiting in
      waiting?.isClosed = true
      return Self.takeAll(of: waiting?.items)
    }
    for run in runs { run.giveUp() }
  }

  override func letGo() {
    let transform = transform.withLock { transform in
      defer { transform = nil }
      return transform
    }
    withExtendedLifetime(transform) {}
    super.letGo()
  }

  /// Called when a run has its result.
  func didSucceed() { wake() }

  /// Called when a run has come to nothing.
  func didFail(_ failed: Run, _ error: Downstream.Failure) {
    // An end that is noted already comes later in order: the run still stands in front of it.
    let later = waiting.withLock { waiting -> ArraySlice<Run>? in
      guard let items = waiting?.items, items.values.contains(where: { $0 === failed }) else {
        return nil
      }
      let all = Self.takeAll(of: items)
      for run in all.prefix(while: { $0 !== failed }) { items.append(run) }
      waiting?.isClosed = true
      waiting?.end = .failure(error)
      return all.drop { $0 !== failed }
    }
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

  package override var heldReferences: [HeldReference] {
    let transform = transform.withLock { $0 }
    return super.heldReferences + (transform.map { [.closure("transform", $0)] } ?? [])
      + [.closure("makeFailure", makeFailure)]
  }
}
