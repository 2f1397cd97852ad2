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
}
