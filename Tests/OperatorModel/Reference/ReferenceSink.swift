internal import Fanout

/// The reference of a one-by-one sink, with either closure.
final class ReferenceSink: Subscriber {
  typealias Input = Item
  typealias Failure = Failed

  private enum Turn {
    /// No value is requested.
    case none
    case asked
    /// A value is being handled, inside the call that delivered it.
    case inside
    /// A value is being handled inside its call, and its turn is over.
    case insideAndDone
    case outside
  }

  private let play: Play
  /// The agenda on which tasks run; nil if a plain closure handles the values.
  private let tasks: ReferenceAgenda?
  private var subscription: (any Subscription)?
  private var turn = Turn.none
  private var turns = 0
  private var gate: Int?
  private var end: Subscribers.Completion<Failed>?
  private var isOver = false
  private var isCancelled = false
  /// The closure that stores the end of a turn, as the program does.
  private let keep: (@escaping () -> Void) -> Void

  init(_ tasks: ReferenceAgenda?, in play: Play, keep: @escaping (@escaping () -> Void) -> Void) {
    self.tasks = tasks
    self.play = play
    self.keep = keep
  }

  func receive(subscription: any Subscription) {
    guard self.subscription == nil, !isOver else { return subscription.cancel() }
    self.subscription = subscription
    turn = .asked
    subscription.request(.max(1))
  }

  func receive(_ item: Item) -> Subscribers.Demand {
    guard !isOver, turn == .asked else { return .none }
    turn = .inside
    turns += 1
    let number = turns
    if let tasks {
      tasks.schedule { self.start(item, turn: number) }
    } else {
      keep { self.finish(number) }
      play.called(.value(item.number)) { _ = play.reactToValue() }
    }
    if isCancelled { return .none }
    if turn == .inside { turn = .outside }
    guard turn == .insideAndDone else { return .none }
    if let end {
      self.end = nil
      deliver(end)
      return .none
    }
    turn = .asked
    return .max(1)
  }

  private func start(_ item: Item, turn number: Int) {
    guard !isCancelled else { return }
    play.excuse(item)
    let gate = play.newGate()
    self.gate = gate
    play.called(.value(item.number)) { _ = play.reactToValue() }
    play.addGate(gate) { _ in
      self.tasks?.schedule {
        if self.gate == gate { self.gate = nil }
        self.finish(number)
      }
    }
  }

  /// Ends a turn, if it is not over.
  private func finish(_ number: Int) {
    guard !isCancelled, number == turns else { return }
    if turn == .inside { turn = .insideAndDone }
    guard turn == .outside else { return }
    if let end {
      self.end = nil
      turn = .none
      deliver(end)
    } else {
      turn = .asked
      subscription?.request(.max(1))
    }
  }

  /// Ends the turn of a value that a closure handles; the turn of a task ends when the task
  /// returns.
  func resume() {
    if tasks == nil { finish(turns) }
  }

  func receive(completion: Subscribers.Completion<Failed>) {
    guard !isOver else { return }
    isOver = true
    subscription = nil
    if turn == .none || turn == .asked { deliver(completion) } else { end = completion }
  }

  private func deliver(_ completion: Subscribers.Completion<Failed>) {
    play.called(Observation.Call(completion)) { _ = play.react(to: .completion) }
  }

  func cancel() {
    (isCancelled, isOver, end) = (true, true, nil)
    let old = subscription
    subscription = nil
    old?.cancel()
    if let gate { play.gateCancelled(gate) }
  }
}

/// A one-by-one sink of the reference, as a consumer.
final class PlayedReferenceSink: PlayedConsumer {
  private let play: Play
  private weak var sink: ReferenceSink?
  private var end: (() -> Void)?

  init(_ publisher: ReferenceWorkshop.Made, _ tasks: ReferenceAgenda?, in play: Play) {
    self.play = play
    let sink = ReferenceSink(tasks, in: play) { [unowned self] in end = $0 }
    self.sink = sink
    publisher(sink)
  }

  var isHeld: Bool { sink != nil }
  func cancel() { sink?.cancel() }

  func resume() {
    if let end, play.resumes.isMultiple(of: 2) { end() } else { sink?.resume() }
  }
}
