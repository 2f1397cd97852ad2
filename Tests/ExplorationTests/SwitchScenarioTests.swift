// `@unchecked Sendable` invariant: of the explored threads one runs at a time.

#if FANOUT_EXPLORER
  import Exploration
  import FanoutContract
  import Fanout
  import FanoutEngine
  import FanoutTestSupport
  import TestFixtures
  import Testing

  private typealias Target = CheckedSubscriber<NumberedError>

  /// A publisher of publishers: the first is brought in, the second waits.
  private final class Switching: @unchecked Sendable {
    let outer = ExploredSource()
    let old = ExploredSource()
    let new = ExploredSource()
    let subscriber: Target

    init(demand: Subscribers.Demand = .unlimited) {
      subscriber = Target(demand: demand)
      // An end that is on its way may be interrupted before the operator learns of it.
      let inner = [old, new].map { source in
        source.handleEvents(receiveCompletion: { _ in SchedulePoint.reach() })
      }
      subscriber.subscribe(to: outer.flatMapLatest { inner[$0] })
      outer.send(0)
    }

    func problems(_ expected: (what: String, isTrue: Bool)...) -> String? {
      for case (let what, false) in expected {
        _ = subscriber.problems([outer, old, new])
        let end = subscriber.completion.map { "\($0)" } ?? "no end"
        return "not \(what): got \(subscriber.values), \(end)"
      }
      return subscriber.problems([outer, old, new])
    }
  }

  /// The change from one publisher to the next, against everything that the one before can do.
  @Suite(.serialized)
  struct SwitchScenarioTests {
    @Test func `D4 explored: a new publisher against the values of the old one`() {
      explore("switchToLatest: send;send|switch;send") {
        let made = Switching()
        return Scenario(threads: [
          {
            made.old.send(1)
            made.old.send(2)
          },
          {
            made.outer.send(1)
            made.new.send(11)
          },
        ]) {
          made.new.send(12)
          made.outer.end()
          made.new.end()
          let values = made.subscriber.values
          return made.problems(
            ("finished", made.subscriber.completion == .finished),
            (
              "the old and then the new",
              [[11, 12], [1, 11, 12], [1, 2, 11, 12]].contains(values)
            ))
        }
      }
    }

    @Test func `Q1 explored: a failure of the old one does not come behind the new one's values`() {
      explore("switchToLatest: fail|switch;send") {
        let made = Switching()
        return Scenario(threads: [
          { made.old.fail() },
          {
            made.outer.send(1)
            made.new.send(11)
          },
        ]) {
          made.outer.end()
          made.new.end()
          let isFinished = made.subscriber.completion == .finished
          return made.problems(
            ("ended", isFinished || made.subscriber.hasFailed(1)),
            ("a failure alone, or a value", made.subscriber.values == (isFinished ? [11] : [])))
        }
      }
    }

    @Test func `D8 explored: the new one is asked for exactly what is left`() {
      explore("switchToLatest: send|switch|request") {
        let made = Switching(demand: .max(2))
        return Scenario(threads: [
          { made.old.send(1) }, { made.outer.send(1) }, { made.subscriber.request(.max(1)) },
        ]) {
          var sent = 0
          while sent < 9, made.new.send(11 + sent) { sent += 1 }
          return made.problems(("three values", made.subscriber.values.count == 3))
        }
      }
    }

    @Test func `Q1 explored: both finish`() {
      explore("switchToLatest: finish|finish outside") {
        let made = Switching()
        return Scenario(threads: [{ made.old.end() }, { made.outer.end() }]) {
          made.problems(("finished", made.subscriber.completion == .finished))
        }
      }
    }

    @Test func `D7 explored: a cancel against a new publisher and a value`() {
      explore("switchToLatest: switch;send|send|cancel") {
        let made = Switching()
        return Scenario(threads: [
          {
            made.outer.send(1)
            made.new.send(11)
          }, { made.old.send(1) }, { made.subscriber.cancel() },
        ]) { made.problems() }
      }
    }

    @Test func `D8 explored: append asks the second for exactly what is left`() {
      explore("append: send;finish|request") {
        let (a, b, subscriber) = (ExploredSource(), ExploredSource(), Target(demand: .max(2)))
        subscriber.subscribe(to: a.append(b))
        return Scenario(threads: [
          {
            a.send(1)
            a.end()
          }, { subscriber.request(.max(2)) },
        ]) {
          var sent = 0
          while sent < 9, b.send(11 + sent) { sent += 1 }
          b.end()
          return subscriber.problems(
            [a, b], ("finished", subscriber.completion == .finished),
            ("four values", subscriber.values == [1, 11, 12, 13]))
        }
      }
    }

    @Test func `D8 D7 explored: retry against a request and a cancel`() {
      explore("retry: send;fail;send;fail|request|cancel") {
        let (a, subscriber) = (ExploredSource(), Target(demand: .max(1)))
        subscriber.subscribe(to: a.retry(1))
        return Scenario(threads: [
          {
            a.send(1)
            a.fail()
            a.send(2)
            a.fail(2)
          }, { subscriber.request(.max(1)) }, { subscriber.cancel() },
        ]) { subscriber.problems([a]) }
      }
    }
  }
#endif
