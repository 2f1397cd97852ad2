#if FANOUT_EXPLORER
  import Dispatch
  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Darwin)
    import Darwin
  #endif

  /// The closures of a scenario's threads, and the condition that must hold after them.
  package struct Scenario {
    /// One closure for each thread.
    package let threads: [@Sendable () -> Void]
    /// The check to call when every thread has ended and nothing is left undone (D18); it returns the problem, or nil.
    package let check: () -> String?
    /// The closure that does what is left to tasks when every thread has ended.
    package var settle: () -> Void = {}

    package init(threads: [@Sendable () -> Void], check: @escaping () -> String?) {
      self.threads = threads
      self.check = check
    }
  }

  /// The result of exploring a scenario.
  package struct Exploration: CustomStringConvertible {
    package let name: String
    package let bound: Int
    /// The number of schedules that were run.
    package let schedules: Int
    /// Whether all schedules with at most `bound` preemptions were run; otherwise all with one fewer, and some with
    /// `bound`.
    package let isComplete: Bool
    /// The problem and the schedule that shows it; nil if every schedule went well.
    package let failure: (message: String, schedule: Schedule)?

    /// Whether a search for rare faults explores, which has time for more variants of a scenario.
    package static var isSearch: Bool { getenv("FANOUT_BOUND") != nil }

    package var description: String {
      guard let failure else {
        let (all, some) = isComplete ? (bound, "") : (bound - 1, ", and some that do so once more")
        return
          "\(name): \(schedules) schedules, all that switch at most \(all) times too often\(some)"
      }
      return """
        \(name), after \(schedules) schedules: \(failure.message)
        To see it again: FANOUT_SCHEDULE="\(name)=\(failure.schedule)"
        """
    }

    /// Runs a scenario in every schedule with at most `bound` preemptions, until one fails.
    ///
    /// A preemption takes a thread off where it could continue. Of a scenario with very many schedules, all are run
    /// that have one preemption fewer, and 6,000 of the others. The environment's `FANOUT_BOUND` replaces the bound,
    /// and then all are run. If its `FANOUT_SCHEDULE` names a schedule of a scenario, only that one is run.
    package static func explore(
      _ name: String, bound: Int = 2, _ make: () -> Scenario
    ) -> Exploration {
      let searched = getenv("FANOUT_BOUND").flatMap { Int(String(cString: $0)) }
      if let searched { return explore(name, bound: searched, atMost: .max, make) }
      let explored = explore(name, bound: bound, atMost: gateCount, make)
      guard !explored.isComplete, explored.failure == nil else { return explored }
      let fewer = explore(name, bound: bound - 1, atMost: .max, make)
      return Exploration(
        name: name, bound: bound, schedules: explored.schedules + fewer.schedules,
        isComplete: false,
        failure: fewer.failure)
    }

    private static func explore(
      _ name: String, bound: Int, atMost count: Int, _ make: () -> Scenario
    ) -> Exploration {
      let explorer = Explorer.shared
      explorer.turn.wait()
      defer { explorer.turn.signal() }
      let given = givenSchedule(for: name)
      var schedule = given
      var schedules = 0
      var isComplete = true
      explorer.conflicts.begin()
      while true {
        explorer.conflicts.beginRun()
        explorer.beginWatching()
        let scenario = make()
        schedules += 1
        let trouble = explorer.run(scenario.threads, bound: bound, schedule: schedule)
        if trouble == nil { scenario.settle() }
        if let message = trouble?.rawValue ?? explorer.unserved ?? scenario.check() {
          return Exploration(
            name: name, bound: bound, schedules: schedules, isComplete: true,
            failure: (message, Schedule(explorer.choices)))
        }
        if given != nil { break }
        if schedules >= count {
          isComplete = false
          break
        }
        // At random first, because that soon finds most conflicts.
        if schedules < runsByChance { continue }
        if schedule == nil { explorer.conflicts.hasLearned = true }
        schedule = schedule.flatMap { _ in Schedule.following(explorer.choices) }
        guard schedule == nil else { continue }
        guard explorer.conflicts.hasLearned else { break }
        explorer.conflicts.hasLearned = false
        schedule = Schedule([])
      }
      return Exploration(
        name: name, bound: bound, schedules: schedules, isComplete: isComplete, failure: nil)
    }

    /// Runs `body` while no scenario is explored.
    package static func alone<Result>(_ body: () -> Result) -> Result {
      Explorer.shared.turn.wait()
      defer { Explorer.shared.turn.signal() }
      return body()
    }

    private static let runsByChance = 1000
    /// The number of schedules for which a gate has time.
    private static let gateCount = 6_000

    private static func givenSchedule(for name: String) -> Schedule? {
      guard let text = getenv("FANOUT_SCHEDULE").map({ String(cString: $0) }) else { return nil }
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, parts[0] == name else { return nil }
      return Schedule(String(parts[1]))
    }
  }
#endif
