extension Workload {
  /// Values that `for await` loops take.
  static let loops: [Workload] =
    zip([1, 4, 10], [0.5, 0.4, 0.4] as [Limit]).map {
      elements($0, .pushed, floorLimit: $1, peerLimit: 8)
    }
    + FanoutSide.LoopDoor.allCases.flatMap { door in
      [1, 4, 10].map { loops(door, .none, $0) }
    }
    + FanoutSide.LoopBacklog.allCases.dropFirst().flatMap { backlog in
      FanoutSide.LoopDoor.allCases.map { loops($0, backlog, 4) }
    }
    + [1, 4].map { elements($0, .lockstep, floorLimit: 1.1, peerLimit: 2) }
    + [
      Workload(
        name: "batches-4", title: "share → batches(upTo: 64) → 4 loops", amount: 4_000_000,
        fanout: { FanoutSide.batches(4, $0) },
        floor: { FanoutSide.elements(4, .pushed, $0) }, floorTitle: "share().values",
        floorLimit: 0.4, hasThreads: true, showsInstructions: true, countsVary: true)
    ]
    + [1, 4].map { loops in
      Workload(
        name: "send-\(loops)",
        title: "Broadcast.send, waits → \(loops) loop\(loops == 1 ? "" : "s")", amount: 50_000,
        fanout: { FanoutSide.waitingSender(loops, $0) },
        floor: AsyncAlgorithmsSide.channel, floorTitle: "AsyncChannel.send → 1 loop",
        floorLimit: 1.1, hasThreads: true, showsInstructions: true, countsVary: true)
    }
    + [
      Workload(
        name: "buffer-values", title: "subject → buffer → values → 1 loop", amount: 200_000,
        fanout: FanoutSide.bufferedValues, floor: { Floor.streams(1, .pushed, $0) },
        floorTitle: "an AsyncStream", peer: AsyncAlgorithmsSide.buffer, library: .asyncAlgorithms,
        floorLimit: 1, hasThreads: true, countsVary: true),
      // At most one allocation for 1,000 values, as the loop itself takes a few.
      Workload(
        name: "sequence-values", title: "sequence → values → 1 loop", amount: 200_000,
        fanout: FanoutSide.sequenceValues, floor: AsyncAlgorithmsSide.sequence,
        floorTitle: "sequence.async of AsyncAlgorithms", floorLimit: 3.5, allocationLimit: 0.001),
    ]

  /// Values that tasks transform, up to four at a time.
  static let tasks: [Workload] = [
    asyncMap("at-once", "closure returns at once", Transform.returnsAtOnce),
    asyncMap("yielding", "closure yields once", Transform.yieldsOnce),
  ]

  private static func elements(
    _ loops: Int, _ pace: Loops.Pace, floorLimit: Limit, peerLimit: Limit
  ) -> Workload {
    let (word, words) = pace == .lockstep ? ("-lockstep", ", in lockstep") : ("", "")
    return Workload(
      name: "elements\(word)-\(loops)",
      title: "share().values → \(loops) loop\(loops == 1 ? "" : "s")\(words)",
      amount: pace == .lockstep ? 50_000 : 200_000,
      peerAmount: pace == .lockstep ? 50_000 : 200_000,
      fanout: { FanoutSide.elements(loops, pace, $0) }, floor: { Floor.streams(loops, pace, $0) },
      floorTitle: "an AsyncStream each", peer: { AsyncAlgorithmsSide.share(loops, pace, $0) },
      library: .asyncAlgorithms, floorLimit: floorLimit, peerLimit: peerLimit, hasThreads: true,
      showsInstructions: pace == .pushed, countsVary: true)
  }

  private static func loops(
    _ door: FanoutSide.LoopDoor, _ backlog: FanoutSide.LoopBacklog, _ loops: Int
  ) -> Workload {
    let policy = backlog == .none ? "" : "-\(backlog.rawValue)"
    let words = backlog == .none ? "" : ", \(backlog.rawValue)"
    return Workload(
      name: "loops-\(door)\(policy)-\(loops)",
      title: "share by \(door) → \(loops) loop\(loops == 1 ? "" : "s")\(words)",
      amount: 200_000, fanout: { FanoutSide.loops(door, backlog, loops, $0) },
      floor: { FanoutSide.elements(loops, .pushed, $0) }, floorTitle: "share().values",
      floorLimit: 1.3, hasThreads: true, countsVary: true)
  }

  private static func asyncMap(
    _ name: String, _ title: String, _ transform: @escaping Transform.Closure
  ) -> Workload {
    Workload(
      name: "async-map-\(name)", title: "asyncMap(maxConcurrent: 4), \(title)", amount: 100_000,
      fanout: { FanoutSide.asyncMap(transform, $0) },
      floor: { Floor.orderedWindow(4, transform, $0) },
      floorTitle: "a window of a task group, in order", floorLimit: 1.2, hasThreads: true,
      countsVary: true)
  }
}
