// `@unchecked Sendable` invariant: of the explored threads one runs at a time.

#if FANOUT_EXPLORER
  import Exploration
  import Fanout
  import FanoutContract
  import FanoutEngine
  import FanoutTestSupport
  import TestFixtures
  import Testing

  private typealias Loop = BatchLoop<Int>

  /// A subject with a sink that can be interrupted inside `receive`, and loops over its batches.
  private final class Room: @unchecked Sendable {
    static let most = 2

    let subject: ReplaySubject<Int, NumberedError>
    let policy: Policy
    let tasks = ExploredTasks()
    private(set) var order: [Int] = []
    private let point = Lock(0)
    private var sink: AnyCancellable?

    init(_ policy: Policy) {
      subject = ReplaySubject(policy.replay)
      self.policy = policy
      sink = subject.sink(receiveCompletion: { _ in }) { value in
        self.order.append(value)
        self.point.withLock { $0 += 1 }
      }
    }

    func join() -> Loop {
      BatchLoop(subject.values.batches(upTo: Self.most), upTo: Self.most)
    }

    /// Lets a loop take everything that is left, after the end.
    func finish(_ loops: [Loop]) {
      tasks.runAll()
      for loop in loops { loop.start(6, in: tasks) }
      tasks.runAll()
      sink = nil
    }

    func isExact(_ values: [Int]) -> Bool {
      (0...order.count).contains {
        values == policy.remembered(of: Array(order.prefix($0))) + order.dropFirst($0)
      }
    }
  }

  /// Loops that take arrays of what waits, under the orders that loops over single values have.
  @Suite(.serialized)
  struct BatchScenarioTests {
    @Test(arguments: Policy.contiguous)
    func `D2 D6 explored: batches of a loop that joins beside two senders are exact`(
      policy: Policy
    ) {
      explore("batches: send;send|send|join, \(policy)") {
        let room = Room(policy)
        let loops = Shared<[Loop]>([])
        room.subject.send(1)
        return Scenario(threads: [
          {
            room.subject.send(2)
            room.subject.send(3)
          }, { room.subject.send(4) },
          {
            let loop = room.join()
            loops.change { $0.append(loop) }
          },
        ]) {
          room.subject.send(completion: .finished)
          room.finish(loops.value)
          let loop = loops.value[0]
          guard loop.problems.isEmpty, loop.ends.first == "nil" else {
            return "\(loop.problems), ends \(loop.ends)"
          }
          return room.isExact(loop.elements) ? nil : "got \(loop.elements) of \(room.order)"
        }
      }
    }

    @Test(arguments: Policy.contiguous)
    func `D2 O6 explored: a loop takes batches while values come and another leaves`(
      policy: Policy
    ) {
      explore("batches: send;send|next;next|leave, \(policy)") {
        let room = Room(policy)
        room.subject.send(1)
        let (reading, leaving) = (room.join(), room.join())
        reading.start(2, in: room.tasks)
        return Scenario(threads: [
          {
            room.subject.send(2)
            room.subject.send(3)
          }, room.tasks.runner(3), { leaving.cancel() },
        ]) {
          room.subject.send(completion: .finished)
          room.finish([reading, leaving])
          let expected = policy.remembered(of: [1]) + [2, 3]
          guard reading.elements == expected, reading.problems.isEmpty else {
            return "got \(reading.elements) instead of \(expected), \(reading.problems)"
          }
          return leaving.elements.isEmpty ? nil : "one who has left got \(leaving.elements)"
        }
      }
    }

    @Test(arguments: [true, false])
    func `D9 Q5 explored: the end comes once, behind the batches`(fails: Bool) {
      explore("batches: next;next;next|send;send;\(fails ? "fail" : "finish")") {
        let room = Room(.none)
        let loop = room.join()
        loop.start(3, in: room.tasks)
        return Scenario(threads: [
          room.tasks.runner(4),
          {
            room.subject.send(1)
            room.subject.send(2)
            room.subject.send(completion: fails ? .failure(NumberedError(7)) : .finished)
          },
        ]) {
          room.finish([loop])
          let isRight =
            loop.elements == [1, 2] && loop.ends.first == (fails ? "\(NumberedError(7))" : "nil")
            && loop.ends.dropFirst().allSatisfy { $0 == "nil" } && loop.problems.isEmpty
          return isRight ? nil : "got \(loop.elements), \(loop.ends), \(loop.problems)"
        }
      }
    }

    @Test func `D7 D9 explored: batches against values, a failure and a cancel`() {
      explore("batches: next;next;next|send;send;send;fail|cancel") {
        let room = Room(.none)
        let loop = room.join()
        loop.start(3, in: room.tasks)
        return Scenario(threads: [
          room.tasks.runner(4),
          {
            for value in 1...3 { room.subject.send(value) }
            room.subject.send(completion: .failure(NumberedError(7)))
          }, { loop.cancel() },
        ]) {
          room.finish([loop])
          let isRight =
            loop.elements == Array((1...3).prefix(loop.elements.count))
            && loop.ends.dropFirst().allSatisfy { $0 == "nil" } && loop.problems.isEmpty
            && (loop.ends[0] == "nil" || loop.elements.count == 3)
          return isRight ? nil : "got \(loop.elements), \(loop.ends), \(loop.problems)"
        }
      }
    }

    // Tens are keyframes. Where newcomers may have to wait for one, a loop that rejoins requests its values one by one.
    @Test func `B4 D9 explored: batches of a loop that rejoins, against values and a failure`() {
      explore("batches: next;next;next|send 10;11;20;21;fail, rejoin") {
        let (source, tasks) = (ExploredSource(), ExploredTasks())
        let loop = BatchLoop(rejoining(source, at: .sinceKeyframe(where: isTen)), upTo: 2)
        loop.start(3, in: tasks)
        return Scenario(threads: [
          {
            tasks.here {
              [10, 11, 20, 21].forEach { source.send($0) }
              source.fail(3)
            }
          }, tasks.runner(4),
        ]) {
          tasks.runAll()
          loop.start(6, in: tasks)
          tasks.runAll()
          let isRight =
            isRun(loop.elements, of: [10, 11, 20, 21]) && loop.elements.last == 21
            && loop.problems.isEmpty
          let isEnded = loop.ends.first == "\(NumberedError(3))" && loop.ends.last == "nil"
          return isRight && isEnded ? nil : "got \(loop.elements), \(loop.ends), \(loop.problems)"
        }
      }
    }

    // Such a loop requests its values, so that the closure runs without a lock.
    @Test func `B3 B7 explored: between two batches what comes waits in the backlog`() {
      explore("batches: next;next|send;send;send, the newest") {
        let (source, tasks) = (ExploredSource(), ExploredTasks())
        let shared = source.share(backlog: .size(1, whenFull: .dropOldest)).values
        let loop = BatchLoop(shared.joining(where: { $0 > 0 }).batches(upTo: 2), upTo: 2)
        loop.start(2, in: tasks)
        return Scenario(threads: [
          { tasks.here { (1...3).forEach { source.send($0) } } }, tasks.runner(4),
        ]) {
          tasks.runAll()
          // No call may wait any more; an array has one value or two.
          for value in 4...5 where loop.isRunning {
            source.send(value)
            tasks.runAll()
          }
          let known = loop.elements
          (6...9).forEach { source.send($0) }
          loop.start(1, in: tasks)
          tasks.runAll()
          let isRight =
            known == known.sorted() && loop.elements == known + [9] && loop.problems.isEmpty
          return isRight ? nil : "got \(loop.elements), \(loop.problems)"
        }
      }
    }

    @Test func `B4 D7 explored: batches of a loop that rejoins, against a cancel`() {
      explore("batches: next;next|send 10;11;20|cancel, rejoin") {
        let (source, tasks) = (ExploredSource(), ExploredTasks())
        let replay = Replay<Int>.sinceKeyframe(limit: .count(99), where: isTen)
        let loop = BatchLoop(rejoining(source, at: replay), upTo: 2)
        loop.start(2, in: tasks)
        return Scenario(threads: [
          { tasks.here { [10, 11, 20].forEach { source.send($0) } } }, tasks.runner(4),
          { tasks.here { loop.cancel() } },
        ]) {
          tasks.runAll()
          loop.start(2, in: tasks)
          tasks.runAll()
          let isRight = isRun(loop.elements, of: [10, 11, 20]) && loop.problems.isEmpty
          guard isRight, loop.ends.last == "nil", !source.isLive else {
            return "got \(loop.elements), \(loop.ends), \(loop.problems), live: \(source.isLive)"
          }
          return nil
        }
      }
    }

    private let isTen: @Sendable (Int) -> Bool = { $0 % 10 == 0 }

    private func rejoining(
      _ source: ExploredSource, at replay: Replay<Int>
    ) -> SharedBatches<Int, NumberedError> {
      source.share(replay: replay, backlog: .size(1, whenFull: .rejoin)).values.batches(upTo: 2)
    }

    /// Whether values are in their order, begin at a keyframe, and have gaps only in front of keyframes.
    private func isRun(_ values: [Int], of sent: [Int]) -> Bool {
      var place = 0
      for value in values {
        guard let index = sent[place...].firstIndex(of: value) else { return false }
        if index > place, !isTen(value) { return false }
        place = index + 1
      }
      return true
    }

    /// What a loop does that is too slow.
    enum Treatment: CaseIterable, Sendable {
      case drop, rejoin, rejoinAtKeyframe
    }

    @Test(arguments: Treatment.allCases)
    func `B4 B5 explored: batches of events tell each gap, against values, a clear and the end`(
      _ treatment: Treatment
    ) {
      explore("batches of events: next;next|send;send;send|clear;finish, \(treatment)") {
        let replay: Replay<Int> =
          treatment == .rejoinAtKeyframe ? .sinceKeyframe { $0 == 1 } : .last(2)
        let (subject, tasks) = (ReplaySubject<Int, NumberedError>(replay), ExploredTasks())
        let events = subject.values.joining(
          backlog: .size(1, whenFull: treatment == .drop ? .dropOldest : .rejoin)
        ).deliveries()
        let loop = BatchLoop(events.batches(upTo: 2), upTo: 2)
        let sent = Shared(0)
        let sink = subject.sink(receiveCompletion: { _ in }) { _ in sent.increment() }
        loop.start(2, in: tasks)
        return Scenario(threads: [
          { for value in 0..<3 { subject.send(value) } }, tasks.runner(3),
          {
            subject.clearReplay()
            subject.send(completion: .finished)
          },
        ]) {
          tasks.runAll()
          loop.start(6, in: tasks)
          tasks.runAll()
          sink.cancel()
          let walk = DeliveryWalk(loop.elements, in: Array(0..<sent.value))
          let isRight =
            walk.isRight && walk.arrived + walk.missed == sent.value && loop.ends.first == "nil"
          return isRight && loop.problems.isEmpty ? nil : "got \(loop.elements) of \(sent.value)"
        }
      }
    }

    @Test(arguments: [false, true])
    func `B4 B5 L9 explored: a loop that starts at keyframes joins, against values and a clear`(
      rejoins: Bool
    ) {
      explore("batches of events: join|send;send|clear, \(rejoins ? "rejoin" : "keep")") {
        let (subject, tasks) = (
          ReplaySubject<Int, NumberedError>(.sinceKeyframe(where: isTen)), ExploredTasks()
        )
        let loops = Shared<[BatchLoop<Delivery<Int>>]>([])
        return Scenario(threads: [
          {
            let events = subject.values.joining(
              backlog: rejoins ? .size(1, whenFull: .rejoin) : .unbounded
            ).deliveries()
            let loop = BatchLoop(events.batches(upTo: 2), upTo: 2)
            loops.change { $0.append(loop) }
          },
          {
            subject.send(10)
            subject.send(11)
          }, { subject.clearReplay() },
        ]) {
          [12, 20].forEach { subject.send($0) }
          subject.send(completion: .finished)
          let loop = loops.value[0]
          loop.start(6, in: tasks)
          tasks.runAll()
          let walk = DeliveryWalk(loop.elements, in: [10, 11, 12, 20])
          let values = loop.elements.compactMap(\.value)
          let isRight =
            walk.isRight && isRun(values, of: [10, 11, 12, 20]) && values.first.map(isTen) == true
            && loop.ends.first == "nil" && loop.problems.isEmpty
          return isRight ? nil : "got \(loop.elements)"
        }
      }
    }
  }
#endif
