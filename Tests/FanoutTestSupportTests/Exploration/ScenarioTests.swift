#if FANOUT_EXPLORER
  import Fanout
  import FanoutTestSupport
  import Testing

  /// The kinds of sharing that the scenarios are played on, with what each promises a newcomer.
  enum SharedKind: String, CaseIterable, Sendable {
    case passthrough, currentValue, latest, all, last, sinceKeyframe

    typealias IntSubject = any Subject<Int, Never> & Sendable

    func make() -> IntSubject {
      switch self {
      case .passthrough: PassthroughSubject()
      case .currentValue: CurrentValueSubject(0)
      case .latest: ReplaySubject(.latest)
      case .all: ReplaySubject(.all)
      case .last: ReplaySubject(.last(2))
      case .sinceKeyframe: ReplaySubject(.sinceKeyframe { $0.isMultiple(of: 2) })
      }
    }

    var promise: DeliveryPromise {
      switch self {
      case .passthrough: DeliveryPromise(.drops) { _ in [] }
      case .currentValue:
        DeliveryPromise(.newest, isForgottenAtEnd: true) { [$0.last ?? 0] }
      case .latest: DeliveryPromise(.newest) { $0.suffix(1) }
      case .all: DeliveryPromise(.lossless) { $0 }
      case .last: DeliveryPromise(.lossless) { $0.suffix(2) }
      case .sinceKeyframe:
        DeliveryPromise(.lossless) { values in
          Array(values[(values.lastIndex { $0.isMultiple(of: 2) } ?? 0)...])
        }
      }
    }
  }

  /// One subject, its witness, and what the threads of a scenario do to it.
  struct Stage {
    let kind: SharedKind
    let subject: SharedKind.IntSubject
    let history: DeliveryHistory
    let witness: CheckedSubscriber<Never>
    let before: [Int]

    init(_ kind: SharedKind, before: [Int] = [], senders: [[Int]]) {
      self.kind = kind
      self.before = before
      subject = kind.make()
      history = DeliveryHistory(senders: senders)
      before.forEach(subject.send)
      witness = CheckedSubscriber("witness", in: history)
      witness.subscribe(to: subject.eraseToAnyPublisher())
    }

    func subscriber(
      _ name: String, demand: Subscribers.Demand = .unlimited
    ) -> CheckedSubscriber<Never> {
      CheckedSubscriber(name, in: history, demand: demand)
    }

    func sends(_ sender: Int) -> @Sendable () -> Void {
      { [history, subject] in history.sendAll(of: sender, subject.send) }
    }

    func subscribes(_ subscriber: CheckedSubscriber<Never>) -> @Sendable () -> Void {
      { [subject] in subscriber.subscribe(to: subject.eraseToAnyPublisher()) }
    }

    func finishes() -> @Sendable () -> Void {
      { [history, subject] in history.finish { subject.send(completion: .finished) } }
    }

    func scenario(
      _ subscribers: [CheckedSubscriber<Never>], threads: [@Sendable () -> Void]
    ) -> Scenario {
      Scenario(threads: threads) {
        let checker = DeliveryChecker(
          history, promise: kind.promise, before: before, witness: witness)
        let problems = checker.problems([witness] + subscribers)
        return problems.isEmpty ? nil : problems.joined(separator: "; ")
      }
    }
  }

  /// What several threads do at once, in every order that the explorer can make of it.
  @Suite(.serialized)
  struct ScenarioTests {
    private func explore(_ name: String, _ kind: SharedKind, _ make: () -> Scenario) {
      let exploration = Exploration.explore("\(name), \(kind)", make)
      print(exploration)
      if exploration.failure != nil { Issue.record("\(exploration)") }
    }

    @Test(arguments: SharedKind.allCases)
    func `D2 D6 explored: send and send against subscribe against subscribe`(kind: SharedKind) {
      explore("send;send|subscribe|subscribe", kind) {
        let stage = Stage(kind, before: [10], senders: [[1, 2]])
        let (one, two) = (stage.subscriber("one"), stage.subscriber("two"))
        return stage.scenario(
          [one, two], threads: [stage.sends(0), stage.subscribes(one), stage.subscribes(two)])
      }
    }

    @Test(arguments: SharedKind.allCases)
    func `D7 explored: send against cancel against cancel`(kind: SharedKind) {
      explore("send|cancel|cancel", kind) {
        let stage = Stage(kind, senders: [[1, 2]])
        let one = stage.subscriber("one")
        stage.subscribes(one)()
        return stage.scenario(
          [one], threads: [stage.sends(0), { one.cancel() }, { one.cancel() }])
      }
    }

    @Test(arguments: SharedKind.allCases)
    func `D9 D10 explored: completion against subscribe`(kind: SharedKind) {
      explore("complete|subscribe", kind) {
        let stage = Stage(kind, before: [10], senders: [[1]])
        let one = stage.subscriber("one")
        return stage.scenario(
          [one], threads: [stage.sends(0), stage.finishes(), stage.subscribes(one)])
      }
    }

    @Test(arguments: SharedKind.allCases)
    func `D8 D16 explored: request against send`(kind: SharedKind) {
      explore("request|send", kind) {
        let stage = Stage(kind, before: [10], senders: [[1, 2]])
        let one = stage.subscriber("one", demand: .none)
        stage.subscribes(one)()
        return stage.scenario(
          [one],
          threads: [
            stage.sends(0),
            {
              one.request(.max(1))
              one.request(.max(3))
            },
          ])
      }
    }

    @Test(arguments: [SharedKind.last, .sinceKeyframe])
    func `D6 O6 explored: join against eviction`(kind: SharedKind) {
      explore("join|evict", kind) {
        let stage = Stage(kind, before: [11, 13], senders: [[2, 3, 4]])
        let one = stage.subscriber("one", demand: .max(1))
        return stage.scenario(
          [one],
          threads: [
            stage.sends(0),
            {
              stage.subscribes(one)()
              one.request(.unlimited)
            },
          ])
      }
    }

    @Test(arguments: SharedKind.allCases)
    func `D2 D4 explored: two senders agree on one order`(kind: SharedKind) {
      explore("send|send", kind) {
        let stage = Stage(kind, senders: [[1, 2], [3, 4]])
        let one = stage.subscriber("one")
        stage.subscribes(one)()
        return stage.scenario([one], threads: [stage.sends(0), stage.sends(1)])
      }
    }
  }
#endif
