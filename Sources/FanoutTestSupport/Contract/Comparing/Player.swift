// `@unchecked Sendable` invariant: a player and all that it plays on is used by one thread only.

internal import Fanout

/// Plays a program on a stage, notes what each subscriber gets, and does for it what the program
/// says that it does then.
final class Player: @unchecked Sendable {
  private let program: DeliveryContract.Program
  private var stage: (any Stage)?
  private var valueCounts: [Int: Int] = [:]
  private var askCount = 0
  /// What each subscriber got.
  private(set) var logs: [Int: [Event]] = [:]
  /// Who got anything since somebody looked.
  var called: Set<Int> = []

  init(_ program: DeliveryContract.Program) { self.program = program }

  /// Takes the stage, before anything else.
  func enter(_ stage: any Stage) { self.stage = stage }

  /// Lets go of the stage.
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

  /// Notes what a subscriber got, and does inside of the call what the program says.
  ///
  /// Returns how much more it allows.
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

  /// Does what the program says that the upstream does when it is asked.
  func answer() {
    askCount += 1
    program.reactions[.upstreamAsked(askCount)]?.forEach(perform)
  }

  /// Takes a subscriber in, unless there is one of that name.
  private func enrol(_ name: Int) -> Bool {
    guard logs[name] == nil else { return false }
    logs[name] = []
    return true
  }
}
