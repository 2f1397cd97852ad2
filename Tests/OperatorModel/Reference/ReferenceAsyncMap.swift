internal import Fanout

/// The reference of `asyncMap(maxConcurrent:_:)`, with or without a throwing closure.
final class ReferenceAsyncMap: ReferenceQueueStage {
  /// The work on one value, and later its result.
  private final class Run: Entry {
    var isGivenUp = false
    var gate: Int?
  }

  private let maxConcurrent: Int
  private let canThrow: Bool
  private let place: Int
  private let play: Play
  private let tasks: ReferenceAgenda
  private var hasAsked = false

  init(
    _ downstream: Receiver, maxConcurrent: Int, canThrow: Bool, at place: Int, in play: Play,
    _ tasks: ReferenceAgenda
  ) {
    self.maxConcurrent = maxConcurrent
    self.canThrow = canThrow
    self.place = place
    self.play = play
    self.tasks = tasks
    super.init(downstream)
  }

  override func request(_ more: Subscribers.Demand) {
    super.request(more)
    guard more > .none, !hasAsked else { return }
    hasAsked = true
    ask(.max(maxConcurrent))
  }

  override func receive(_ item: Item) -> Subscribers.Demand {
    // A value that was not requested is ignored.
    guard hasAsked, !isClosed, entries.count < maxConcurrent else { return .none }
    let run = Run(nil)
    entries.append(run)
    tasks.schedule { self.start(run, item) }
    return .none
  }

  private func start(_ run: Run, _ item: Item) {
    guard !run.isGivenUp else { return }
    let gate = play.newGate()
    run.gate = gate
    play.excuse(item)
    play.closure(place, item.number)
    play.addGate(gate) { throwing in
      self.tasks.schedule { self.complete(run, item, throwing: throwing) }
    }
  }

  private func complete(_ run: Run, _ item: Item, throwing: Bool) {
    run.gate = nil
    let result = throwing && canThrow ? nil : play.item(item.number + 60)
    guard !run.isGivenUp else { return }
    if let result {
      run.item = result
      return wake()
    }
    // An earlier failure belongs to a later value: this one counts.
    guard let index = entries.firstIndex(where: { $0 === run }) else { return }
    let later = entries[(index + 1)...]
    entries.removeSubrange(index...)
    isClosed = true
    end = .failure(Failed(3000 + item.number))
    for case let run as Run in later { giveUp(run) }
    cancelUpstreams()
    wake()
  }

  override func cancel() {
    let runs = entries
    // No task starts from here on, not even inside the upstream's cancel.
    for case let run as Run in runs { run.isGivenUp = true }
    super.cancel()
    for case let run as Run in runs { giveUp(run) }
  }

  private func giveUp(_ run: Run) {
    run.isGivenUp = true
    if let gate = run.gate { play.gateCancelled(gate) }
  }

  override func didDeliver(_ entry: Entry, _ more: Subscribers.Demand) { ask(.max(1)) }
}
