// `@unchecked Sendable` invariant: of the explored threads one runs at a time.

#if FANOUT_EXPLORER
  import Exploration
  import FanoutContract
  import Fanout
  import FanoutTestSupport
  import TestFixtures
  import Testing

  private typealias Target = CheckedSubscriber<NumberedError>

  /// The publishers that are made of values: the one of that number.
  private final class Made: @unchecked Sendable {
    let inner = [ExploredSource(), ExploredSource()]
    let outer = ExploredSource()
    let subscriber: Target

    /// Subscribes, and brings in as many publishers.
    init(demand: Subscribers.Demand = .unlimited, maxPublishers: Int = 3, bringing count: Int) {
      subscriber = Target(demand: demand)
      let inner = inner
      let flat = outer.flatMap(maxPublishers: .max(maxPublishers)) { inner[$0] }
      subscriber.subscribe(to: flat)
      for number in 0..<count { outer.send(number) }
    }

    func problems(_ expected: (what: String, isTrue: Bool)) -> String? {
      subscriber.problems(inner + [outer], expected)
    }
  }

  @Suite(.serialized)
  struct MergeScenarioTests {
    @Test func `Q1 explored: of two that are merged one fails and one finishes`() {
      explore("merge: fail|finish") {
        let (one, two, subscriber) = (ExploredSource(), ExploredSource(), Target())
        subscriber.subscribe(to: one.merge(with: two))
        return Scenario(threads: [{ one.fail() }, { two.end() }]) {
          subscriber.problems([one, two], ("failed", subscriber.hasFailed(1)))
        }
      }
    }

    @Test func `Q1 explored: the first of two fails while the second is subscribed to`() {
      explore("merge: subscribe|fail") {
        let (one, two, subscriber) = (
          ExploredSource(), ExploredSource(endsAtOnce: true), Target()
        )
        return Scenario(threads: [
          { subscriber.subscribe(to: one.merge(with: two)) }, { one.fail() },
        ]) {
          one.fail()
          return subscriber.problems([one, two], ("failed", subscriber.hasFailed(1)))
        }
      }
    }

    @Test func `Q1 explored: of three that are merged two fail and one finishes`() {
      explore("merge: fail|fail|finish") {
        let sources = [ExploredSource(), ExploredSource(), ExploredSource()]
        let subscriber = Target()
        subscriber.subscribe(to: Publishers.MergeMany(sources))
        return Scenario(threads: [
          { sources[0].fail(1) }, { sources[1].fail(2) }, { sources[2].end() },
        ]) {
          subscriber.problems(sources, ("failed", subscriber.hasFailed(1, 2)))
        }
      }
    }

    @Test(arguments: [false, true])
    func `Q1 D7 explored: ends against a cancel of what is merged`(fails: Bool) {
      explore("merge: \(fails ? "fail" : "finish")|finish|cancel") {
        let (one, two, subscriber) = (ExploredSource(), ExploredSource(), Target())
        subscriber.subscribe(to: one.merge(with: two))
        return Scenario(threads: [
          { fails ? one.fail() : one.end() }, { two.end() }, { subscriber.cancel() },
        ]) {
          let isRight = fails ? subscriber.hasFailed(1) : subscriber.completion == .finished
          return subscriber.problems(
            [one, two], ("ended or cancelled", isRight || subscriber.completion == nil))
        }
      }
    }

    @Test func `Q2 D8 explored: a failure comes behind what waits`() {
      explore("merge: send;fail|send;finish|request") {
        let (one, two) = (ExploredSource(), ExploredSource())
        let subscriber = Target(demand: .none)
        subscriber.subscribe(to: one.merge(with: two))
        return Scenario(threads: [
          {
            one.send(1)
            one.fail()
          },
          {
            two.send(2)
            two.end()
          }, { subscriber.request(.max(1)) },
        ]) {
          let early = subscriber.values
          subscriber.request(.unlimited)
          let values = subscriber.values
          return subscriber.problems(
            [one, two], ("failed", subscriber.hasFailed(1)), ("one at first", early.count == 1),
            ("with what was accepted", values.contains(1) && Set(values).isSubset(of: [1, 2])))
        }
      }
    }

    @Test func `Q3 D8 explored: values of two against requests`() {
      explore("merge: send;send|send;finish|request;request") {
        let (one, two) = (ExploredSource(), ExploredSource())
        let subscriber = Target(demand: .none)
        subscriber.subscribe(to: one.merge(with: two))
        return Scenario(threads: [
          {
            one.send(1)
            one.send(11)
          },
          {
            two.send(2)
            two.end()
          },
          {
            subscriber.request(.max(1))
            subscriber.request(.max(1))
          },
        ]) {
          one.send(12)
          one.end()
          subscriber.request(.unlimited)
          let first = subscriber.values.filter { $0 != 2 }
          return subscriber.problems(
            [one, two], ("finished", subscriber.completion == .finished),
            ("with every value", subscriber.values.contains(2)),
            ("in order", [[1, 11], [1, 12], [1, 11, 12]].contains(first)))
        }
      }
    }

    @Test func `Q1 explored: flatMap's upstream finishes and a publisher fails`() {
      explore("flatMap: finish|fail inside") {
        let made = Made(bringing: 1)
        return Scenario(threads: [{ made.outer.end() }, { made.inner[0].fail(2) }]) {
          made.problems(("failed", made.subscriber.hasFailed(2)))
        }
      }
    }

    @Test func `Q1 explored: flatMap's upstream fails and a publisher finishes`() {
      explore("flatMap: fail|finish inside") {
        let made = Made(bringing: 1)
        return Scenario(threads: [{ made.outer.fail() }, { made.inner[0].end() }]) {
          made.problems(("failed", made.subscriber.hasFailed(1)))
        }
      }
    }

    @Test func `Q1 explored: flatMap's upstream fails, a publisher fails, another finishes`() {
      explore("flatMap: fail|fail inside|finish inside") {
        let made = Made(bringing: 2)
        return Scenario(threads: [
          { made.outer.fail() }, { made.inner[0].fail(2) }, { made.inner[1].end() },
        ]) {
          made.problems(("failed", made.subscriber.hasFailed(1, 2)))
        }
      }
    }

    @Test func `Q1 D7 explored: flatMap's upstream and a publisher finish against a cancel`() {
      explore("flatMap: finish|finish inside|cancel") {
        let made = Made(bringing: 1)
        return Scenario(threads: [
          { made.outer.end() }, { made.inner[0].end() }, { made.subscriber.cancel() },
        ]) {
          made.problems(
            ("finished or cancelled", made.subscriber.completion.map { $0 == .finished } ?? true))
        }
      }
    }

    @Test func `Q1 explored: flatMap's upstream brings a publisher and finishes, one fails`() {
      explore("flatMap: send;finish|fail inside") {
        let made = Made(bringing: 1)
        return Scenario(threads: [
          {
            made.outer.send(1)
            made.outer.end()
          }, { made.inner[0].fail(2) },
        ]) {
          made.problems(("failed", made.subscriber.hasFailed(2)))
        }
      }
    }

    @Test func `Q3 explored: flatMap asks for another publisher as one finishes`() {
      explore("flatMap: send;finish|finish inside, one at a time") {
        let made = Made(maxPublishers: 1, bringing: 1)
        return Scenario(threads: [
          {
            made.outer.send(1)
            made.outer.end()
          }, { made.inner[0].end() },
        ]) {
          let isBrought = made.inner[1].subscriptions == 1
          let early = made.subscriber.completion
          made.inner[1].end()
          return made.problems(
            (
              "finished with the last",
              (early == nil) == isBrought && made.subscriber.completion == .finished
            ))
        }
      }
    }

    @Test func `D8 explored: a publisher comes to flatMap as everything is asked for`() {
      explore("flatMap: send|request everything") {
        let made = Made(demand: .none, bringing: 0)
        return Scenario(threads: [
          { made.outer.send(0) }, { made.subscriber.request(.unlimited) },
        ]) {
          for value in 1...3 { made.inner[0].send(value) }
          return made.problems(("everything", made.subscriber.values == [1, 2, 3]))
        }
      }
    }

    @Test func `Q2 D8 explored: flatMap's end comes behind what waits`() {
      explore("flatMap: finish|send;finish inside|request") {
        let made = Made(demand: .none, bringing: 1)
        return Scenario(threads: [
          { made.outer.end() },
          {
            made.inner[0].send(1)
            made.inner[0].end()
          }, { made.subscriber.request(.max(1)) },
        ]) {
          made.problems(
            (
              "one value and the end",
              made.subscriber.values == [1] && made.subscriber.completion == .finished
            ))
        }
      }
    }
  }
#endif
