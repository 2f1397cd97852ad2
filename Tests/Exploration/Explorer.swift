// `@unchecked Sendable` invariant: of the explored threads one runs at a time. That thread alone
// touches the state, or the exploring thread between two runs; semaphores hand it over. Exceptions
// are `crew`, `key` and `preparing`.

#if FANOUT_EXPLORER
  import Dispatch
  package import FanoutEngine
  import FanoutTestSupport
  import TestThreads

  /// An explorer that runs a few threads in every order with a limited number of preemptions.
  ///
  /// The threads are real, but one runs at a time. At each access to a shared object the explorer
  /// chooses the thread that continues, depth first. Its results hold for sequentially consistent
  /// memory; weaker orders are left to Thread Sanitizer. The idea is that of CHESS (Musuvathi,
  /// Qadeer).
  package final class Explorer: ScheduleController, @unchecked Sendable {
    /// A reason for which a run fails to end.
    enum Trouble: String {
      case deadlock = "deadlock: every thread that is left waits for a lock"
      case endless = "no end after a million steps"
    }

    private struct Watched {
      weak var source: (any WakingSource)?
    }

    private struct Member {
      let wake = DispatchSemaphore(value: 0)
      let job = Shared<(@Sendable () -> Void)?>(nil)
    }

    package static let shared = Explorer()
    private static let mostSteps = 1_000_000

    /// A semaphore that lets one scenario be explored at a time.
    let turn = DispatchSemaphore(value: 1)
    private let key = ThreadLocalNumber()
    private let hasEnded = DispatchSemaphore(value: 0)
    private var crew: [Member] = []
    private var isDone: [Bool] = []
    private var waitsFor: [Int?] = []
    /// The threads that wait in a loop for another one.
    private var pausing: Set<Int> = []
    /// The locks that each thread holds.
    private var held: [[Int]] = []
    /// The thread that takes one step, the holder of the lock for which it waits, and so on; no other thread runs.
    private var undisturbed: [Int] = []
    private var bound = 0
    private var switches = 0
    private var steps = 0
    private var schedule: Schedule?
    private var chance = SeededChance(seed: 0)
    /// The rarity of random switches, so that some runs switch early and others late.
    private var patience = 0
    private var trouble: Trouble?
    private(set) var choices: [Schedule.Choice] = []
    let conflicts = ConflictFinder()
    /// The sources that were made since a scenario began.
    private var watched: [Watched] = []
    /// A number of the thread that explores, while it makes a scenario.
    private let preparing = ThreadLocalNumber()

    private init() { SchedulePoint.controller = self }

    /// Runs the bodies once: by the schedule and from its end on without switching, or at random
    /// without a schedule.
    func run(_ bodies: [@Sendable () -> Void], bound: Int, schedule: Schedule?) -> Trouble? {
      while crew.count < bodies.count { hire() }
      self.bound = bound
      self.schedule = schedule
      patience = 10 << Int.random(in: 0...4, using: &chance)
      (switches, steps, trouble, choices) = (0, 0, nil, [])
      isDone = bodies.map { _ in false }
      waitsFor = bodies.map { _ in nil }
      pausing = []
      held = bodies.map { _ in [] }
      undisturbed = []
      for (member, body) in zip(crew, bodies) { member.job.value = body }
      crew[pick(from: Array(bodies.indices))].wake.signal()
      hasEnded.wait()
      // The other threads of a failed run wait forever.
      if trouble != nil { crew = [] }
      return trouble
    }

    package func makeIdentity() -> Int { conflicts.makeIdentity(by: key.number) }

    package func reach(_ identity: Int, writes: Bool) {
      guard let me = key.number else { return }
      guard steps < Self.mostSteps else { return abandon(.endless) }
      // At an access that no other thread can notice, a switch would equal a later one.
      if conflicts.mayMatter(identity, to: me, writes: writes), undisturbed.isEmpty {
        goOn(me)
      } else {
        steps += 1
      }
    }

    /// Runs `body` as one step of the calling thread.
    ///
    /// For calls into the runtime that hold a lock of its own meanwhile, of which the explorer does not know. If `body`
    /// needs a lock that another thread holds, that one runs until it unlocks, and no further: it could need the
    /// runtime's lock.
    package func inOneStep(_ body: () -> Void) {
      reach(SchedulePoint.everywhere, writes: true)
      guard let me = key.number else { return body() }
      undisturbed.append(me)
      defer { undisturbed.removeLast() }
      body()
    }

    package func wait(forLock identity: Int) -> Bool {
      guard let me = key.number else { return false }
      waitsFor[me] = identity
      if undisturbed.isEmpty {
        goOn(me)
      } else {
        waitUndisturbed(me)
      }
      return true
    }

    /// Lets the holder of a lock run, or of the lock for which that one waits.
    private func waitUndisturbed(_ me: Int) {
      var next = me
      while let identity = waitsFor[next] {
        let holder = held.firstIndex { $0.contains(identity) }
        guard let holder, !undisturbed.contains(holder) else { return abandon(.deadlock) }
        undisturbed.append(holder)
        next = holder
      }
      hand(over: next, from: me)
    }

    package func locked(_ identity: Int) {
      guard let me = key.number else { return }
      held[me].append(identity)
    }

    package func unlocked(_ identity: Int) {
      guard let me = key.number else { return }
      if let place = held[me].lastIndex(of: identity) { held[me].remove(at: place) }
      let waiting = undisturbed.dropLast().last.flatMap { waitsFor[$0] == identity ? $0 : nil }
      for index in waitsFor.indices where waitsFor[index] == identity { waitsFor[index] = nil }
      guard let waiting else { return }
      undisturbed.removeLast()
      hand(over: waiting, from: me)
    }

    package func watch(_ source: any WakingSource) {
      guard key.number != nil || preparing.number != nil else { return }
      watched.append(Watched(source: source))
    }

    /// Begins to watch the sources that a scenario makes.
    func beginWatching() {
      watched = []
      preparing.number = 0
    }

    /// The work that a source has left undone after a run; nil if there is none.
    var unserved: String? {
      preparing.number = nil
      return watched.lazy.compactMap { $0.source?.unserved }.first.map { "D18: " + $0 }
    }

    package func pause() {
      guard let me = key.number else { return }
      // It tries again when another thread has had its turn; alone it goes on, up to the limit of steps.
      let others = isDone.indices.filter { $0 != me && !isDone[$0] && waitsFor[$0] == nil }
      guard steps < Self.mostSteps else { return abandon(.endless) }
      guard !others.isEmpty else { return steps += 1 }
      // Of several that wait in loops, each would go on with another one, for ever.
      pausing.insert(me)
      let busy = others.filter { !pausing.contains($0) }
      hand(over: pick(from: busy.isEmpty ? others : busy), from: me)
      pausing.remove(me)
    }

    private func hire() {
      let member = Member()
      let number = crew.count
      crew.append(member)
      startThread { [self] in
        key.number = number
        while true {
          member.wake.wait()
          member.job.value?()
          member.job.value = nil
          finish(number)
        }
      }
    }

    /// Lets the chosen thread continue, which may be the calling one.
    private func goOn(_ me: Int) {
      guard let next = choose(after: me) else { return abandon(.deadlock) }
      guard next != me else { return }
      hand(over: next, from: me)
    }

    /// Lets another thread run until this one is chosen again.
    private func hand(over next: Int, from me: Int) {
      let wake = crew[me].wake
      crew[next].wake.signal()
      wake.wait()
    }

    private func finish(_ me: Int) {
      isDone[me] = true
      if let next = choose(after: me) {
        crew[next].wake.signal()
      } else {
        trouble = isDone.allSatisfy { $0 } ? nil : .deadlock
        hasEnded.signal()
      }
    }

    private func abandon(_ trouble: Trouble) {
      self.trouble = trouble
      hasEnded.signal()
      DispatchSemaphore(value: 0).wait()
    }

    private func choose(after me: Int) -> Int? {
      var able = isDone.indices.filter { !isDone[$0] && waitsFor[$0] == nil }
      let canStay = able.contains(me)
      if canStay {
        if switches >= bound {
          steps += 1
          return me
        }
        able.removeAll { $0 == me }
        able.insert(me, at: 0)
      }
      guard !able.isEmpty else { return nil }
      let next = pick(from: able)
      if canStay, next != me { switches += 1 }
      return next
    }

    private func pick(from able: [Int]) -> Int {
      steps += 1
      guard able.count > 1 else { return able[0] }
      let wanted =
        schedule?.pick(at: steps) ?? max(0, Int.random(in: -patience...2, using: &chance))
      let picked = min(wanted, able.count - 1)
      choices.append(Schedule.Choice(step: steps, picked: picked, count: able.count))
      return able[picked]
    }
  }
#endif
