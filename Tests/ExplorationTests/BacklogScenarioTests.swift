#if FANOUT_EXPLORER
  import Exploration
  import FanoutContract
  import Fanout
  import FanoutTestSupport
  import TestFixtures
  import Testing

  private typealias Target = CheckedSubscriber<NumberedError>

  @Suite(.serialized)
  struct BacklogScenarioTests {
    /// Tens are keyframes.
    private func rejoining(_ source: ExploredSource) -> some Publisher<Int, NumberedError> {
      source.share(replay: .sinceKeyframe { $0 % 10 == 0 }, backlog: .size(1, whenFull: .rejoin))
    }

    @Test func `B4 explored: a rejoin against sends and requests`() {
      explore("rejoin: send 10;11;20;21|request;request") {
        let (source, subscriber) = (ExploredSource(), Target(demand: .none))
        subscriber.subscribe(to: rejoining(source))
        return Scenario(threads: [
          { [10, 11, 20, 21].forEach { source.send($0) } },
          {
            subscriber.request(.max(1))
            subscriber.request(.max(1))
          },
        ]) {
          subscriber.request(.unlimited)
          let known = [[10, 11, 20, 21], [10, 20, 21], [20, 21]]
          return subscriber.problems(
            [source], ("runs that begin at a keyframe", known.contains(subscriber.values)))
        }
      }
    }

    @Test func `B4 D7 explored: a rejoin against a cancel and another subscriber`() {
      explore("rejoin: send 10;20;21|cancel|request") {
        let source = ExploredSource()
        let (slow, other) = (Target(demand: .none), Target(demand: .none))
        let shared = rejoining(source)
        slow.subscribe(to: shared)
        other.subscribe(to: shared)
        return Scenario(threads: [
          { [10, 20, 21].forEach { source.send($0) } }, { slow.cancel() },
          { other.request(.max(1)) },
        ]) {
          other.request(.unlimited)
          let known = [[10, 20, 21], [20, 21]]
          return other.problems(
            [source], ("the other one is not disturbed", known.contains(other.values)),
            ("nothing without a request", slow.values.isEmpty))
        }
      }
    }

    @Test func `B6 explored: the gate against a cancel of the slowest`() {
      explore("wait: request|cancel") {
        let (fast, slow) = (Target(demand: .none), Target(demand: .none))
        let shared = (1...4).publisher.setFailureType(to: NumberedError.self)
          .multicast(replay: .none, backlog: .size(1, whenFull: .wait))
        fast.subscribe(to: shared)
        slow.subscribe(to: shared)
        let claim = shared.connect()
        return Scenario(threads: [{ fast.request(.unlimited) }, { slow.cancel() }]) {
          defer { claim.cancel() }
          return fast.problems(
            [], ("all, and the end", fast.values == [1, 2, 3, 4] && fast.completion == .finished))
        }
      }
    }

    @Test func `B6 D8 explored: the gate loses no request`() {
      explore("wait: request;request|request;request") {
        let (one, two) = (Target(demand: .none), Target(demand: .none))
        let shared = (1...2).publisher.setFailureType(to: NumberedError.self)
          .multicast(replay: .none, backlog: .size(1, whenFull: .wait))
        one.subscribe(to: shared)
        two.subscribe(to: shared)
        let claim = shared.connect()
        let ask: @Sendable (Target) -> Void = { target in
          for _ in 1...2 { target.request(.max(1)) }
        }
        return Scenario(threads: [{ ask(one) }, { ask(two) }]) {
          defer { claim.cancel() }
          return one.problems(
            [], ("both get both, and the end", one.values == [1, 2] && two.values == [1, 2]),
            ("both ended", one.completion == .finished && two.completion == .finished))
        }
      }
    }
  }
#endif
