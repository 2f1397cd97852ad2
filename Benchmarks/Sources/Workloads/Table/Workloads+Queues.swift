extension Workload {
  /// Operators that keep values until they are asked for.
  static let queues: [Workload] = [
    Workload(
      name: "receive-on-queue", title: "receive(on: a concurrent queue)", amount: 100_000,
      peerAmount: 100_000, fanout: FanoutSide.receiveOnQueue,
      peer: OpenCombineSide.receiveOnQueue, peerLimit: 1, hasThreads: true),
    Workload(
      name: "receive-on-serial-queue", title: "receive(on: a serial queue)", amount: 500_000,
      peerAmount: 100_000, fanout: FanoutSide.receiveOnSerialQueue, floor: Floor.batches,
      floorTitle: "lock + array, in batches", peer: OpenCombineSide.receiveOnSerialQueue,
      floorLimit: 4, peerLimit: 6, hasThreads: true, countsVary: true),
    queue(
      "receive-on-immediate", "receive(on: ImmediateScheduler)", FanoutSide.receiveAtOnce,
      OpenCombineSide.receiveAtOnce, peerLimit: 1),
    queue("buffer", "buffer", FanoutSide.buffer, OpenCombineSide.buffer, peerLimit: 10),
    queue(
      "flat-map", "flatMap { Just($0) }", FanoutSide.flatMap, OpenCombineSide.flatMap,
      peerLimit: 4, allocationLimit: 2),
    Workload(
      name: "merge-4", title: "4 subjects → merge → sink", amount: 200_000,
      fanout: FanoutSide.merge, floor: Floor.lockedSink, floorTitle: "lock + closure",
      floorLimit: 5),
  ]

  private static func queue(
    _ name: String, _ title: String, _ fanout: @escaping Make, _ peer: @escaping Make,
    peerLimit: Double, allocationLimit: Double? = nil
  ) -> Workload {
    Workload(
      name: name, title: "subject → \(title) → sink", amount: 200_000, peerAmount: 200_000,
      fanout: fanout, peer: peer, peerLimit: peerLimit, allocationLimit: allocationLimit)
  }
}
