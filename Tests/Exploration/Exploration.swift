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
    /// The problem and the schedule that shows it; nil if every schedule went well.
    package let failure: (message: String, schedule: Schedule)?

    /// Whether a search for rare faults explores, which has time for more variants of a scenario.
    package static var isSearch: Bool { getenv("FANOUT_BOUND") != nil }

    package var description: String {
      guard let failure else {
        return "\(name): \(schedules) schedules, all that switch at most \(bound) times too often"
      }
      return """
        \(name), after \(schedules) schedules: \(failure.message)
        To see it again: FANOUT_SCHEDULE="\(name)=\(failure.schedule)"
        """
    }

    /// Runs a scenario in every schedule with at most `bound` preemptions, until one fails.
    ///
    /// A preemption takes a thread off where it could continue. The environment's `FANOUT_BOUND` replaces the bound. If
    /// its `FANOUT_SCHEDULE` names a schedule of a scenario, only that one is run.
    package static func explore(
      _ name: String, bound: Int = 2, _ make: () -> Scenario
    ) -> Exploration {
      let bound = getenv("FANOUT_BOUND").flatMap { Int(String(cString: $0)) } ?? bound
      let explorer = Explorer.shared
      explorer.turn.wait()
      defer { explorer.turn.signal() }
      let given = givenSchedule(for: name)
      var schedule = given
      var schedules = 0
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
            name: name, bound: bound, schedules: schedules,
            failure: (message, Schedule(explorer.choices)))
        }
        if given != nil { break }
        // At random first, because that soon finds most conflicts.
        if schedules < runsByChance { continue }
        if schedule == nil { explorer.conflicts.hasLearned = true }
        schedule = schedule.flatMap { _ in Schedule.following(explorer.choices) }
        guard schedule == nil else { continue }
        guard explorer.conflicts.hasLearned else { break }
        explorer.conflicts.hasLearned = false
        schedule = Schedule([])
      }
      return Exploration(name: name, bound: bound, schedules: schedules, failure: nil)
    }

    /// Runs `body` while no scenario is explored.
    package static func alone<Result>(_ body: () -> Result) -> Result {
      Explorer.shared.turn.wait()
      defer { Explorer.shared.turn.signal() }
      return body()
    }

    private static let runsByChance = 1000

    private static func givenSchedule(for name: String) -> Schedule? {
      guard let text = getenv("FANOUT_SCHEDULE").map({ String(cString: $0) }) else { return nil }
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, parts[0] == name else { return nil }
      return Schedule(String(parts[1]))
    }
  }
#endif
