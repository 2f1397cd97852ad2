#if FANOUT_EXPLORER
  import Exploration
  import FanoutContract
  import Fanout
  import FanoutTestSupport
  import TestFixtures
  import Testing

  private typealias Target = CheckedSubscriber<NumberedError>
  private typealias Told = TestSubscriber<Delivery<Int>, NumberedError>

  /// Tens are keyframes.
  private func isKeyframe(_ value: Int) -> Bool { value % 10 == 0 }

  /// Subscribers that fall behind, or come, where more values follow a keyframe than newcomers get.
  @Suite(.serialized)
  struct KeyframeLimitScenarioTests {
    private func limited(_ source: ExploredSource, _ limit: Int, fromBeginning: Bool = true)
      -> Publishers.Share<ExploredSource>
    {
      source.share(
        replay: .sinceKeyframe(
          limit: .count(limit), fromBeginning: fromBeginning, where: isKeyframe),
        backlog: .size(1, whenFull: .rejoin))
    }

    /// Whether every value that is no keyframe follows its predecessor.
    private func startsAtKeyframes(_ values: [Int]) -> Bool {
      zip([nil] + values, values).allSatisfy { isKeyframe($1) || $0 == $1 - 1 }
    }

    @Test func `B1 B4 explored: a rejoin over the limit against requests`() {
      explore("limit: send 10;11;12;13;20;21|request;request") {
        let (source, subscriber) = (ExploredSource(), Target(demand: .none))
        let shared = limited(source, 2)
        subscriber.subscribe(to: shared)
        return Scenario(threads: [
          { [10, 11, 12, 13, 20, 21].forEach { source.send($0) } },
          {
            subscriber.request(.max(1))
            subscriber.request(.max(1))
          },
        ]) {
          let before = shared.status.subscribers.map {
            $0.waiting + $0.missed + subscriber.values.count
          }
          subscriber.request(.unlimited)
          let after = shared.status.subscribers.map { $0.missed + subscriber.values.count }
          return subscriber.problems(
            [source], ("all accounted for", before == [6] && after == [6]),
            ("runs that begin at a keyframe", startsAtKeyframes(subscriber.values)),
            ("the last keyframe's values", subscriber.values.suffix(2) == [20, 21]))
        }
      }
    }

    @Test func `B4 B5 D7 explored: a rejoin over the limit against a request and a cancel`() {
      explore("limit: send 11;12;20|request|cancel") {
        let (source, keeping) = (ExploredSource(), Target(demand: .unlimited))
        let told = Told(initialDemand: .none)
        let shared = limited(source, 2)
        keeping.subscribe(to: shared)
        source.send(10)
        shared.deliveries().subscribe(told)
        return Scenario(threads: [
          { [11, 12, 20].forEach { source.send($0) } }, { told.request(.unlimited) },
          { told.cancel() },
        ]) {
          let walk = DeliveryWalk(told.values, in: [10, 11, 12, 20], startingAt: isKeyframe)
          return keeping.problems(
            [], ("each in its place: \(told.values)", walk.isRight),
            ("the other one's values", keeping.values == [10, 11, 12, 20]),
            ("no account of who has left", shared.status.subscribers.count == 1))
        }
      }
    }

    @Test func `B1 B4 B5 explored: a newcomer that rejoins against sends over the limit`() {
      explore("limit: send 11;12;13;20;21|subscribe;request") {
        let (source, keeping) = (ExploredSource(), Target(demand: .unlimited))
        let told = Told(initialDemand: .none)
        let shared = limited(source, 2)
        keeping.subscribe(to: shared)
        source.send(10)
        return Scenario(threads: [
          { [11, 12, 13, 20, 21].forEach { source.send($0) } },
          {
            shared.deliveries().subscribe(told)
            told.request(.max(2))
          },
        ]) {
          told.request(.unlimited)
          let walk = DeliveryWalk(
            told.values, in: [10, 11, 12, 13, 20, 21], startingAt: isKeyframe)
          let missed = shared.status.subscribers.last?.missed
          return keeping.problems(
            [], ("each in its place: \(told.values)", walk.isRight && walk.place == 6),
            ("what is missed is told", missed == walk.missed))
        }
      }
    }

    @Test func `B1 B4 explored: laggards of whom one leaves, before and behind the first keyframe`()
    {
      explore("limit: send 5;10;11;20|cancel|request") {
        let source = ExploredSource()
        let (slow, other) = (Target(demand: .none), Target(demand: .none))
        let shared = limited(source, 1, fromBeginning: false)
        slow.subscribe(to: shared)
        other.subscribe(to: shared)
        return Scenario(threads: [
          { [5, 10, 11, 20].forEach { source.send($0) } }, { slow.cancel() },
          { other.request(.max(1)) },
        ]) {
          let account = shared.status.subscribers.map {
            $0.waiting + $0.missed + other.values.count
          }
          other.request(.unlimited)
          return other.problems(
            [source], ("all accounted for", account == [4]),
            ("a start", [[10, 20], [20]].contains(other.values)),
            ("nothing without a request", slow.values.isEmpty))
        }
      }
    }
  }
#endif
