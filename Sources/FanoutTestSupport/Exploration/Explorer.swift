// `@unchecked Sendable` invariant: of the explored threads one runs at a time, and all but `crew`
// and `key` is touched by that one alone, or by the exploring thread between two runs; semaphores
// hand it over.

#if FANOUT_EXPLORER
  import Dispatch
  import FanoutEngine
  import TestThreads

  /// Runs a few threads in every order that switches at most so often where it need not.
  ///
  /// The threads are real, but one runs at a time. At each access to something shared the explorer
  /// decides who goes on, depth first. What it shows is true of sequentially consistent memory;
  /// weaker orders are left to Thread Sanitizer. The idea is that of CHESS (Musuvathi, Qadeer).
  package final class Explorer: ScheduleController, @unchecked Sendable {
    /// Why a run ended otherwise than well.
    enum Trouble: String {
      case deadlock = "deadlock: every thread that is left waits for a lock"
      case endless = "no end after a million steps"
    }

    private struct Member {
      let wake = DispatchSemaphore(value: 0)
      let job = Shared<(@Sendable () -> Void)?>(nil)
    }

    package static let shared = Explorer()
    private static let mostSteps = 1_000_000

    /// Scenarios are explored one at a time, whoever asks.
    let turn = DispatchSemaphore(value: 1)
    private let key = ThreadLocalNumber()
    private let hasEnded = DispatchSemaphore(value: 0)
    private var crew: [Member] = []
    private var isDone: [Bool] = []
    private var waitsFor: [Int?] = []
    private var bound = 0
    private var switches = 0
    private var steps = 0
    private var pickAt: (Int) -> Int = { _ in 0 }
    private var trouble: Trouble?
    private(set) var trace: [Schedule.Choice] = []

    private init() { SchedulePoint.controller = self }

    /// Runs the bodies once, picking as told.
    func run(
      _ bodies: [@Sendable () -> Void], bound: Int, pickAt: @escaping (Int) -> Int
    ) -> Trouble? {
      while crew.count < bodies.count { hire() }
      self.bound = bound
      self.pickAt = pickAt
      (switches, steps, trouble, trace) = (0, 0, nil, [])
      isDone = bodies.map { _ in false }
      waitsFor = bodies.map { _ in nil }
      for (member, body) in zip(crew, bodies) { member.job.value = body }
      crew[pick(from: Array(bodies.indices))].wake.signal()
      hasEnded.wait()
      // The others of a failed run wait for ever.
      if trouble != nil { crew = [] }
      return trouble
    }

    package func reach() {
      guard let me = key.number else { return }
      steps += 1
      guard steps < Self.mostSteps else { return abandon(.endless) }
      goOn(me)
    }

    package func wait(forLock lock: Int) -> Bool {
      guard let me = key.number else { return false }
      waitsFor[me] = lock
      goOn(me)
      return true
    }

    package func unlocked(_ lock: Int) {
      guard let me = key.number else { return }
      for index in waitsFor.indices where waitsFor[index] == lock { waitsFor[index] = nil }
      goOn(me)
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

    /// Lets the thread that was chosen go on, which may be the one that asks.
    private func goOn(_ me: Int) {
      let wake = crew[me].wake
      guard let next = choose(after: me) else { return abandon(.deadlock) }
      guard next != me else { return }
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
        if switches >= bound { return me }
        able.removeAll { $0 == me }
        able.insert(me, at: 0)
      }
      guard !able.isEmpty else { return nil }
      let next = pick(from: able)
      if canStay, next != me { switches += 1 }
      return next
    }

    private func pick(from able: [Int]) -> Int {
      guard able.count > 1 else { return able[0] }
      let picked = min(pickAt(trace.count), able.count - 1)
      trace.append(Schedule.Choice(picked: picked, count: able.count))
      return able[picked]
    }
  }
#endif
