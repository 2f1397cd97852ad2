extension Workload {
  /// All of them, in the order of the table.
  package static var all: [Workload] { sections.flatMap(\.workloads) }

  /// All of them, by what they are about.
  package static let sections: [(title: String, workloads: [Workload])] = [
    ("From one to many", sinks),
    ("Other kinds of values", payloads),
    ("Operators, demand and threads", [sequence, demandOne] + threads),
    ("Coming and going", churn + [connect]),
    ("Recording and joining late", replay),
  ]

  private static let sequence = Workload(
    name: "sequence-map-scan", title: "sequence → map → scan → sink",
    amount: 1_000_000, fanout: FanoutSide.sequence, floor: Floor.pipeline,
    floorTitle: "loop through three closures",
    openCombine: OpenCombineSide.sequence, floorLimit: 2.5, openCombineLimit: 5.5)

  private static let demandOne = Workload(
    name: "demand-one-8", title: "subject → 8 subscribers at demand one",
    amount: 3_000_000, fanout: { FanoutSide.demandOne(8, $0) },
    floor: { FanoutSide.demandUnlimited(8, $0) },
    floorTitle: "the same at demand unlimited",
    openCombine: { OpenCombineSide.demandOne(8, $0) }, floorLimit: 2, openCombineLimit: 5,
    allocatesNothing: true)

  private static let threads: [Workload] = [2, 4].map { count in
    Workload(
      name: "threads-\(count)", title: "\(count) threads → subject → 8 sinks",
      amount: 3_000_000, peerAmount: 400_000, fanout: { FanoutSide.threads(count, $0) },
      openCombine: { OpenCombineSide.threads(count, $0) },
      openCombineLimit: count == 2 ? 6 : nil, hasThreads: true)
  }

  private static let connect = Workload(
    name: "connect-disconnect", title: "first subscriber of share() comes and leaves",
    amount: 20_000, peerAmount: 20_000,
    fanout: FanoutSide.connect, openCombine: OpenCombineSide.connect)

  private static let replay: [Workload] = [
    Workload(
      name: "record-all", title: "record 1,000,000 in .all",
      fanout: { FanoutSide.record(.all, $0) }, floor: Floor.record, floorTitle: "lock + append",
      floorLimit: 1.5),
    Workload(
      name: "record-last-100", title: "record 1,000,000 in .last(100)",
      fanout: { FanoutSide.record(.last100, $0) }, floor: Floor.record,
      floorTitle: "lock + append"),
    Workload(
      name: "record-since-keyframe", title: "record 1,000,000 in .sinceKeyframe",
      fanout: { FanoutSide.record(.sinceKeyframe, $0) }, floor: Floor.record,
      floorTitle: "lock + append"),
    Workload(
      name: "join-all", title: "join 1,000,000 in .all",
      fanout: { FanoutSide.join(.all, remembered: $0, $0) }, floor: Floor.replay,
      floorTitle: "array through a closure", floorLimit: 2),
    Workload(
      name: "join-last-100", title: "join 100 in .last(100)",
      fanout: { FanoutSide.join(.last100, remembered: 100, $0) }, floor: Floor.replay,
      floorTitle: "array through a closure"),
    Workload(
      name: "join-since-keyframe", title: "join 100 in .sinceKeyframe",
      fanout: { FanoutSide.join(.sinceKeyframe, remembered: 100, $0) }, floor: Floor.replay,
      floorTitle: "array through a closure"),
    Workload(
      name: "slow-subscriber", title: "one of two is 100,000 behind in .all",
      fanout: FanoutSide.slow),
  ]
}
