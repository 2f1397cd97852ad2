#if FANOUT_EXPLORER
  import Exploration
  import Testing
  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Darwin)
    import Darwin
  #endif

  /// Explores a scenario, and records an issue for the finding, if there is one.
  func explore(_ name: String, bound: Int = 2, _ make: () -> Scenario) {
    report(Exploration.explore(name, bound: bound, make))
  }

  /// Prints the result of an exploration, and records an issue for the finding, if there is one.
  func report(_ exploration: Exploration) {
    print(exploration)
    // A search that stops at its time would lose what is still buffered.
    fflush(nil)
    if exploration.failure != nil { Issue.record("\(exploration)") }
  }
#endif
