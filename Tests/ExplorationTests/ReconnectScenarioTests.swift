#if FANOUT_EXPLORER
  import Exploration
  import FanoutContract
  import Fanout
  import FanoutTestSupport
  import TestFixtures
  import Testing

  private typealias Target = CheckedSubscriber<NumberedError>

  extension TestPublisher {
    /// The number of subscriptions that have not been cancelled; a cancel may come twice.
    fileprivate var liveCount: Int { subscriptions.count { !$0.isCancelled } }
  }

  @Suite(.serialized)
  struct ReconnectScenarioTests {
    @Test func `L9 explored: a new connection against the leave of the last one`() {
      explore("reconnect: reconnect|cancel") {
        let source = TestPublisher<Int, NumberedError>()
        let shared = source.share(replay: .all)
        let first = Target(demand: .unlimited)
        first.subscribe(to: shared)
        source.send(1)
        return Scenario(threads: [{ shared.reconnect() }, { first.cancel() }]) {
          let isClosed = source.liveCount == 0
          let second = Target(demand: .unlimited)
          second.subscribe(to: shared)
          source.send(2)
          return second.problems(
            [], ("each connection is closed", isClosed),
            ("nothing of an old one", second.values == [2]))
        }
      }
    }

    @Test func `L9 explored: a new connection against a newcomer`() {
      explore("reconnect: reconnect|subscribe") {
        let source = TestPublisher<Int, NumberedError>()
        let shared = source.share(replay: .all)
        let (first, second) = (Target(demand: .unlimited), Target(demand: .unlimited))
        first.subscribe(to: shared)
        source.send(1)
        return Scenario(threads: [{ shared.reconnect() }, { second.subscribe(to: shared) }]) {
          source.send(2)
          let isRight = [[1, 2], [2]].contains(second.values)
          let isOne = source.subscriptionCount == 2 && source.liveCount == 1
          let isKept = first.values == [1, 2]
          return second.problems(
            [], ("old and new, or new", isRight), ("two connections", isOne),
            ("the first one's values", isKept))
        }
      }
    }

    @Test func `L9 explored: two new connections at the same time`() {
      explore("reconnect: reconnect|reconnect") {
        let source = TestPublisher<Int, NumberedError>()
        let shared = source.share(replay: .all)
        let first = Target(demand: .unlimited)
        first.subscribe(to: shared)
        return Scenario(threads: [{ shared.reconnect() }, { shared.reconnect() }]) {
          let isOne = source.liveCount == 1
          source.send(1)
          return first.problems([], ("one is live", isOne), ("its value", first.values == [1]))
        }
      }
    }

    @Test func `B5 explored: sends against a request and a cancel of one who is told`() {
      explore("deliveries: send;send|request|cancel") {
        let source = PassthroughSubject<Int, NumberedError>()
        let shared = source.share(replay: .last(1))
        let told = TestSubscriber<Delivery<Int>, NumberedError>(initialDemand: .none)
        let keeping = Target(demand: .unlimited)
        keeping.subscribe(to: shared)
        source.send(0)
        shared.joining(backlog: .size(1, whenFull: .dropOldest)).deliveries().subscribe(told)
        return Scenario(threads: [
          {
            source.send(1)
            source.send(2)
          }, { told.request(.unlimited) }, { told.cancel() },
        ]) {
          var place = 0
          var isRight = true
          for delivery in told.values {
            switch delivery {
            case .caughtUp: isRight = isRight && place > 0
            case .missed(let count): place += count ?? 100
            case .replayed(let value), .live(let value):
              isRight = isRight && value == place
              place += 1
            }
          }
          return keeping.problems([], ("each in its place", isRight))
        }
      }
    }
  }
#endif
