internal import Fanout
internal import FanoutLifetime

/// Something under test, and what is promised of it.
struct Trial<Value, Failure: Error> {
  let promise: DeliveryContract.Promise
  let form: ReferenceModel.Form
  /// Whether exactly the values are alive that somebody can still be given.
  let holdsExactly: Bool
  let failure: Failure?
  let value: (Int) -> Value
  let number: (Value) -> Int
  /// Wires it up, with what is done whenever an upstream is asked.
  let makeWiring: (_ whenAsked: @escaping @Sendable () -> Void) -> Wiring<Value, Failure>
  /// What else must be gone at the end of a program.
  var watched: () -> [(name: String, reference: WeakReference)] = { [] }
  /// The check of one program, as Swift.
  let call: Call

  var vocabulary: DeliveryContract.Program.Vocabulary {
    DeliveryContract.Program.Vocabulary(connections: form != .subject, failures: failure != nil)
  }

  /// The first difference between what a program must do and what it does; nil if there is none.
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
    // What a subscriber does on the way out is no part of the program any more.
    players.live.leave()
    let survivors = live.tearDown()
    guard let survivor = survivors.first else { return nil }
    return Difference(
      broken: Difference.Broken("\(survivor) is still alive", rules: "O2 O4 O6"),
      when: "when everything has been cancelled and let go of",
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

  /// What is different after a step.
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
    // Those it began with were not sent, so nobody looks whether they are alive.
    return Difference.Broken(
      valuesOfModel: model.values.subtracting(promise.initial), values: live.aliveValues())
  }
}
