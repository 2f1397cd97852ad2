#if FANOUT_EXPLORER
  import Exploration
  import FanoutContract
  import Fanout
  import FanoutTestSupport
  import TestFixtures
  import Testing

  private typealias Target = CheckedSubscriber<NumberedError>

  /// Operators that combine two publishers, which two threads drive.
  @Suite(.serialized)
  struct CombiningScenarioTests {
    @Test func `Q1 D9 explored: zip pairs what two threads send, and ends with the shorter one`() {
      explore("zip: send;finish|send;send") {
        let (a, b, subscriber) = (ExploredSource(), ExploredSource(), Target())
        subscriber.subscribe(to: a.zip(b) { $0 * 100 + $1 })
        return Scenario(threads: [
          {
            a.send(1)
            a.end()
          },
          {
            b.send(2)
            b.send(3)
          },
        ]) {
          subscriber.problems(
            [a, b], ("finished", subscriber.completion == .finished),
            ("the pair", subscriber.values == [102]))
        }
      }
    }

    @Test func `Q1 explored: of zip one finishes, and the other fails behind its value`() {
      explore("zip: send;finish|send;fail") {
        let (a, b, subscriber) = (ExploredSource(), ExploredSource(), Target(demand: .max(1)))
        subscriber.subscribe(to: a.zip(b) { $0 * 100 + $1 })
        return Scenario(threads: [
          {
            a.send(1)
            a.end()
          },
          {
            b.send(2)
            b.fail(2)
          },
        ]) {
          let isPaired = subscriber.values == [102]
          let isFinished = subscriber.completion == .finished
          return subscriber.problems(
            [a, b], ("ended", isFinished || subscriber.hasFailed(2)),
            ("a pair, or a failure alone", isPaired || subscriber.values == [] && !isFinished))
        }
      }
    }

    @Test func `D4 explored: combineLatest comes to the newest of both`() {
      explore("combineLatest: send;send|send;send") {
        let (a, b, subscriber) = (ExploredSource(), ExploredSource(), Target())
        subscriber.subscribe(to: a.combineLatest(b) { $0 * 100 + $1 })
        return Scenario(threads: [
          { for value in 1...2 { a.send(value) } }, { for value in 1...2 { b.send(value) } },
        ]) {
          a.end()
          b.end()
          let values = subscriber.values
          return subscriber.problems(
            [a, b], ("finished", subscriber.completion == .finished),
            ("to the newest", values.last == 202), ("one a value", (2...3).contains(values.count)),
            ("forwards", zip(values, values.dropFirst()).allSatisfy { $0 < $1 || $0 == 102 }))
        }
      }
    }

    @Test func `D8 D9 explored: combineLatest keeps the newest against a request and the ends`() {
      explore("combineLatest: finish|send;finish|request") {
        let (a, b, subscriber) = (ExploredSource(), ExploredSource(), Target(demand: .none))
        subscriber.subscribe(to: a.combineLatest(b) { $0 * 100 + $1 })
        subscriber.request(.max(1))
        a.send(1)
        return Scenario(threads: [
          { a.end() },
          {
            b.send(2)
            b.end()
          }, { subscriber.request(.max(1)) },
        ]) {
          return subscriber.problems(
            [a, b], ("finished", subscriber.completion == .finished),
            ("the newest", subscriber.values == [102]))
        }
      }
    }

    @Test func `Q1 explored: of combineLatest one fails and one finishes`() {
      explore("combineLatest: fail|finish") {
        let (a, b, subscriber) = (ExploredSource(), ExploredSource(), Target())
        subscriber.subscribe(to: a.combineLatest(b) { $0 * 100 + $1 })
        return Scenario(threads: [{ a.fail() }, { b.end() }]) {
          subscriber.problems([a, b], ("failed", subscriber.hasFailed(1)))
        }
      }
    }

    @Test(arguments: [false, true])
    func `D7 explored: a cancel against the values of two`(isZip: Bool) {
      explore("\(isZip ? "zip" : "combineLatest"): send|send|cancel") {
        let (a, b, subscriber) = (ExploredSource(), ExploredSource(), Target())
        if isZip {
          subscriber.subscribe(to: a.zip(b) { $0 * 100 + $1 })
        } else {
          subscriber.subscribe(to: a.combineLatest(b) { $0 * 100 + $1 })
        }
        return Scenario(threads: [{ a.send(1) }, { b.send(2) }, { subscriber.cancel() }]) {
          subscriber.problems([a, b], ("one at most", [[], [102]].contains(subscriber.values)))
        }
      }
    }

    @Test func `D8 explored: withLatestFrom replaces what it leaves out`() {
      explore("withLatestFrom: send;send|send") {
        let (a, b, subscriber) = (ExploredSource(), ExploredSource(), Target(demand: .max(1)))
        subscriber.subscribe(to: a.withLatestFrom(b) { $0 * 100 + $1 })
        return Scenario(threads: [
          {
            a.send(1)
            a.send(2)
          }, { b.send(7) },
        ]) {
          a.send(3)
          a.end()
          return subscriber.problems(
            [a, b], ("finished", subscriber.completion == .finished),
            ("one value", [[107], [207], [307]].contains(subscriber.values)))
        }
      }
    }

    @Test func `D9 explored: prefix(untilOutputFrom:) ends at the trigger or at the failure`() {
      explore("prefix(untilOutputFrom:): send;send;fail|trigger") {
        let (a, stop, subscriber) = (ExploredSource(), ExploredSource(), Target())
        subscriber.subscribe(to: a.prefix(untilOutputFrom: stop))
        return Scenario(threads: [
          {
            a.send(1)
            a.send(2)
            a.fail()
          }, { stop.send(9) },
        ]) {
          let isWhole = subscriber.values == [1, 2]
          return subscriber.problems(
            [a, stop],
            ("ended", subscriber.completion == .finished || subscriber.hasFailed(1) && isWhole),
            ("the first", [[], [1], [1, 2]].contains(subscriber.values)))
        }
      }
    }

    @Test func `Q1 explored: drop(untilOutputFrom:) ignores a failure behind the trigger`() {
      explore("drop(untilOutputFrom:): send;send|trigger;fail") {
        let (a, start, subscriber) = (ExploredSource(), ExploredSource(), Target(demand: .max(2)))
        subscriber.subscribe(to: a.drop(untilOutputFrom: start))
        return Scenario(threads: [
          {
            a.send(1)
            a.send(2)
          },
          {
            start.send(9)
            start.fail()
          },
        ]) {
          a.send(3)
          a.send(4)
          a.end()
          return subscriber.problems(
            [a, start], ("finished", subscriber.completion == .finished),
            ("two in order", [[1, 2], [2, 3], [3, 4]].contains(subscriber.values)))
        }
      }
    }
  }
#endif
