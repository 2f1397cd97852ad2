extension Workload {
  /// With each backlog, beside a subscriber that takes nothing.
  static var backlogs: [Workload] {
    FanoutSide.BacklogKind.allCases.map { kind in
      Workload(
        name: "beside-\(kind.rawValue)", title: "3 sinks beside one that takes nothing, \(kind)",
        fanout: { FanoutSide.beside(kind, hasSlow: true, $0) },
        floor: { FanoutSide.beside(kind, hasSlow: false, $0) }, floorTitle: "without it")
    }
  }
  /// Loops of different speeds, of which the slowest sets the pace, beside one over the source itself.
  static let waitingLoops: [Workload] = PacedLoops.Work.allCases.map { work in
    Workload(
      name: "wait-loops\(work == .none ? "" : "-\(work.rawValue)")",
      title: "share(backlog: .wait).values → 4 loops"
        + (work == .none ? "" : ", \(work.rawValue)"),
      amount: work == .none ? 100_000 : 50_000, fanout: { FanoutSide.waitingLoops(work, $0) },
      floor: { FanoutSide.singleLoop(work, $0) },
      floorTitle: "a loop over the source, as slow as the slowest", floorLimit: 3,
      hasThreads: true, showsInstructions: work == .none, countsVary: true)
  }
}
