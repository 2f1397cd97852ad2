// `@unchecked Sendable` invariant: of the explored threads one runs at a time.

#if FANOUT_EXPLORER
  import Exploration
  import Fanout
  import FanoutEngine
  import Testing

  /// A broadcast whose backlog holds one value, which waits for a loop, and a sender that waits for room.
  private final class Stage: @unchecked Sendable {
    let tasks = ExploredTasks()
    private let source = Broadcast<Int, Never>(backlog: .size(1, whenFull: .wait))
    private var place: SharedSequence<Int, Never>.AsyncIterator?
    private var turns: [OneShot<Sent>] = []
    private var values: [Int] = []
    private var isOver = false
    private var results: [Int: Sent] = [:]

    init() {
      place = source.values.makeAsyncIterator()
      source.yield(1)
    }

    /// Lets a loop take its place in `tasks`, which takes what comes.
    func startLoop() {
      nonisolated(unsafe) var iterator = place.take()
      Task(executorPreference: tasks) {
        while let value = await iterator?.next(isolation: nil) { self.values.append(value) }
        self.isOver = true
      }
    }

    /// Starts a call of `send`, as far as it can be cancelled by `cancel`.
    func startSend(_ value: Int) {
      switch source.core.room.begin() {
      case .result(let admission): results[value] = source.core.pass(value, admission)
      case .waiting(let turn):
        turns.append(turn)
        Task(executorPreference: tasks) {
          let admission = await turn.wait(isolation: nil)
          self.results[value] = self.source.core.pass(value, admission)
        }
      }
    }

    func cancel(_ number: Int) { source.core.room.cancel(turns[number]) }

    func finish() { source.finish() }

    func leave() { place = nil }

    /// Lets another loop take its place beside the first one.
    func join() {
      let other = source.values.makeAsyncIterator()
      leave()
      place = other
    }

    /// Ends everything behind a loop that began later, and returns a problem if it got not what was accepted since.
    func problem(ofLaterLoopWith sent: Int) -> String? {
      tasks.runAll()
      startLoop()
      tasks.runAll()
      finish()
      tasks.runAll()
      let isRight = results[sent]?.isSent == true && isOver && [[], [sent]].contains(values)
      return isRight ? nil : "got \(values), over: \(isOver), results: \(results)"
    }

    /// Ends everything, and returns a problem: a call without a result, a value that was accepted and is not there, or
    /// one that is there and was not.
    func problem(hasLoop: Bool = true, sent: [Int]) -> String? {
      tasks.runAll()
      finish()
      tasks.runAll()
      let accepted = sent.filter { results[$0]?.isSent == true }
      let isRight =
        results.keys.sorted() == sent
        && (!hasLoop || (isOver && values.first == 1 && values.dropFirst().sorted() == accepted))
      return isRight ? nil : "got \(values), over: \(isOver), results: \(results)"
    }
  }

  /// Two loops for which the upstream waits, and which take what is there when their tasks run.
  private final class Pair: @unchecked Sendable {
    let tasks = ExploredTasks()
    private let source = ExploredSource()
    private var taken: [[Int]] = [[], []]
    private var sent: [Int] = []

    init(_ count: Int) {
      let shared = source.share(backlog: .size(count, whenFull: .wait)).values
      for index in 0..<2 {
        nonisolated(unsafe) var iterator = shared.makeAsyncIterator()
        Task(executorPreference: tasks) {
          while let value = try? await iterator.next(isolation: nil) {
            self.taken[index].append(value)
          }
        }
      }
      send(count)
    }

    /// Sends values as far as they were requested.
    func send(_ count: Int) {
      for _ in 0..<count where source.send(sent.count) { sent.append(sent.count) }
    }

    /// Returns a problem if a value is missing, or if nothing more is requested although both have all.
    var problem: String? {
      tasks.runAll()
      let known = sent.count
      send(1)
      tasks.runAll()
      let isRight = sent.count == known + 1 && taken.allSatisfy { $0 == sent }
      source.fail(1)
      tasks.runAll()
      return isRight ? nil : "got \(taken) of \(sent), known: \(known)"
    }
  }

  extension Sent {
    fileprivate var isSent: Bool { !isTerminated && !isCancelled }
  }

  @Suite(.serialized)
  struct BroadcastScenarioTests {
    @Test func `D9 explored: a send that waits against an end and a loop that makes room`() {
      explore("send|finish|fetch") {
        let stage = Stage()
        stage.startLoop()
        return Scenario(threads: [
          {
            stage.tasks.here { stage.startSend(2) }
            stage.tasks.runner(2)()
          }, { stage.finish() }, stage.tasks.runner(3),
        ]) { stage.problem(sent: [2]) }
      }
    }

    @Test func `D7 explored: a send that waits against its cancel and a loop that makes room`() {
      explore("send;send|cancel|fetch") {
        let stage = Stage()
        stage.startLoop()
        stage.startSend(2)
        stage.startSend(3)
        return Scenario(threads: [
          stage.tasks.runner(3), { stage.cancel(0) }, stage.tasks.runner(3),
        ]) { stage.problem(sent: [2, 3]) }
      }
    }

    @Test func `B6 explored: a send that waits for a loop that leaves does not wait any more`() {
      explore("send|leave|finish") {
        let stage = Stage()
        return Scenario(threads: [
          {
            stage.tasks.here { stage.startSend(2) }
            stage.tasks.runner(2)()
          }, { stage.leave() }, { stage.finish() },
        ]) { stage.problem(hasLoop: false, sent: [2]) }
      }
    }

    @Test func `D7 D9 explored: sends that wait against a cancel and the end`() {
      explore("send;send|cancel|finish") {
        let stage = Stage()
        stage.startLoop()
        stage.startSend(2)
        stage.startSend(3)
        return Scenario(threads: [
          stage.tasks.runner(2), { stage.cancel(1) }, { stage.finish() },
        ]) { stage.problem(sent: [2, 3]) }
      }
    }

    @Test func `B6 D7 explored: sends that wait against a cancel and a loop that leaves`() {
      explore("send;send|cancel|leave") {
        let stage = Stage()
        stage.startSend(2)
        stage.startSend(3)
        return Scenario(threads: [
          stage.tasks.runner(2), { stage.cancel(0) }, { stage.leave() },
        ]) { stage.problem(hasLoop: false, sent: [2, 3]) }
      }
    }

    @Test func `B6 D6 explored: a send that waits against a loop that leaves and one that joins`() {
      explore("send|join;leave|run") {
        let stage = Stage()
        return Scenario(threads: [
          { stage.tasks.here { stage.startSend(2) } }, { stage.join() }, stage.tasks.runner(2),
        ]) { stage.problem(ofLaterLoopWith: 2) }
      }
    }

    @Test(arguments: Exploration.isSearch ? [1, 2, 3] : [2])
    func `B6 explored: two loops that take at the same time have the upstream asked`(size: Int) {
      explore("fetch|fetch|send, \(size)") {
        let pair = Pair(size)
        return Scenario(threads: [
          pair.tasks.runner(2), pair.tasks.runner(2), { pair.tasks.here { pair.send(1) } },
        ]) { pair.problem }
      }
    }
  }
#endif
