extension Workload {
  /// All of them, in the order of the table.
  package static var all: [Workload] { sections.flatMap(\.workloads) }

  /// All of them, by what they are about.
  package static let sections: [(title: String, workloads: [Workload])] = [
    ("From one to many", sinks),
    ("Other kinds of values", payloads),
    ("Operators, demand and threads", [sequence, demandOne, inside] + threads),
    ("Operators that keep values", queues),
    (operatorsTitle, operators),
    ("Loops that await values", loops),
    ("Tasks that transform values", tasks),
    ("Coming and going", churn + [shareChurn, connect]),
    ("Keys, deliveries and histories", streams),
    ("A slow subscriber beside others", backlogs + waitingLoops),
    ("Recording and joining late", replay(1_000_000)),
  ]

  /// Those whose instructions are counted: all of them but what threads make different each time,
  /// and with less to set up, because counting takes fifty times as long.
  package static let instructionCounted: [Workload] =
    sections.dropLast().flatMap(\.workloads).filter {
      (!$0.hasThreads || $0.hasSteadyInstructions) && !$0.name.hasSuffix("-100000")
    } + replay(1_000)

  /// Those whose instructions are only shown, because they depend on the moment, with their floors.
  package static let instructionShown: [Workload] = sections.flatMap(\.workloads)
    .filter(\.showsInstructions).flatMap { [$0, $0.floorAlone].compactMap { $0 } }

  /// The floor as a workload of its own.
  package var floorAlone: Workload? {
    floor.map { Workload(name: name + ".floor", title: floorTitle, amount: amount, fanout: $0) }
  }

  private static let sequence = Workload(
    name: "sequence-map-scan", title: "sequence → map → scan → sink",
    amount: 1_000_000, fanout: FanoutSide.sequence, floor: Floor.pipeline,
    floorTitle: "loop through three closures",
    peer: OpenCombineSide.sequence, floorLimit: 2.5, peerLimit: 5.5)

  private static let demandOne = Workload(
    name: "demand-one-8", title: "subject → 8 subscribers at demand one",
    amount: 3_000_000, fanout: { FanoutSide.demandOne(8, $0) },
    floor: { FanoutSide.demandUnlimited(8, $0) },
    floorTitle: "the same at demand unlimited",
    peer: { OpenCombineSide.demandOne(8, $0) }, floorLimit: 2, peerLimit: 5,
    allocationLimit: 0)

  private static let inside = Workload(
    name: "inside-8", title: "subject → 8 sinks, sent inside receive",
    amount: 3_000_000, fanout: { FanoutSide.inside(8, $0) },
    floor: { FanoutSide.subject(Int.self, 8, $0) }, floorTitle: "the same, sent outside")

  private static let threads: [Workload] = [2, 4].map { count in
    Workload(
      name: "threads-\(count)", title: "\(count) threads → subject → 8 sinks",
      amount: 3_000_000, peerAmount: 400_000, fanout: { FanoutSide.threads(count, $0) },
      peer: { OpenCombineSide.threads(count, $0) },
      peerLimit: count == 2 ? 6 : nil, hasThreads: true)
  }

  private static let shareChurn = Workload(
    name: "share-subscribe-cancel", title: "one more subscriber of map + share() comes and leaves",
    amount: 20_000, peerAmount: 20_000,
    fanout: FanoutSide.shareChurn, peer: OpenCombineSide.shareChurn, peerLimit: 7,
    allocationLimit: 4)

  private static let connect = Workload(
    name: "connect-disconnect", title: "first subscriber of share() comes and leaves",
    amount: 20_000, peerAmount: 20_000,
    fanout: FanoutSide.connect, peer: OpenCombineSide.connect, peerLimit: 4, allocationLimit: 8)
}
