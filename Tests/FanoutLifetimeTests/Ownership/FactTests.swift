import FanoutLifetime
import Testing

/// Each fact, driven: from the one event to the other, and no longer.
struct FactTests {
  @Test(arguments: Ownership.facts) func `O2, O3, O4: each fact begins when it says`(
    fact: Ownership.Fact
  ) {
    guard !InTransit.keys.contains(fact.key) else { return }
    let shown = Proof.beginnings(of: fact.key)
    #expect(shown.contains(fact.since), "seen to begin at \(shown.map(\.rawValue).sorted())")
  }

  @Test(arguments: Ownership.facts) func `O1 to O6: each fact holds, and ends when it says`(
    fact: Ownership.Fact
  ) {
    guard !InTransit.keys.contains(fact.key) else { return }
    var shown: Set<Ownership.Event> = []
    for scenario in Proof.scenarios(for: fact) {
      #expect(Proof.holds(fact, in: scenario), "\(scenario.name)")
      for event in fact.until {
        guard let ended = Proof.ends(fact, at: event, in: scenario) else { continue }
        #expect(ended, "at \(event), \(scenario.name)")
        shown.insert(event)
      }
    }
    #expect(shown == Set(fact.until), "not every end was shown")
  }

  @Test(arguments: Scenario.all) func `O1 to O6: what lives is what can be reached`(
    scenario: Scenario
  ) {
    let events = scenario.stage().allEnds()
    for event in events { #expect(Proof.surprises(after: event, in: scenario) == [], "\(event)") }
    #expect(Proof.remains(of: scenario) == [])
  }
}

extension Scenario {
  static let all =
    subjects + publishers + sharing + limits + elements + operators + selecting + queues + combining
    + timing + awaiting
    + callbacks + foundation
}

extension Stage {
  /// The ends there are when all steps are done.
  func allEnds() -> [Ownership.Event] {
    finishSteps()
    defer { for end in ends.values { end(self) } }
    return ends.keys.sorted { $0.rawValue < $1.rawValue }
  }
}

extension Ownership.Fact {
  var key: String { "\(owner).\(reference)" }
}
