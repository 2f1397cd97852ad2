internal import Fanout

/// The reference of `asyncMap(maxConcurrent:_:)`, with or without a throwing closure.
final class ReferenceAsyncMap: ReferenceQueueStage {
  /// The work on one value, and later its result.
  private final class Run: Entry {
    let input: Item
    var isGivenUp = false
    var gate: Int?

    init(_ input: Item) {
      self.input = input
      super.init(nil)
    }
  }

  private let maxConcurrent: Int
  private let canThrow: Bool
  private let place: Int
  private let play: Play
  private let tasks: ReferenceAgenda
  private var hasAsked = false
  /// The values that no worker has taken.
  private var waiting: [Run] = []
  private var workers = 0
  /// The workers without a value.
  private var seeking = 0
  /// Whether a worker delivers, and is inside the subscriber's `receive`.
  private var isDelivering = false
  private var isCalling = false

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
    let run = Run(item)
    entries.append(run)
    waiting.append(run)
    addWorker()
    return .none
  }

  /// Starts a worker if no other would take up a value that waits.
  private func addWorker() {
    let free = isCalling ? seeking - 1 : seeking
    guard waiting.count > free, workers < maxConcurrent else { return }
    workers += 1
    seeking += 1
    tasks.schedule { self.work() }
  }

  /// The work of one worker, from one suspension to the next.
  private func work() {
    seeking -= 1
    guard !waiting.isEmpty else { return workers -= 1 }
    let run = waiting.removeFirst()
    let gate = play.newGate()
    run.gate = gate
    play.excuse(run.input)
    play.closure(place, run.input.number)
    play.addGate(gate) { throwing in
      self.tasks.schedule {
        self.complete(run, throwing: throwing)
        self.work()
      }
    }
  }

  private func complete(_ run: Run, throwing: Bool) {
    seeking += 1
    run.gate = nil
    let result = throwing && canThrow ? nil : play.item(run.input.number + 60)
    guard !run.isGivenUp else { return }
    if let result {
      run.item = result
      return wakeInWorker()
    }
    // An earlier failure belongs to a later value: this one counts.
    guard let index = entries.firstIndex(where: { $0 === run }) else { return }
    let later = entries[(index + 1)...]
    entries.removeSubrange(index...)
    waiting = []
    isClosed = true
    end = .failure(Failed(3000 + run.input.number))
    for case let run as Run in later { giveUp(run) }
    cancelUpstreams()
    wakeInWorker()
  }

  private func wakeInWorker() {
    isDelivering = true
    wake()
    isDelivering = false
  }

  override func cancel() {
    let runs = entries
    waiting = []
    // No closure is called from here on, not even inside the upstream's cancel.
    for case let run as Run in runs { run.isGivenUp = true }
    super.cancel()
    for case let run as Run in runs { giveUp(run) }
  }

  private func giveUp(_ run: Run) {
    run.isGivenUp = true
    if let gate = run.gate { play.gateCancelled(gate) }
  }

  override func willDeliver() {
    guard isDelivering else { return }
    isCalling = true
    addWorker()
  }

  override func didDeliver(_ entry: Entry, _ more: Subscribers.Demand) {
    isCalling = false
    ask(.max(1))
  }
}
