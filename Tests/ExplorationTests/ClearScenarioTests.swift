#if FANOUT_EXPLORER
  import Exploration
  import FanoutContract
  import Fanout
  import FanoutTestSupport
  import TestFixtures
  import Testing

  private typealias Target = CheckedSubscriber<NumberedError>

  /// Replays that are cleared while others send and join.
  @Suite(.serialized)
  struct ClearScenarioTests {
    @Test func `L9 explored: a clear against a send and a join`() {
      explore("clear: clear|send 2|subscribe") {
        let source = ExploredSource()
        let shared = source.share(replay: .all)
        let (fast, slow, comes) = (Target(), Target(demand: .none), Target())
        fast.subscribe(to: shared)
        slow.subscribe(to: shared)
        source.send(1)
        nonisolated(unsafe) var isCleared = false
        nonisolated(unsafe) var joinsLate = false
        return Scenario(threads: [
          {
            shared.clearReplay()
            isCleared = true
          }, { source.send(2) },
          {
            joinsLate = isCleared
            comes.subscribe(to: shared)
          },
        ]) {
          source.send(3)
          slow.request(.unlimited)
          let known = joinsLate ? [[2, 3], [3]] : [[1, 2, 3], [2, 3], [3]]
          defer { [fast, slow].forEach { $0.leave() } }
          return comes.problems(
            [], ("a stretch up to now", known.contains(comes.values)),
            ("only newcomers notice", fast.values == [1, 2, 3] && slow.values == [1, 2, 3]))
        }
      }
    }

    @Test func `L9 B4 explored: a clear against the next keyframe and a join`() {
      explore("clear: clear|send 11;20|subscribe") {
        let source = ExploredSource()
        let shared = source.share(replay: .sinceKeyframe { $0 % 10 == 0 })
        let (fast, slow, comes) = (Target(), Target(demand: .none), Target())
        fast.subscribe(to: shared)
        slow.subscribe(to: shared)
        source.send(10)
        return Scenario(threads: [
          { shared.clearReplay() }, { [11, 20].forEach { source.send($0) } },
          { comes.subscribe(to: shared) },
        ]) {
          source.send(21)
          source.send(30)
          slow.request(.unlimited)
          let all = [10, 11, 20, 21, 30]
          let known = [all, [20, 21, 30], [30]]
          defer { [fast, slow].forEach { $0.leave() } }
          return comes.problems(
            [], ("a start at a keyframe", known.contains(comes.values)),
            ("only newcomers notice", fast.values == all && slow.values == all))
        }
      }
    }

    @Test func `L9 B1 B4 explored: a clear against sends to a laggard that rejoins`() {
      explore("clear: clear|send 2;3|request") {
        let (source, slow) = (ExploredSource(), Target(demand: .none))
        let shared = source.share(
          replay: .last(3), backlog: .size(1, whenFull: .rejoin))
        slow.subscribe(to: shared)
        source.send(1)
        let (isCleared, isLastBehind) = (Shared(false), Shared(false))
        return Scenario(threads: [
          {
            shared.clearReplay()
            isCleared.change { $0 = true }
          },
          {
            source.send(2)
            isLastBehind.change { $0 = isCleared.value }
            source.send(3)
          },
          { slow.request(.max(1)) },
        ]) {
          let account = shared.status.subscribers.map {
            $0.waiting + $0.missed + slow.values.count
          }
          slow.request(.unlimited)
          let values = slow.values
          // Which values it misses depends on the moment of the clear; none comes twice or too late.
          let isForward = zip(values, values.dropFirst()).allSatisfy { $0 < $1 }
          return slow.problems(
            [source], ("all accounted for", account == [3]), ("forwards", isForward),
            // Behind a clear of all that waits it continues behind everything.
            (
              "the newest, or none behind a clear",
              values.last == 3 || (values == [1] && !isLastBehind.value)
            ))
        }
      }
    }

    @Test func `L9 explored: a clear of a current replay against a send and a join`() {
      explore("clear: clear|send 2|subscribe, the latest") {
        let source = ExploredSource()
        let shared = source.share(replay: .latest)
        let (fast, slow, comes) = (Target(), Target(demand: .none), Target())
        fast.subscribe(to: shared)
        slow.subscribe(to: shared)
        source.send(1)
        return Scenario(threads: [
          { shared.clearReplay() }, { source.send(2) }, { comes.subscribe(to: shared) },
        ]) {
          slow.request(.max(1))
          let known = [[1, 2], [2], []]
          defer { [fast, slow].forEach { $0.leave() } }
          return comes.problems(
            [], ("the newest, or none", known.contains(comes.values)),
            ("only newcomers notice", fast.values == [1, 2] && slow.values == [2]))
        }
      }
    }
  }
#endif
