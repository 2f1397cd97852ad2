extension Workload {
  /// Those whose instructions may only grow as the crowd does: all of its members are full, ask and leave.
  package static let crowds: [Workload] = FanoutSide.FullBacklog.allCases.flatMap { kind in
    [
      Workload(
        name: "crowd-\(kind.rawValue)", title: "full subscribers ask and leave, \(kind)",
        fanout: { FanoutSide.subscribers(kind, $0) }),
      Workload(
        name: "crowd-loops-\(kind.rawValue)",
        title: "full loops beside full subscribers take and leave, \(kind)",
        fanout: { FanoutSide.loops(kind, $0) }),
    ]
  }
}
