#if FANOUT_EXPLORER
  import Exploration
  import FanoutContract
  import Fanout
  import FanoutTestSupport
  import TestFixtures
  import Testing

  private typealias Target = CheckedSubscriber<NumberedError>

  @Suite(.serialized)
  struct LingeringScenarioTests {
    @Test func `L6 explored: the end of the grace against a join`() {
      explore("grace: time is up|subscribe") {
        let source = PassthroughSubject<Int, NumberedError>()
        let clock = TestScheduler()
        let shared = source.share(
          replay: .all, disconnect: .whenIdle(for: .seconds(1), scheduler: clock))
        let (first, second) = (Target(demand: .unlimited), Target(demand: .unlimited))
        first.subscribe(to: shared)
        source.send(1)
        first.cancel()
        return Scenario(threads: [
          { clock.advance(by: .seconds(1)) }, { second.subscribe(to: shared) },
        ]) {
          source.send(2)
          let known = [[1, 2], [2]]
          let isRight = known.contains(second.values)
          return second.problems([], ("the old connection or a new one", isRight))
        }
      }
    }

    @Test func `L6 explored: the end of the grace against an end of the upstream and a join`() {
      explore("grace: time is up|finish|subscribe") {
        let source = ExploredSource()
        let clock = TestScheduler()
        let shared = source.share(
          replay: .all, disconnect: .whenIdle(for: .seconds(1), scheduler: clock))
        let (first, second) = (Target(demand: .unlimited), Target(demand: .unlimited))
        first.subscribe(to: shared)
        source.send(1)
        first.cancel()
        return Scenario(threads: [
          { clock.advance(by: .seconds(1)) }, { source.end() }, { second.subscribe(to: shared) },
        ]) {
          let hasOld = second.values == [1]
          let isRight = second.values.isEmpty || hasOld
          return second.problems([], ("the old values or none", isRight))
        }
      }
    }

    @Test func `L6 explored: the end of an earlier grace against subscribers that come and go`() {
      explore("grace: time is up|subscribe;cancel") {
        let source = TestPublisher<Int, NumberedError>()
        let clock = TestScheduler()
        let shared = source.share(disconnect: .whenIdle(for: .seconds(1), scheduler: clock))
        let (first, second) = (Target(demand: .unlimited), Target(demand: .unlimited))
        first.subscribe(to: shared)
        first.cancel()
        return Scenario(threads: [
          { clock.advance(by: .seconds(1)) },
          {
            second.subscribe(to: shared)
            second.cancel()
          },
        ]) {
          let hasOneAction = clock.scheduledCount <= 1
          clock.advance(by: .seconds(1))
          let isClosed = source.cancelCount == source.subscriptionCount
          return second.problems(
            [], ("one action at most", hasOneAction), ("closed a second later", isClosed),
            ("nothing left", clock.scheduledCount == 0))
        }
      }
    }

    @Test func `L1 L6 explored: two first subscribers of which one leaves make one connection`() {
      explore("grace: subscribe|subscribe;cancel") {
        let source = TestPublisher<Int, NumberedError>()
        let shared = source.share(
          disconnect: .whenIdle(for: .seconds(1), scheduler: TestScheduler()))
        let (stays, leaves) = (Target(demand: .unlimited), Target(demand: .unlimited))
        return Scenario(threads: [
          { stays.subscribe(to: shared) },
          {
            leaves.subscribe(to: shared)
            leaves.cancel()
          },
        ]) {
          let isOne = source.subscriptionCount == 1 && source.cancelCount == 0
          source.send(1)
          return stays.problems([], ("one connection", isOne), ("a value", stays.values == [1]))
        }
      }
    }

    @Test func `L1 explored: a threshold is reached while others come and go`() {
      explore("threshold 2: subscribe|subscribe;cancel") {
        let source = TestPublisher<Int, NumberedError>()
        let multicast = source.multicast(replay: .all)
        let shared = multicast.autoconnect(subscribers: 2)
        let (waits, comes, leaves) = (Target(), Target(), Target())
        waits.subscribe(to: shared)
        return Scenario(threads: [
          { comes.subscribe(to: shared) },
          {
            leaves.subscribe(to: shared)
            leaves.cancel()
          },
        ]) {
          let isOne = source.subscriptionCount == 1 && source.cancelCount == 0
          source.send(1)
          defer { comes.leave() }
          return waits.problems(
            [], ("one connection", isOne),
            ("both have the value", waits.values == [1] && comes.values == [1]))
        }
      }
    }

    @Test func `L8 explored: an end against a join`() {
      explore("restart: send;finish|subscribe") {
        let source = TestPublisher<Int, NumberedError>()
        let shared = source.share(replay: .all, restart: .afterFinish)
        let (first, second) = (Target(demand: .unlimited), Target(demand: .unlimited))
        first.subscribe(to: shared)
        source.send(1)
        return Scenario(threads: [
          {
            source.send(2)
            source.send(completion: .finished)
          }, { second.subscribe(to: shared) },
        ]) {
          let isOld = second.completion == .finished && second.values == [1, 2]
          let isNew = second.completion == nil && second.values.isEmpty
          let isRight = first.values == [1, 2] && first.completion == .finished
          return second.problems(
            [], ("all of one connection", isOld || isNew), ("the first has all", isRight))
        }
      }
    }
  }
#endif
