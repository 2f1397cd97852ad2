#if FANOUT_EXPLORER
  import Dispatch
  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Darwin)
    import Darwin
  #endif

  /// What a scenario's threads do, and what must be true when they have done it.
  package struct Scenario {
    /// One closure for each thread.
    package let threads: [@Sendable () -> Void]
    /// Called when every thread has ended; what is wrong, or nil.
    package let check: () -> String?

    package init(threads: [@Sendable () -> Void], check: @escaping () -> String?) {
      self.threads = threads
      self.check = check
    }
  }

  /// What came of exploring a scenario.
  package struct Exploration: CustomStringConvertible {
    package let name: String
    package let bound: Int
    /// How many schedules were run.
    package let schedules: Int
    /// What went wrong, and in which schedule; nil if every one went well.
    package let failure: (message: String, schedule: Schedule)?

    package var description: String {
      guard let failure else {
        return "\(name): \(schedules) schedules, all that switch at most \(bound) times too often"
      }
      return """
        \(name), after \(schedules) schedules: \(failure.message)
        To see it again: FANOUT_SCHEDULE="\(name)=\(failure.schedule)"
        """
    }

    /// Runs a scenario in every schedule that takes a thread off at most `bound` times where it
    /// could go on, until one fails.
    ///
    /// Of a scenario named in the environment's `FANOUT_SCHEDULE` only that schedule is run.
    package static func explore(
      _ name: String, bound: Int = 2, _ make: () -> Scenario
    ) -> Exploration {
      let explorer = Explorer.shared
      explorer.turn.wait()
      defer { explorer.turn.signal() }
      let given = givenSchedule(for: name)
      var schedule = given
      var schedules = 0
      explorer.conflicts.begin()
      while true {
        explorer.conflicts.beginRun()
        let scenario = make()
        schedules += 1
        let trouble = explorer.run(scenario.threads, bound: bound, schedule: schedule)
        if let message = trouble?.rawValue ?? scenario.check() {
          return Exploration(
            name: name, bound: bound, schedules: schedules,
            failure: (message, Schedule(explorer.choices)))
        }
        if given != nil { break }
        // By chance at first: most of what is in conflict is soon met with.
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

    private static let runsByChance = 1000

    private static func givenSchedule(for name: String) -> Schedule? {
      guard let text = getenv("FANOUT_SCHEDULE").map({ String(cString: $0) }) else { return nil }
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, parts[0] == name else { return nil }
      return Schedule(String(parts[1]))
    }
  }
#endif
