internal import Fanout
internal import FanoutLifetime

/// A publisher under test, with its promise.
struct Trial<Value, Failure: Error> {
  let promise: DeliveryContract.Promise
  let form: ReferenceModel.Form
  /// Whether the values alive are exactly those that a subscriber can still receive.
  let holdsExactly: Bool
  let failure: Failure?
  let value: (Int) -> Value
  let number: (Value) -> Int
  /// The closure that wires the publisher; its argument runs at every request of an upstream.
  let makeWiring: (_ whenAsked: @escaping @Sendable () -> Void) -> Wiring<Value, Failure>
  /// Further objects that must be gone at the end of a program.
  var watched: () -> [(name: String, reference: WeakReference)] = { [] }
  /// The check of one program, as Swift.
  let call: Call

  /// Makes a trial of a subject.
  static func subject<S: Subject>(
    _ promise: DeliveryContract.Promise, _ failure: S.Failure?, holdsExactly: Bool = false,
    value: @escaping (Int) -> S.Output, number: @escaping (S.Output) -> Int,
    _ makeSubject: @escaping () -> S
  ) -> Trial where Value == S.Output, Failure == S.Failure {
    Trial(
      promise: promise, form: .subject, holdsExactly: holdsExactly, failure: failure, value: value,
      number: number, makeWiring: { _ in Wiring(subject: makeSubject()) },
      call: .of(promise, failure, S.self))
  }

  var vocabulary: DeliveryContract.Program.Vocabulary {
    DeliveryContract.Program.Vocabulary(connections: form != .subject, failures: failure != nil)
  }

  /// Returns the first difference between a program's required and actual results; nil if there is
  /// none.
  func difference(_ program: DeliveryContract.Program) -> Difference? {
    let (players, model, live) = stages(for: program)
    defer { for player in [players.model, players.live] { player.leave() } }
    for (index, step) in program.steps.enumerated() {
      players.model.perform(step)
      players.live.perform(step)
      guard let broken = broken(model, live, players) else { continue }
      _ = live.tearDown()
      return Difference(
        broken: broken, when: "in step \(index + 1), \(step)",
        expected: players.model.logs, actual: players.live.logs)
    }
    // The reactions of subscribers during the teardown are no longer part of the program.
    players.live.leave()
    let survivors = live.tearDown()
    guard let survivor = survivors.first else { return nil }
    return Difference(
      broken: Difference.Broken("\(survivor) is still alive", rules: "O2 O4 O6"),
      when: "when everything has been cancelled and released",
      expected: players.model.logs, actual: players.live.logs)
  }

  private func stages(for program: DeliveryContract.Program) -> (
    (model: Player, live: Player), ReferenceModel, LiveStage<Value, Failure>
  ) {
    let players = (model: Player(program), live: Player(program))
    let model = ReferenceModel(promise, form, players.model)
    let live = LiveStage(self, players.live)
    players.model.enter(model)
    players.live.enter(live)
    return (players, model, live)
  }

  /// Returns the breach of the contract that shows after a step, if any.
  private func broken(
    _ model: ReferenceModel, _ live: LiveStage<Value, Failure>,
    _ players: (model: Player, live: Player)
  ) -> Difference.Broken? {
    let called = players.model.called.union(players.live.called).sorted()
    (players.model.called, players.live.called) = ([], [])
    for name in called {
      if let violation = live.violations(of: name).first {
        return Difference.Broken(name, violation: violation)
      }
    }
    for name in called {
      let (expected, actual) = (players.model.logs[name] ?? [], players.live.logs[name] ?? [])
      if let broken = Difference.Broken(name, expected: expected, actual: actual) { return broken }
    }
    return Difference.Broken(heldByModel: model.heldSubscribers, held: live.heldSubscribers)
      ?? Difference.Broken(expected: model.upstreamCalls, actual: live.upstreamCalls)
      ?? brokenValues(model, live)
  }

  private func brokenValues(
    _ model: ReferenceModel, _ live: LiveStage<Value, Failure>
  ) -> Difference.Broken? {
    guard holdsExactly, Value.self is AnyObject.Type else { return nil }
    // Initial values were not sent, so the live stage does not watch them.
    return Difference.Broken(
      valuesOfModel: model.values.subtracting(promise.initial), values: live.aliveValues())
  }
}
