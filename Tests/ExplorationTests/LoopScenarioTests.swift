// `@unchecked Sendable` invariant: of the explored threads one runs at a time.

#if FANOUT_EXPLORER
  import Exploration
  import FanoutContract
  import Fanout
  import FanoutEngine
  import FanoutTestSupport
  import TestFixtures
  import Testing

  /// A loop over `values` whose calls of `next()` are made by any thread.
  private final class Loop<Source: Publisher>: @unchecked Sendable
  where Source.Output == Int, Source.Failure == Broken {
    private let source: Source
    private var iterator: AsyncPublisher<Source>.Iterator?
    private var calls: [AwaitedBeginning] = []

    init(_ source: Source) { self.source = source }

    func begin() { iterator = source.values.makeAsyncIterator() }

    /// Makes a request, as a call of `next()` does before it suspends.
    func ask() {
      if let call = iterator?.subscriber.ask() { calls.append(call) }
    }

    func cancel() { iterator?.subscriber.cancel() }

    /// Returns the result of each call.
    func close() -> [String] {
      let all = calls.map { call in
        let answer: AwaitedAnswer? =
          switch call {
          case .answered(let answer): answer
          case .waiting(let call): iterator?.subscriber.take(for: call)
          }
        guard let answer else { return "nothing" }
        do {
          return try iterator?.subscriber.fetch(answer).map { "\($0)" } ?? "nil"
        } catch {
          return "thrown"
        }
      }
      iterator = nil
      return all
    }
  }

  /// A publisher that keeps its subscriber until a thread makes it send the subscription.
  private final class Late: Publisher, @unchecked Sendable {
    typealias Output = Int
    typealias Failure = Broken

    let subject = PassthroughSubject<Int, Broken>()
    private var subscriber: AnySubscriber<Int, Broken>?

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Broken {
      self.subscriber = AnySubscriber(subscriber)
    }

    func announce() {
      guard let subscriber else { return }
      self.subscriber = nil
      subject.buffer(size: 9, prefetch: .byRequest, whenFull: .dropOldest).subscribe(subscriber)
    }
  }

  private final class Box: @unchecked Sendable { var value = 0 }

  @Suite(.serialized)
  struct LoopScenarioTests {
    private func run(
      _ name: String, isBuffered: Bool, cancels: Bool, beginsInside: Bool = false,
      allowed: [[String]]
    ) {
      explore(name) {
        let subject = PassthroughSubject<Int, Broken>()
        let source =
          isBuffered
          ? subject.buffer(size: 9, prefetch: .byRequest, whenFull: .dropOldest)
            .eraseToAnyPublisher() : subject.eraseToAnyPublisher()
        let loop = Loop(source)
        if !beginsInside { loop.begin() }
        let asks: @Sendable () -> Void = {
          if beginsInside { loop.begin() }
          loop.ask()
          loop.ask()
        }
        let sends: @Sendable () -> Void = {
          subject.send(1)
          subject.send(completion: .failure(Broken()))
        }
        return Scenario(threads: [asks, sends] + (cancels ? [{ loop.cancel() }] : [])) {
          let answers = loop.close()
          return allowed.contains(answers) ? nil : "got \(answers)"
        }
      }
    }

    @Test func `Q5 explored: next against a value and the end`() {
      run(
        "next;next|send;fail", isBuffered: false, cancels: false,
        allowed: [["1", "thrown"], ["thrown", "nil"]])
    }

    @Test func `Q5 explored: the first next against a value and the end, behind a buffer`() {
      run(
        "next;next|send;fail, buffer", isBuffered: true, cancels: false,
        allowed: [["1", "thrown"]])
    }

    @Test func `Q5 explored: a loop begins beside a value and the end`() {
      run(
        "begin;next;next|send;fail", isBuffered: false, cancels: false,
        beginsInside: true, allowed: [["1", "thrown"], ["thrown", "nil"]])
    }

    @Test func `Q5 explored: next beside the subscription, a value and the end`() {
      explore("next;next|subscription;send;fail") {
        let late = Late()
        let loop = Loop(late)
        loop.begin()
        return Scenario(threads: [
          {
            loop.ask()
            loop.ask()
          },
          {
            late.announce()
            late.subject.send(1)
            late.subject.send(completion: .failure(Broken()))
          },
        ]) {
          let answers = loop.close()
          return answers == ["1", "thrown"] ? nil : "got \(answers)"
        }
      }
    }

    @Test(arguments: [true, false])
    func `Q5 D7 explored: a cancel beside next, a value and the end`(isBuffered: Bool) {
      run(
        "next;next|send;fail|cancel, buffer \(isBuffered)", isBuffered: isBuffered, cancels: true,
        allowed: [["1", "thrown"], ["1", "nil"], ["nil", "nil"]]
          + (isBuffered ? [] : [["thrown", "nil"]]))
    }

    @Test func `Q5 explored: an answer comes while its task suspends, or before`() {
      explore("wait|give") {
        let tasks = ExploredTasks()
        let answer = OneShot<Int>()
        let got = Box()
        Task(executorPreference: tasks) { got.value = await answer.wait(isolation: nil) }
        return Scenario(threads: [tasks.runner(2), { tasks.here { answer.give(7) } }]) {
          tasks.runAll()
          return got.value == 7 ? nil : "got \(got.value)"
        }
      }
    }
  }

  /// Numbers up to a limit, with a suspension before each.
  private struct Numbers: AsyncSequence, Sendable {
    let last: Int
    var work: ExploredWork?

    struct AsyncIterator: AsyncIteratorProtocol {
      let last: Int
      let work: ExploredWork?
      var number = 0

      mutating func next() async -> Int? { await next(isolation: nil) }

      mutating func next(isolation actor: isolated (any Actor)?) async -> Int? {
        SchedulePoint.reach()
        await Task.yield()
        await work?.expectCancel("\(number + 1)")
        number += 1
        return number > last ? nil : number
      }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(last: last, work: work) }
  }

  @Suite(.serialized)
  struct SequenceScenarioTests {
    @Test func `D8 explored: requests beside the task that iterates`() {
      explore("request;request|request|run") {
        let tasks = ExploredTasks()
        let subscriber = CheckedSubscriber<Never>(demand: .none)
        Numbers(last: 2).publisher.subscribe(subscriber)
        let asks: @Sendable () -> Void = {
          tasks.here { subscriber.request(.max(1)) }
        }
        return Scenario(threads: [
          {
            asks()
            asks()
          }, asks, tasks.runner(3),
        ]) {
          tasks.runAll()
          let problems = subscriber.problems
          guard problems.isEmpty else { return "\(problems)" }
          return subscriber.values == [1, 2] && subscriber.terminals == 1
            ? nil : "got \(subscriber.values), \(subscriber.terminals) ends"
        }
      }
    }

    @Test func `D7 explored: a cancel beside a request and the task that iterates`() {
      explore("request|cancel|run") {
        let tasks = ExploredTasks()
        let subscriber = CheckedSubscriber<Never>(demand: .none)
        let work = ExploredWork()
        Numbers(last: 1, work: work).publisher.subscribe(subscriber)
        return Scenario(threads: [
          {
            tasks.here {
              subscriber.request(.max(1))
              subscriber.request(.max(1))
            }
          },
          {
            tasks.here { subscriber.cancel() }
            work.isCancelled = true
          }, tasks.runner(3),
        ]) {
          tasks.runAll()
          let problems = subscriber.problems + work.problems
          guard problems.isEmpty else { return "\(problems)" }
          return [[], [1]].contains(subscriber.values) ? nil : "got \(subscriber.values)"
        }
      }
    }

    @Test func `O2 explored: a future's task beside a subscriber and the last reference`() {
      explore("run|subscribe;let go") {
        let tasks = ExploredTasks()
        let subscriber = CheckedSubscriber<Never>()
        let future = tasks.here { Future<Int, Never> { 7 } }
        let held = Held(future)
        return Scenario(threads: [
          tasks.runner(1),
          {
            held.future?.subscribe(subscriber)
            held.future = nil
          },
        ]) {
          tasks.runAll()
          return subscriber.values == [7] && subscriber.terminals == 1
            ? nil : "got \(subscriber.values), \(subscriber.terminals) ends"
        }
      }
    }

    private final class Held: @unchecked Sendable {
      var future: Future<Int, Never>?
      init(_ future: Future<Int, Never>) { self.future = future }
    }
  }
#endif
