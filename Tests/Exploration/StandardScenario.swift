#if FANOUT_EXPLORER
  internal import Fanout
  package import FanoutContract

  /// The scenarios of a few threads on one subject that show most of its possible faults.
  package enum StandardScenario: String, CaseIterable, Sendable {
    case sendsAgainstTwoSubscribes = "send;send|subscribe|subscribe"
    case sendsAgainstCancel = "send;send|cancel"
    case sendsAgainstTwoCancels = "send;send|cancel|cancel"
    case sendAndEndAgainstSubscribe = "send|complete|subscribe"
    case sendsAgainstRequests = "send;send|request;request"
    case evictionAgainstJoin = "send;send;send|subscribe;request"
    case twoSenders = "send;send|send;send"

    package typealias MakeStage = (_ before: [Int], _ senders: [[Int]]) -> SharedStage

    package var rules: String {
      switch self {
      case .sendsAgainstTwoSubscribes: "D2 D6"
      case .sendsAgainstCancel, .sendsAgainstTwoCancels: "D7"
      case .sendAndEndAgainstSubscribe: "D9 D10"
      case .sendsAgainstRequests: "D8 D16"
      case .evictionAgainstJoin: "D6 O6"
      case .twoSenders: "D2 D4"
      }
    }

    /// Explores the scenario.
    package func explore(_ name: String, on make: MakeStage) -> Exploration {
      Exploration.explore("\(rawValue), \(name)") {
        let (stage, others, threads) = cast(make)
        return Scenario(threads: threads) {
          let problems = stage.problems(others)
          return problems.isEmpty ? nil : problems.joined(separator: "; ")
        }
      }
    }

    private typealias Cast = (
      stage: SharedStage, others: [CheckedSubscriber<Never>], threads: [@Sendable () -> Void]
    )

    // 6 and 12 are keyframes, and even.
    private func cast(_ make: MakeStage) -> Cast {
      switch self {
      case .sendsAgainstTwoSubscribes:
        let stage = make([6], [[1, 12]])
        let (one, two) = (stage.subscriber("one"), stage.subscriber("two"))
        return (
          stage, [one, two], [stage.sends(0), stage.subscribes(one), stage.subscribes(two)]
        )
      case .sendsAgainstCancel:
        let stage = make([], [[1, 2]])
        let one = stage.subscriber("one")
        stage.subscribes(one)()
        return (stage, [one], [stage.sends(0), { one.cancel() }])
      case .sendsAgainstTwoCancels:
        let stage = make([], [[1, 12]])
        let one = stage.subscriber("one")
        stage.subscribes(one)()
        return (stage, [one], [stage.sends(0), { one.cancel() }, { one.cancel() }])
      case .sendAndEndAgainstSubscribe:
        let stage = make([6], [[1]])
        let one = stage.subscriber("one")
        return (stage, [one], [stage.sends(0), stage.finishes(), stage.subscribes(one)])
      case .sendsAgainstRequests:
        let stage = make([6], [[1, 12]])
        let one = stage.subscriber("one", demand: .none)
        stage.subscribes(one)()
        let requests: @Sendable () -> Void = {
          one.request(.max(1))
          one.request(.max(3))
        }
        return (stage, [one], [stage.sends(0), requests])
      case .evictionAgainstJoin:
        let stage = make([11, 13], [[2, 3, 4]])
        let one = stage.subscriber("one", demand: .max(1))
        let joins: @Sendable () -> Void = {
          stage.subscribes(one)()
          one.request(.unlimited)
        }
        return (stage, [one], [stage.sends(0), joins])
      case .twoSenders:
        let stage = make([], [[1, 2], [3, 4]])
        let one = stage.subscriber("one")
        stage.subscribes(one)()
        return (stage, [one], [stage.sends(0), stage.sends(1)])
      }
    }
  }
#endif
