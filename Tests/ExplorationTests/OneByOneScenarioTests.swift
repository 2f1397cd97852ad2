// `@unchecked Sendable` invariant: of the explored threads one runs at a time.

#if FANOUT_EXPLORER
  import Exploration
  import FanoutContract
  import Fanout
  import FanoutEngine
  import FanoutTestSupport
  import TestFixtures
  import Testing

  private final class Desk: @unchecked Sendable {
    typealias Sink = Subscribers.OneByOneSink<Int, Never>

    let tasks = ExploredTasks()
    let work = ExploredWork()
    let subject = PassthroughSubject<Int, Never>()
    private(set) var sink: Sink?
    private(set) var ends = 0
    private(set) var given: [Int] = []
    private(set) var resumes: [@Sendable () -> Void] = []
    private(set) var problems: [String] = []
    private var isCancelled = false

    init(isAsync: Bool) {
      let sink =
        isAsync
        ? Sink(
          receiveCompletion: { [unowned self] _ in end() },
          receiveValue: { [work] in await work.handle($0) })
        : Sink(
          receiveCompletion: { [unowned self] _ in end() },
          receiveValue: { [unowned self] value, resume in
            given.append(value)
            resumes.append(resume)
            SchedulePoint.reach()
          })
      self.sink = sink
      subject.buffer(size: 9, prefetch: .byRequest, whenFull: .dropOldest).subscribe(sink)
    }

    private func end() {
      ends += 1
      if work.begun.count > work.ended.count { problems.append("it ended before the last turn") }
    }

    func sends(_ values: [Int], ends: Bool) -> @Sendable () -> Void {
      {
        self.tasks.here {
          for value in values { self.subject.send(value) }
          if ends { self.subject.send(completion: .finished) }
        }
      }
    }

    func resumes(_ count: Int) -> @Sendable () -> Void {
      { self.tasks.here { for _ in 0..<count { self.sink?.resume() } } }
    }

    /// Calls what came with the values, as far as any came.
    func resumesGiven(_ count: Int) -> @Sendable () -> Void {
      {
        for index in 0..<count {
          SchedulePoint.reach()
          if self.resumes.indices.contains(index) { self.resumes[index]() }
        }
      }
    }

    @Sendable func cancel() {
      sink?.cancel()
      work.isCancelled = true
    }

    /// Returns the problems after everything has run.
    func close() -> [String] {
      tasks.runAll()
      let all = problems + work.problems + (work.most > 1 ? ["two at once"] : [])
      sink?.cancel()
      (sink, resumes) = (nil, [])
      return all
    }
  }

  @Suite(.serialized)
  struct OneByOneScenarioTests {
    @Test func `Q6 explored: handlers in tasks take turns, whoever resumes, and none is lost`() {
      explore("send;send;end|run|resume") {
        let desk = Desk(isAsync: true)
        return Scenario(threads: [
          desk.sends([1, 2], ends: true), desk.tasks.runner(3), desk.resumes(2),
        ]) {
          let problems = desk.close()
          guard problems.isEmpty else { return "\(problems)" }
          return desk.work.ended == [1, 2] && desk.ends == 1
            ? nil : "handled \(desk.work.ended), \(desk.ends) ends"
        }
      }
    }

    @Test func `Q6 explored: two threads run the handlers' tasks while values and the end come`() {
      explore("send;send;end|run|run") {
        let desk = Desk(isAsync: true)
        return Scenario(threads: [
          desk.sends([1, 2], ends: true), desk.tasks.runner(2), desk.tasks.runner(2),
        ]) {
          let problems = desk.close()
          guard problems.isEmpty else { return "\(problems)" }
          return desk.work.ended == [1, 2] && desk.ends == 1
            ? nil : "handled \(desk.work.ended), \(desk.ends) ends"
        }
      }
    }

    @Test func `Q6 D7 explored: a cancel beside a handler, an end and a resume`() {
      explore("send;send;end|run|resume;cancel") {
        let desk = Desk(isAsync: true)
        return Scenario(threads: [
          desk.sends([1, 2], ends: true), desk.tasks.runner(2),
          {
            desk.resumes(1)()
            desk.cancel()
          },
        ]) {
          var problems = desk.close()
          if desk.ends > 1 { problems.append("\(desk.ends) ends") }
          if desk.ends == 1, desk.work.ended != [1, 2] { problems.append("an end too early") }
          return problems.isEmpty ? nil : "\(problems)"
        }
      }
    }

    @Test func `Q6 explored: whoever resumes, a closure's turn ends once`() {
      explore("send;send;send;end|resume by closure|resume") {
        let desk = Desk(isAsync: false)
        return Scenario(threads: [
          desk.sends([1, 2, 3], ends: true), desk.resumesGiven(2), desk.resumes(1),
        ]) {
          // Each of those that are left ends the turn that it belongs to, or none.
          let before = desk.given
          for _ in 0..<3 { desk.resumes.forEach { $0() } }
          let given = desk.given
          let ends = desk.ends
          _ = desk.close()
          guard before == Array([1, 2, 3].prefix(before.count)), given == [1, 2, 3], ends == 1
          else {
            return "given \(before), then \(given), \(ends) ends"
          }
          return nil
        }
      }
    }

    @Test func `Q6 D7 explored: a cancel beside who resumes and an end`() {
      explore("send;send;end|resume by closure|cancel") {
        let desk = Desk(isAsync: false)
        return Scenario(threads: [
          desk.sends([1, 2], ends: true), desk.resumesGiven(2), { desk.cancel() },
        ]) {
          let (given, ends) = (desk.given, desk.ends)
          desk.resumes.forEach { $0() }
          guard desk.given == given, desk.ends == ends else { return "something after the cancel" }
          _ = desk.close()
          return given == Array([1, 2].prefix(given.count)) && ends <= 1
            ? nil : "given \(given), \(ends) ends"
        }
      }
    }
  }
#endif
