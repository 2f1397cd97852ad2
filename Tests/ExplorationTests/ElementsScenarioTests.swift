// `@unchecked Sendable` invariant: of the explored threads one runs at a time.

#if FANOUT_EXPLORER
  import Exploration
  import FanoutContract
  import Fanout
  import FanoutEngine
  import FanoutTestSupport
  import TestFixtures
  import Testing

  /// A subject with a sink that can be interrupted inside `receive`, and what loops have fetched.
  private final class Room: @unchecked Sendable {
    typealias Cursor = PullCursor<Int, Subscribers.Completion<Never>>

    let subject: ReplaySubject<Int, Never>
    let policy: Policy
    var order: [Int] = []
    private let point = Lock(0)
    private var kept: [AnyObject] = []
    private var cursors: [Cursor] = []
    private(set) var taken: [Int] = []
    private(set) var answers: [String] = []

    init(_ policy: Policy) {
      subject = ReplaySubject(policy.replay)
      self.policy = policy
      let sink = subject.sink { value in
        self.order.append(value)
        self.point.withLock { $0 += 1 }
      }
      kept.append(sink)
    }

    func join() -> Cursor {
      guard let cursor = subject.values.makeAsyncIterator().cursor else {
        fatalError("A subject has no backlog, so its loops have a cursor.")
      }
      kept.append(cursor)
      cursors.append(cursor.cursor)
      return cursor.cursor
    }

    /// Waits for a number of results of a cursor, as a loop does, and notes them.
    func take(_ count: Int, fromCursor number: Int) async {
      for _ in 0..<count {
        let fetched = await cursors[number].next(isolation: nil)
        if case .element(let value) = fetched { taken.append(value) }
        answers.append("\(fetched)")
      }
    }

    /// Everything that is still to be had, after the end.
    func rest(of cursor: Cursor) -> [Int] {
      var values: [Int] = []
      while case .element(let value)? = cursor.fetch() { values.append(value) }
      return values
    }

    func isExact(_ values: [Int]) -> Bool {
      (0...order.count).contains {
        values == policy.remembered(of: Array(order.prefix($0))) + order.dropFirst($0)
      }
    }

    func leave() { (kept, cursors) = ([], []) }
  }

  @Suite(.serialized)
  struct ElementsScenarioTests {
    @Test(arguments: Policy.contiguous)
    func `D2 D6 explored: a loop that joins beside two senders is exact`(policy: Policy) {
      explore("send;send|send|join, \(policy)") {
        let room = Room(policy)
        let cursors = Lock<[Room.Cursor]>([])
        room.subject.send(1)
        return Scenario(threads: [
          {
            room.subject.send(2)
            room.subject.send(3)
          }, { room.subject.send(4) },
          {
            let cursor = room.join()
            cursors.withLock { $0.append(cursor) }
          },
        ]) {
          room.subject.send(completion: .finished)
          let got = cursors.withLock { $0 }.map { room.rest(of: $0) }
          defer { room.leave() }
          return got.allSatisfy(room.isExact) ? nil : "got \(got) of \(room.order)"
        }
      }
    }

    @Test(arguments: Policy.contiguous)
    func `D2 O6 explored: a loop reads while values come and others leave`(policy: Policy) {
      explore("send;send|fetch;fetch|leave, \(policy)") {
        let room = Room(policy)
        room.subject.send(1)
        nonisolated(unsafe) let reading = room.join()
        nonisolated(unsafe) let leaving = room.join()
        let tasks = ExploredTasks()
        Task(executorPreference: tasks) { await room.take(2, fromCursor: 0) }
        return Scenario(threads: [
          {
            room.subject.send(2)
            room.subject.send(3)
          }, tasks.runner(3), { leaving.cancel() },
        ]) {
          room.subject.send(completion: .finished)
          tasks.runAll()
          let all = room.taken + room.rest(of: reading)
          defer { room.leave() }
          let expected = policy.remembered(of: [1]) + [2, 3]
          guard all == expected else { return "got \(all) instead of \(expected)" }
          if case .nothing? = leaving.fetch() { return nil }
          return "one who has left got something"
        }
      }
    }

    @Test func `D7 D9 explored: a fetch is answered once, by a value, the end or a cancel`() {
      explore("fetch|send;complete|cancel") {
        let room = Room(.none)
        nonisolated(unsafe) let cursor = room.join()
        let tasks = ExploredTasks()
        for _ in 0..<2 {
          Task(executorPreference: tasks) { await room.take(1, fromCursor: 0) }
        }
        return Scenario(threads: [
          tasks.runner(4),
          {
            room.subject.send(1)
            room.subject.send(completion: .finished)
          }, { cursor.cancel() },
        ]) {
          tasks.runAll()
          let all = room.answers
          defer { room.leave() }
          let allowed = [
            ["element(1)", "end(finished)"], ["element(1)", "nothing"], ["nothing", "nothing"],
          ]
          // A task that took a value may be overtaken, on its way, by one that found nothing.
          let plain = all.map { $0.contains("finished") ? "end(finished)" : $0 }.sorted()
          return allowed.contains(plain) ? nil : "got \(all)"
        }
      }
    }
  }
#endif
