internal import Fanout

/// The account of one subscriber: its demand, the calls it received and their violations of the
/// contract.
///
/// Its owner's lock guards it.
struct Ledger<Input, Failure: Error> {
  private(set) var timedEvents: [TimedEvent<Input, Failure>] = []
  private(set) var violations: [String] = []
  private(set) var demand = Subscribers.Demand.none
  private(set) var callsInProgress = 0
  private var caller: UInt?
  private var isSubscribed = false
  private var isCompleted = false
  private var cancelledInside: Bool?
  private var callsSinceCancel = 0

  var events: [RecordedEvent<Input, Failure>] { timedEvents.map(\.event) }

  mutating func ask(for more: Subscribers.Demand) { demand += more }

  mutating func cancel(on thread: UInt) {
    guard cancelledInside == nil else { return }
    cancelledInside = isInside(thread)
  }

  /// Returns whether a call is in progress on a thread.
  func isInside(_ thread: UInt) -> Bool { callsInProgress > 0 && caller == thread }

  /// Records the beginning of a call.
  mutating func enter(
    _ event: RecordedEvent<Input, Failure>, on thread: UInt,
    at time: TestScheduler.SchedulerTimeType?
  ) {
    if callsInProgress > 0 {
      let kind = caller == thread ? "nested in" : "while another thread was in"
      violations.append("\(event) came \(kind) a call that had not returned")
    }
    callsInProgress += 1
    caller = thread
    if isCompleted { violations.append("\(event) came after the terminal") }
    if let cancelledInside {
      callsSinceCancel += 1
      if cancelledInside { violations.append("\(event) came after cancel() inside a call") }
      if callsSinceCancel == 2 { violations.append("\(event) is the second call after cancel()") }
    }
    switch event {
    case .subscription:
      if isSubscribed { violations.append("a second subscription came") }
      isSubscribed = true
    case .value:
      if !isSubscribed { violations.append("\(event) came before the subscription") }
      if demand == .none { violations.append("\(event) was not asked for") }
      demand -= 1
    case .completion:
      if !isSubscribed { violations.append("\(event) came before the subscription") }
      isCompleted = true
    }
    timedEvents.append(TimedEvent(event, at: time))
  }

  /// Records the end of a call and the demand that it returned.
  mutating func leave(returning more: Subscribers.Demand) {
    callsInProgress -= 1
    demand += more
  }
}
