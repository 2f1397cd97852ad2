// `@unchecked Sendable` invariant: only one thread uses a player and everything that it plays on.

internal import Fanout
internal import FanoutTestSupport

/// A player that runs a program on a stage, records each subscriber's events and performs the
/// program's reactions to them.
final class Player: @unchecked Sendable {
  private let program: DeliveryContract.Program
  private var stage: (any Stage)?
  private var valueCounts: [Int: Int] = [:]
  private var askCount = 0
  /// The events of each subscriber.
  private(set) var logs: [Int: [Event]] = [:]
  /// The subscribers called since the last look.
  var called: Set<Int> = []

  init(_ program: DeliveryContract.Program) { self.program = program }

  /// Sets the stage, before any step.
  func enter(_ stage: any Stage) { self.stage = stage }

  /// Releases the stage.
  func leave() { stage = nil }

  func perform(_ step: DeliveryContract.Step) {
    guard let stage else { return }
    switch step {
    case .send(let value): stage.send(value)
    case .finish: stage.end(failing: false)
    case .fail: stage.end(failing: true)
    case .subscribe(let name, let demand):
      if enrol(name) { stage.subscribe(name, demand, connecting: true) }
    case .attach(let name, let demand):
      if enrol(name) { stage.subscribe(name, demand, connecting: false) }
    case .request(let name, let demand): if logs[name] != nil { stage.request(name, demand) }
    case .cancel(let name): if logs[name] != nil { stage.cancel(name) }
    case .allow: break
    case .connect: stage.connect()
    case .disconnect: stage.disconnect()
    }
  }

  /// Records an event of a subscriber, and performs the program's reaction inside the call.
  ///
  /// Returns the additional demand.
  func react(_ subscriber: Int, to event: Event) -> Subscribers.Demand {
    logs[subscriber]?.append(event)
    called.insert(subscriber)
    let call: DeliveryContract.Moment.Call
    switch event {
    case .subscription: call = .subscription
    case .value:
      valueCounts[subscriber, default: 0] += 1
      call = .value(valueCounts[subscriber, default: 0])
    case .completion: call = .completion
    }
    var allowed = Subscribers.Demand.none
    for step in program.reactions[DeliveryContract.Moment(subscriber, call)] ?? [] {
      if case .allow(let demand) = step { allowed += demand }
      perform(step)
    }
    return allowed
  }

  /// Performs the program's reaction to a request of the upstream.
  func answer() {
    askCount += 1
    program.reactions[.upstreamAsked(askCount)]?.forEach(perform)
  }

  /// Whether a sink can stand in for this subscriber: the program neither reacts to its
  /// subscription nor cancels it from a reaction.
  func allowsSink(_ subscriber: Int) -> Bool {
    guard program.reactions[DeliveryContract.Moment(subscriber, .subscription)] == nil else {
      return false
    }
    return !program.reactions.values.contains { $0.contains(.cancel(subscriber)) }
  }

  /// Adds a subscriber, unless one of that name exists.
  private func enrol(_ name: Int) -> Bool {
    guard logs[name] == nil else { return false }
    logs[name] = []
    return true
  }
}
