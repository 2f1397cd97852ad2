#if FANOUT_EXPLORER
  import Exploration
  import FanoutContract
  import FanoutTestSupport
  import TestFixtures
  import Testing

  /// Actions of several threads at once, in every order that the explorer can make.
  @Suite(.serialized)
  struct ScenarioTests {
    @Test(arguments: StandardScenario.allCases, SharedKind.allCases)
    func `D1 D2 D4 D6 D7 D8 D9 D10 D16 O6 explored: whatever threads do to a subject`(
      scenario: StandardScenario, kind: SharedKind
    ) {
      report(scenario.explore(kind.testDescription) { kind.stage(before: $0, senders: $1) })
    }

    /// A sink on a hub is another kind of receiver.
    ///
    /// Scenarios with two cancels at once are left out: the second call of one cancellable may return before the
    /// first has cancelled.
    @Test(
      arguments: [
        StandardScenario.sendsAgainstTwoSubscribes, .sendsAgainstCancel,
        .sendAndEndAgainstSubscribe, .twoSenders,
      ], SharedKind.allCases)
    func `D1 D2 D4 D6 D7 D9 D10 explored: whatever threads do to a subject with sinks`(
      scenario: StandardScenario, kind: SharedKind
    ) {
      report(
        scenario.explore("sinks, \(kind.testDescription)") {
          kind.stage(before: $0, senders: $1, attachesSinks: true)
        })
    }
  }

  extension [String] {
    /// The lines as one text; nil if there are none.
    var nonEmptyText: String? { isEmpty ? nil : joined(separator: "; ") }
  }
#endif
