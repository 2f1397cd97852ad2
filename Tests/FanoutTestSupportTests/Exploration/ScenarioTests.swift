#if FANOUT_EXPLORER
  import Fanout
  import FanoutTestSupport
  import Testing

  /// What several threads do at once, in every order that the explorer can make of it.
  @Suite(.serialized)
  struct ScenarioTests {
    private func explore(
      _ name: String, _ kind: SharedKind,
      _ make: () -> (
        stage: SharedStage, others: [CheckedSubscriber<Never>], threads: [@Sendable () -> Void]
      )
    ) {
      let exploration = Exploration.explore("\(name), \(kind)") {
        let (stage, others, threads) = make()
        return Scenario(threads: threads) { stage.problems(others).nonEmptyText }
      }
      print(exploration)
      if exploration.failure != nil { Issue.record("\(exploration)") }
    }

    @Test(arguments: SharedKind.allCases)
    func `D2 D6 explored: send and send against subscribe against subscribe`(kind: SharedKind) {
      explore("send;send|subscribe|subscribe", kind) {
        let stage = kind.stage(before: [10], senders: [[1, 2]])
        let (one, two) = (stage.subscriber("one"), stage.subscriber("two"))
        return (stage, [one, two], [stage.sends(0), stage.subscribes(one), stage.subscribes(two)])
      }
    }

    @Test(arguments: SharedKind.allCases)
    func `D7 explored: send against cancel against cancel`(kind: SharedKind) {
      explore("send|cancel|cancel", kind) {
        let stage = kind.stage(senders: [[1, 2]])
        let one = stage.subscriber("one")
        stage.subscribes(one)()
        return (stage, [one], [stage.sends(0), { one.cancel() }, { one.cancel() }])
      }
    }

    @Test(arguments: SharedKind.allCases)
    func `D9 D10 explored: completion against subscribe`(kind: SharedKind) {
      explore("complete|subscribe", kind) {
        let stage = kind.stage(before: [10], senders: [[1]])
        let one = stage.subscriber("one")
        return (stage, [one], [stage.sends(0), stage.finishes(), stage.subscribes(one)])
      }
    }

    @Test(arguments: SharedKind.allCases)
    func `D8 D16 explored: request against send`(kind: SharedKind) {
      explore("request|send", kind) {
        let stage = kind.stage(before: [10], senders: [[1, 2]])
        let one = stage.subscriber("one", demand: .none)
        stage.subscribes(one)()
        return (
          stage, [one],
          [
            stage.sends(0),
            {
              one.request(.max(1))
              one.request(.max(3))
            },
          ]
        )
      }
    }

    @Test(arguments: [SharedKind.last, .sinceKeyframe])
    func `D6 O6 explored: join against eviction`(kind: SharedKind) {
      explore("join|evict", kind) {
        let stage = kind.stage(before: [11, 13], senders: [[2, 3, 4]])
        let one = stage.subscriber("one", demand: .max(1))
        return (
          stage, [one],
          [
            stage.sends(0),
            {
              stage.subscribes(one)()
              one.request(.unlimited)
            },
          ]
        )
      }
    }

    @Test(arguments: SharedKind.allCases)
    func `D2 D4 explored: two senders agree on one order`(kind: SharedKind) {
      explore("send|send", kind) {
        let stage = kind.stage(senders: [[1, 2], [3, 4]])
        let one = stage.subscriber("one")
        stage.subscribes(one)()
        return (stage, [one], [stage.sends(0), stage.sends(1)])
      }
    }
  }

  extension [String] {
    /// The lines as one text; nil if there are none.
    var nonEmptyText: String? { isEmpty ? nil : joined(separator: "; ") }
  }
#endif
