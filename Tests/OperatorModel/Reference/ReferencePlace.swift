internal import Fanout

/// The actions that wait for a step to run them, in the order in which they were scheduled.
final class ReferenceAgenda {
  private var actions: [() -> Void] = []

  var isEmpty: Bool { actions.isEmpty }

  func schedule(_ action: @escaping () -> Void) { actions.append(action) }

  func runAll() {
    while !actions.isEmpty { actions.removeFirst()() }
  }
}

/// The reference of `receive(on:)`.
final class ReferenceReceiveOn: ReferenceQueueStage {
  private let agenda: ReferenceAgenda
  private var isScheduled = false

  init(_ downstream: Receiver, _ agenda: ReferenceAgenda) {
    self.agenda = agenda
    super.init(downstream)
  }

  override func request(_ more: Subscribers.Demand) {
    guard more > .none, !isOver else { return }
    demand += more
    ask(more)
    if !entries.isEmpty { wake() }
  }

  override func wake() {
    guard hasBegun, !isScheduled, !isOver, !entries.isEmpty || end != nil else { return }
    isScheduled = true
    agenda.schedule {
      self.isScheduled = false
      self.deliver()
    }
  }

  override func didDeliver(_ entry: Entry, _ more: Subscribers.Demand) { ask(more) }
}

/// The reference of `subscribe(on:)`.
final class ReferenceSubscribeOn: ReferenceStage {
  private let agenda: ReferenceAgenda

  init(_ downstream: Receiver, _ agenda: ReferenceAgenda) {
    self.agenda = agenda
    super.init(downstream)
  }

  override func receive(subscription: any Subscription) {
    super.receive(subscription: Elsewhere(subscription, agenda))
  }

  /// A subscription that requests and cancels on the scheduler.
  private final class Elsewhere: Subscription {
    private let base: any Subscription
    private let agenda: ReferenceAgenda

    init(_ base: any Subscription, _ agenda: ReferenceAgenda) {
      self.base = base
      self.agenda = agenda
    }

    func request(_ demand: Subscribers.Demand) {
      // A subscription released before the scheduler reaches it receives no more requests.
      agenda.schedule { [weak self] in self?.base.request(demand) }
    }

    func cancel() { agenda.schedule { [base] in base.cancel() } }
  }
}
