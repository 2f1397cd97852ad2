// `@unchecked Sendable` invariant: of the explored threads one runs at a time.

#if FANOUT_EXPLORER
  import Exploration
  import FanoutContract
  import Fanout
  import FanoutTestSupport
  import TestThreads
  import TestFixtures
  import Testing

  private typealias Target = CheckedSubscriber<NumberedError>

  /// An API with one observer, which notes the thread that removes it.
  private final class Reporter: @unchecked Sendable {
    typealias End = @Sendable (Subscribers.Completion<NumberedError>) -> Void

    var handler: (@Sendable (Int) -> Void)?
    var end: End?
    var removals: [UInt] = []
    private let point = Shared(0)

    var publisher: Publishers.Callback<Int, NumberedError> {
      Publishers.Callback { handler, end in
        self.handler = handler
        self.end = end
      } remove: { _ in
        self.removals.append(thisThread())
        self.point.increment()
      }
    }

    func forget() { (handler, end) = (nil, nil) }
  }

  @Suite(.serialized)
  struct QueueScenarioTests {
    @Test func `Q1 Q2 explored: buffer overflows against requests`() {
      explore("buffer: send;send;send|request;request") {
        let (source, subscriber) = (ExploredSource(), Target(demand: .none))
        subscriber.subscribe(
          to: source.buffer(
            size: 1, prefetch: .byRequest, whenFull: .customError { NumberedError(9) }))
        return Scenario(threads: [
          { (1...3).forEach { source.send($0) } },
          {
            subscriber.request(.max(1))
            subscriber.request(.max(1))
          },
        ]) {
          subscriber.request(.unlimited)
          let values = subscriber.values
          let isRight =
            subscriber.completion == nil
            ? values == [1, 2, 3] : subscriber.hasFailed(9) && [[1], [1, 2]].contains(values)
          return subscriber.problems([source], ("all, or those before the overflow", isRight))
        }
      }
    }

    @Test func `D8 explored: buffer loses no request, though nobody asks again`() {
      explore("buffer: send;send;finish|request;request") {
        let (source, subscriber) = (ExploredSource(), Target(demand: .none))
        subscriber.subscribe(
          to: source.buffer(size: 2, prefetch: .byRequest, whenFull: .dropNewest))
        return Scenario(threads: [
          {
            source.send(1)
            source.send(2)
            source.end()
          },
          {
            subscriber.request(.max(1))
            subscriber.request(.max(1))
          },
        ]) {
          let isRight = subscriber.values == [1, 2] && subscriber.completion == .finished
          return subscriber.problems([source], ("everything", isRight))
        }
      }
    }

    @Test(arguments: [false, true])
    func `Q2 D8 explored: buffer delivers at once or keeps, against a request`(isSubject: Bool) {
      explore("buffer: send;send;send|request, \(isSubject ? "subject" : "source")") {
        let (source, subject) = (ExploredSource(), PassthroughSubject<Int, NumberedError>())
        let subscriber = Target(demand: .max(1))
        if isSubject {
          subscriber.subscribe(
            to: subject.buffer(size: 3, prefetch: .byRequest, whenFull: .dropNewest))
        } else {
          subscriber.subscribe(
            to: source.buffer(size: 3, prefetch: .byRequest, whenFull: .dropNewest))
        }
        return Scenario(threads: [
          {
            for value in 1...3 {
              if isSubject { subject.send(value) } else { source.send(value) }
            }
          },
          { subscriber.request(.max(2)) },
        ]) {
          subscriber.problems(
            isSubject ? [] : [source], ("everything in order", subscriber.values == [1, 2, 3]))
        }
      }
    }

    @Test func `Q1 explored: buffer overflows, then the upstream ends, against a request`() {
      explore("buffer: send;send;finish|request") {
        let (source, subscriber) = (ExploredSource(), Target(demand: .none))
        subscriber.subscribe(
          to: source.buffer(
            size: 1, prefetch: .byRequest, whenFull: .customError { NumberedError(9) }))
        return Scenario(threads: [
          {
            source.send(1)
            source.send(2)
            source.end()
          }, { subscriber.request(.max(1)) },
        ]) {
          subscriber.request(.unlimited)
          let isRight =
            subscriber.hasFailed(9)
            ? subscriber.values == [1]
            : subscriber.values == [1, 2] && subscriber.completion == .finished
          return subscriber.problems([source], ("one end behind what is kept", isRight))
        }
      }
    }

    @Test func `Q2 Q3 explored: buffer behind a subject that two threads send to`() {
      explore("buffer: send|send;finish|request") {
        let (subject, subscriber) = (
          PassthroughSubject<Int, NumberedError>(), Target(demand: .none)
        )
        subscriber.subscribe(
          to: subject.buffer(
            size: 1, prefetch: .byRequest, whenFull: .customError { NumberedError(9) }))
        return Scenario(threads: [
          { subject.send(1) },
          {
            subject.send(2)
            subject.send(completion: .finished)
          }, { subscriber.request(.max(1)) },
        ]) {
          subscriber.request(.unlimited)
          let count = subscriber.values.count
          let isRight =
            subscriber.hasFailed(9) ? count == 1 : subscriber.completion == .finished && count > 0
          return subscriber.problems([], ("one end behind what is kept", isRight))
        }
      }
    }

    @Test(arguments: [false, true])
    func `Q2 D7 explored: buffer keeps, ends and is cancelled`(fails: Bool) {
      explore("buffer: send;\(fails ? "fail" : "finish")|request|cancel") {
        let (source, subscriber) = (ExploredSource(), Target(demand: .none))
        subscriber.subscribe(
          to: source.buffer(size: 2, prefetch: .keepFull, whenFull: .dropNewest))
        return Scenario(threads: [
          {
            source.send(1)
            fails ? source.fail() : source.end()
          }, { subscriber.request(.max(1)) }, { subscriber.cancel() },
        ]) {
          let isRight =
            subscriber.completion == nil
            || subscriber.values == [1]
              && (fails ? subscriber.hasFailed(1) : subscriber.completion == .finished)
          return subscriber.problems([source], ("an end behind the value", isRight))
        }
      }
    }

    @Test func `Q2 D8 explored: receive(on:) against a scheduler and requests`() {
      explore("receive(on:): send;send;fail|run;run|request;request") {
        let (source, subscriber) = (ExploredSource(), Target(demand: .none))
        let scheduler = TestScheduler()
        subscriber.subscribe(to: source.receive(on: scheduler))
        return Scenario(threads: [
          {
            source.send(1)
            source.send(2)
            source.fail()
          },
          {
            scheduler.advance(by: 0)
            scheduler.advance(by: 0)
          },
          {
            subscriber.request(.max(1))
            subscriber.request(.max(1))
          },
        ]) {
          scheduler.advance(by: 0)
          return subscriber.problems(
            [source], ("failed", subscriber.hasFailed(1)),
            ("what was asked for", [[], [1], [2], [1, 2]].contains(subscriber.values)))
        }
      }
    }

    @Test func `Q2 explored: receive(on:) is subscribed to beside a value`() {
      explore("receive(on:): subscribe|send") {
        let (subject, subscriber) = (ReplaySubject<Int, NumberedError>(.all), Target())
        let scheduler = TestScheduler()
        return Scenario(threads: [
          { subscriber.subscribe(to: subject.receive(on: scheduler)) }, { subject.send(1) },
        ]) {
          scheduler.advance(by: 0)
          return subscriber.problems([], ("the value", subscriber.values == [1]))
        }
      }
    }

    @Test func `Q2 D7 explored: receive(on:) against a scheduler and a cancel`() {
      explore("receive(on:): send;finish|run;run|cancel") {
        let (source, subscriber) = (ExploredSource(), Target())
        let scheduler = TestScheduler()
        subscriber.subscribe(to: source.receive(on: scheduler))
        return Scenario(threads: [
          {
            source.send(1)
            source.end()
          },
          {
            scheduler.advance(by: 0)
            scheduler.advance(by: 0)
          }, { subscriber.cancel() },
        ]) {
          scheduler.advance(by: 0)
          let isRight = subscriber.completion == nil || subscriber.values == [1]
          return subscriber.problems([source], ("an end behind the value", isRight))
        }
      }
    }

    @Test func `D8 explored: catch hands over what was asked for and not delivered`() {
      explore("catch: send;fail|request;request") {
        let (source, next) = (ExploredSource(), ExploredSource())
        let subscriber = Target(demand: .max(1))
        subscriber.subscribe(to: source.catch { _ in next })
        return Scenario(threads: [
          {
            source.send(1)
            source.fail()
          },
          {
            subscriber.request(.max(1))
            subscriber.request(.max(1))
          },
        ]) {
          let isExact = next.allowed == .max(2)
          while next.send(2) {}
          next.fail(2)
          return subscriber.problems(
            [source, next], ("exact", isExact && subscriber.values == [1, 2, 2]),
            ("failed", subscriber.hasFailed(2)))
        }
      }
    }

    @Test(arguments: [1, 2])
    func `Q1 D7 explored: catch fails against a cancel, once or twice`(levels: Int) {
      explore("catch: fail;finish|cancel|request, \(levels)") {
        let sources = (0...levels).map { _ in ExploredSource() }
        let subscriber = Target(demand: .none)
        if levels == 1 {
          subscriber.subscribe(to: sources[0].catch { _ in sources[1] })
        } else {
          subscriber.subscribe(
            to: sources[0].catch { _ in sources[1].catch { _ in sources[2] } })
        }
        return Scenario(threads: [
          {
            for source in sources.dropLast() { source.fail() }
            sources[levels].send(1)
            sources[levels].end()
          }, { subscriber.cancel() }, { subscriber.request(.max(1)) },
        ]) {
          subscriber.problems(
            sources,
            ("finished or cancelled", subscriber.completion.map { $0 == .finished } ?? true))
        }
      }
    }

    @Test func `D8 explored: catch within catch hands over what was asked for`() {
      explore("catch: send;fail;send;fail|request;request, 2") {
        let sources = (0...2).map { _ in ExploredSource() }
        let subscriber = Target(demand: .max(2))
        subscriber.subscribe(to: sources[0].catch { _ in sources[1].catch { _ in sources[2] } })
        return Scenario(threads: [
          {
            sources[0].send(1)
            sources[0].fail()
            sources[1].send(2)
            sources[1].fail()
          },
          {
            subscriber.request(.max(1))
            subscriber.request(.max(1))
          },
        ]) {
          let isExact = sources[2].allowed == .max(2)
          while sources[2].send(3) {}
          sources[2].end()
          return subscriber.problems(
            sources, ("exact", isExact && subscriber.values == [1, 2, 3, 3]),
            ("finished", subscriber.completion == .finished))
        }
      }
    }

    @Test func `Q1 D8 explored: replaceError against requests`() {
      explore("replaceError: send;fail|request;request") {
        let source = ExploredSource()
        let subscriber = CheckedSubscriber<Never>(demand: .none)
        subscriber.subscribe(to: source.replaceError(with: 9))
        return Scenario(threads: [
          {
            source.send(1)
            source.fail()
          },
          {
            subscriber.request(.max(1))
            subscriber.request(.max(1))
          },
        ]) {
          var problems = subscriber.problems
          if ![[9], [1, 9]].contains(subscriber.values) || subscriber.terminals != 1 {
            problems.append("got \(subscriber.values), \(subscriber.terminals) ends")
          }
          return problems.nonEmptyText
        }
      }
    }

    @Test func `Q1 D7 explored: replaceError against a request and a cancel`() {
      explore("replaceError: fail|request|cancel") {
        let source = ExploredSource()
        let subscriber = CheckedSubscriber<Never>(demand: .none)
        subscriber.subscribe(to: source.replaceError(with: 9))
        return Scenario(threads: [
          { source.fail() }, { subscriber.request(.max(1)) }, { subscriber.cancel() },
        ]) {
          var problems = subscriber.problems
          if source.isLive { problems.append("the source lives on") }
          if subscriber.terminals > 0, subscriber.values != [9] {
            problems.append("got \(subscriber.values) and an end")
          }
          return problems.nonEmptyText
        }
      }
    }

    @Test func `Q1 explored: the end that removes the observer is the one that is delivered`() {
      explore("callback: fail|finish") {
        let (reporter, subscriber) = (Reporter(), Target())
        subscriber.subscribe(to: reporter.publisher)
        let failing = Shared<UInt>(0)
        return Scenario(threads: [
          {
            failing.value = thisThread()
            reporter.end?(.failure(NumberedError(1)))
          }, { reporter.end?(.finished) },
        ]) {
          reporter.forget()
          let hasFailed = reporter.removals == [failing.value]
          return subscriber.problems(
            [], ("one removal", reporter.removals.count == 1),
            (
              "the first end",
              hasFailed ? subscriber.hasFailed(1) : subscriber.completion == .finished
            ))
        }
      }
    }

    @Test func `Q1 Q2 D7 explored: a callback's value and end against a cancel and a request`() {
      explore("callback: value;fail|cancel|request") {
        let (reporter, subscriber) = (Reporter(), Target(demand: .max(1)))
        subscriber.subscribe(to: reporter.publisher)
        return Scenario(threads: [
          {
            reporter.handler?(1)
            reporter.end?(.failure(NumberedError(1)))
          }, { subscriber.cancel() }, { subscriber.request(.max(1)) },
        ]) {
          reporter.forget()
          let isRight =
            subscriber.completion == nil
            || subscriber.hasFailed(1) && subscriber.values == [1]
          return subscriber.problems(
            [], ("one removal", reporter.removals.count == 1), ("an end behind the value", isRight))
        }
      }
    }
  }
#endif
