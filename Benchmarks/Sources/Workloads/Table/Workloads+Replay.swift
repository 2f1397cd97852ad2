extension Workload {
  /// With so many values sent before somebody joins.
  static func replay(_ recorded: Int) -> [Workload] {
    [
      Workload(
        name: "record-subject", title: "record 1,000,000 in a ReplaySubject(.all)",
        fanout: FanoutSide.recordDirectly, floor: Floor.record, floorTitle: "lock + append",
        floorLimit: 1.5),
      Workload(
        name: "record-all", title: "record 1,000,000 in subject.multicast(replay: .all)",
        fanout: { FanoutSide.record(.all, $0) }, floor: Floor.record, floorTitle: "lock + append",
        floorLimit: 1.5),
      Workload(
        name: "record-last-100", title: "record 1,000,000 in …(replay: .last(100))",
        fanout: { FanoutSide.record(.last100, $0) }, floor: Floor.record,
        floorTitle: "lock + append"),
      Workload(
        name: "record-since-keyframe", title: "record 1,000,000 in …(replay: .sinceKeyframe)",
        fanout: { FanoutSide.record(.sinceKeyframe, $0) }, floor: Floor.record,
        floorTitle: "lock + append"),
      Workload(
        name: "join-all", title: "join 1,000,000 in .all",
        fanout: { FanoutSide.join(.all, remembered: recorded, of: recorded, $0) },
        floor: Floor.replay,
        floorTitle: "array through a closure", floorLimit: 2),
      Workload(
        name: "join-last-100", title: "join 100 in .last(100)",
        fanout: { FanoutSide.join(.last100, remembered: 100, of: recorded, $0) },
        floor: Floor.replay,
        floorTitle: "array through a closure"),
      Workload(
        name: "join-since-keyframe", title: "join 100 in .sinceKeyframe",
        fanout: { FanoutSide.join(.sinceKeyframe, remembered: 100, of: recorded, $0) },
        floor: Floor.replay,
        floorTitle: "array through a closure"),
      Workload(
        name: "slow-subscriber", title: "one of two is 100,000 behind in .all",
        fanout: { FanoutSide.slow(behind: recorded / 10, $0) }),
    ]
  }
}
