// `@unchecked Sendable` invariant: a program runs on one thread.

#if FANOUT_EXPLORER
  import Exploration
  import Fanout
  import FanoutEngine
  import FanoutLifetime
  import TestFixtures

  /// Plays a program with a store, a stream and loops of Fanout, and follows it with the reference.
  final class SplicePlayer: @unchecked Sendable {
    let program: SpliceProgram
    let tasks = ExploredTasks()
    private(set) var world = SpliceWorld()
    private(set) var loops: [PlayedLoop] = []
    private(set) var problems: [String] = []
    private var stream: Broadcast<StoredRow, NumberedError>?
    private var history: History<StoredRow, Int>?
    /// A loop over the stream alone, which takes everything.
    private let witness: PlayedLoop
    private var watched: [(name: String, object: WeakReference)] = []

    init(_ program: SpliceProgram) {
      self.program = program
      let stream = Broadcast<StoredRow, NumberedError>(replay: program.replay.fanoutReplay)
      var iterator = stream.values.joining(.live).makeAsyncIterator()
      witness = PlayedLoop(ReferenceLoop(after: nil, .unbounded, program, joining: world)) {
        try await iterator.next(isolation: nil).map { .live($0) }
      }
      self.stream = stream
      history = History(by: \.id) { [unowned self] range in
        let read = PlayedRead(range, program, in: world)
        // One that was asked for a greater id may have been made wider, although another one has the first part.
        let canBeWider = loops.contains { $0.reference.last ?? .min > range.after ?? .min }
        let isOwn = loops.contains { $0.reference.mayAskItself(for: range, in: world) }
        if !canBeWider, !isOwn, let problem = world.problem(beginning: read, program) {
          problems.append(problem)
        }
        world.reads.append(read)
        return PlayedRows(read, self)
      }
      watched = [("the stream", WeakReference(stream)), ("the history", WeakReference(history))]
      witness.start(in: self)
      witness.allow(.max)
    }

    /// The first problem of a program, if there is one.
    static func problem(of program: SpliceProgram) -> String? {
      SplicePlayer(program).play()
    }

    private func play() -> String? {
      for (index, step) in program.steps.enumerated() {
        tasks.here { perform(step) }
        note("step \(index + 1), \(step)")
        if let problem = problems.first { return leave(with: problem) }
      }
      tasks.here {
        sendRest()
        for loop in loops { loop.allow(.max) }
      }
      settle()
      note("the last turns")
      if let problem = problems.first { return leave(with: problem) }
      world.isOpen = true
      for read in world.reads { read.wake() }
      settle()
      note("the last reads")
      if let problem = problems.first { return leave(with: problem) }
      tasks.here { finish() }
      settle()
      note("the end")
      for (number, loop) in loops.enumerated() where !loop.isOver {
        problems.append("loop \(number) is not over: \(loop.events)")
      }
      return leave(with: problems.first)
    }

    private func perform(_ step: SpliceProgram.Step) {
      switch step {
      case .post(let ids):
        for id in ids { store(id) }
        sendRest()
      case .store(let id): store(id)
      case .lose(let id):
        guard !world.hasFinished, program.faults.contains(.lacks) else { return }
        world.unsent.append(id)
        sendRest()
      case .send: send()
      case .trim(let id):
        guard program.faults.contains(.trims) else { return }
        world.forgotten = max(world.forgotten, min(id, world.sent.last ?? .min))
      case .join(let id, let backlog): join(after: id, backlog)
      case .take(let number, let count): loop(number)?.allow(count)
      case .cancel(let number): loop(number)?.cancel()
      case .leave(let number): loop(number)?.leave()
      case .give(let number, let count): read(number)?.give(count)
      case .fail(let number): if program.faults.contains(.fails) { read(number)?.fail() }
      case .run(let count): tasks.runner(count)()
      case .settle: settle()
      case .finish: finish()
      }
    }

    private func loop(_ number: Int) -> PlayedLoop? {
      loops.indices.contains(number) ? loops[number] : nil
    }

    private func read(_ number: Int) -> PlayedRead? {
      let open = world.openReads
      return open.isEmpty ? nil : open[number % open.count]
    }

    private func store(_ id: Int) {
      guard !world.hasFinished else { return }
      world.stored.append(id)
      world.unsent.append(id)
    }

    private func send() {
      guard !world.unsent.isEmpty, !world.hasFinished else { return }
      let id = world.unsent.removeFirst()
      world.sent.append(id)
      let row = StoredRow(id)
      // Of a burst a few rows say enough.
      if watched.count < 50 { watched.append(("\(id)", WeakReference(row))) }
      _ = stream?.yield(row)
    }

    private func sendRest() { while !world.unsent.isEmpty, !world.hasFinished { send() } }

    private func finish() {
      world.hasFinished = true
      stream?.finish()
    }

    private func join(after id: Int?, _ backlog: SpliceProgram.Backlog) {
      guard let stream, let history else { return }
      let spliced = stream.values.joining(
        after: id, from: history, backlog: backlog.fanoutBacklog)
      var iterator = spliced.makeAsyncIterator()
      let loop = PlayedLoop(ReferenceLoop(after: id, backlog, program, joining: world)) {
        try await iterator.next(isolation: nil)
      }
      loops.append(loop)
      loop.start(in: self)
    }

    /// Lets all tasks run until each waits, and compares with what is certain then.
    private func settle() {
      tasks.runAll()
      // H4: whatever the store and the other loops do.
      if !program.replay.letsWait, witness.events.count != world.sent.count {
        problems.append("H4: a plain loop has \(witness.events.count) of \(world.sent.count)")
      }
      let alive = loops.filter { !$0.isOver }
      for (number, loop) in loops.enumerated() where loop.isInside {
        if let problem = loop.reference.problem(waitingIn: world) {
          problems.append("loop \(number), \(problem): \(loop.events)")
        }
      }
      let needsRead = alive.contains { !$0.isInside || !$0.reference.isComplete(in: world) }
      // One whose backlog has dropped something asks, also if it has everything.
      if !needsRead, !world.openReads.isEmpty, loops.allSatisfy({ !$0.reference.canLag }) {
        problems.append("H5: a read goes on, and no loop needs it")
      }
      if loops.count == 1, let loop = loops.first, !loop.isOver,
        let problem = loop.reference.problem(aloneIn: world, isWaiting: loop.isInside)
      {
        problems.append("\(problem): \(loop.events)")
      }
    }

    /// Adds the problems that events have shown.
    private func note(_ place: String) {
      for (number, loop) in loops.enumerated() {
        if let problem = loop.reference.problems.first {
          problems.append("loop \(number), \(problem): \(loop.events)")
        }
      }
      if let problem = problems.first { problems[0] = "\(problem); behind \(place)" }
    }

    /// Ends everything; returns the problem, or what is kept alive.
    private func leave(with problem: String?) -> String? {
      tasks.here {
        world.isOpen = true
        for read in world.reads { read.wake() }
        for loop in loops + [witness] { loop.cancel() }
        (stream, history) = (nil, nil)
        tasks.runAll()
      }
      if let problem { return problem }
      if !world.openReads.isEmpty { return "a read goes on" }
      return watched.first { $0.object.isAlive }.map { "\($0.name) is kept alive" }
    }
  }

  /// A loop that takes events as a program allows.
  final class PlayedLoop: @unchecked Sendable {
    typealias Next = () async throws -> Delivery<StoredRow>?

    private(set) var reference: ReferenceLoop
    private(set) var events: [Delivery<Int>] = []
    private(set) var isOver = false
    /// Whether it waits for an event.
    private(set) var isInside = false
    private var isLeaving = false
    private var allowed = 0
    private var turn: OneShot<Void>?
    private var next: Next?
    private var task: Task<Void, Never>?

    init(_ reference: ReferenceLoop, _ next: @escaping Next) {
      self.reference = reference
      self.next = next
    }

    func start(in player: SplicePlayer) {
      nonisolated(unsafe) let next = next.take()
      task = Task(executorPreference: player.tasks) { [unowned player] in
        while await self.mayTake() {
          self.isInside = true
          self.reference.turns(in: player.world)
          let event = try? await next?()
          self.isInside = false
          guard let event else { break }
          self.events.append(event.map(\.id))
          self.reference.follow(event.map(\.id), in: player.world)
        }
        if !self.isLeaving { self.reference.ends(in: player.world) }
        self.isOver = true
      }
    }

    private func mayTake() async -> Bool {
      while allowed == 0, !isLeaving {
        let turn = OneShot<Void>()
        self.turn = turn
        await turn.wait(isolation: nil)
      }
      if allowed != .max { allowed -= isLeaving ? 0 : 1 }
      return !isLeaving
    }

    func allow(_ count: Int) {
      allowed = count == .max ? .max : allowed == .max ? .max : allowed + count
      turn.take()?.give(())
    }

    func cancel() {
      isLeaving = true
      task?.cancel()
      turn.take()?.give(())
    }

    func leave() {
      if isInside { return cancel() }
      isLeaving = true
      turn.take()?.give(())
    }
  }
#endif
