// A value on its way through these takes many locked instructions: 4 in `buffer`, 32 in `flatMap`. So where such an
// instruction is slow, they are less fast beside OpenCombine, and have a limit of their own.

extension Workload {
  /// Operators that keep values until they are asked for.
  static let queues: [Workload] = [
    Workload(
      name: "receive-on-queue", title: "receive(on: a concurrent queue)", amount: 100_000,
      peerAmount: 100_000, fanout: FanoutSide.receiveOnQueue,
      peer: OpenCombineSide.receiveOnQueue, peerLimit: 1, hasThreads: true,
      showsInstructions: true),
    Workload(
      name: "receive-on-serial-queue", title: "receive(on: a serial queue)", amount: 500_000,
      peerAmount: 100_000, fanout: FanoutSide.receiveOnSerialQueue, floor: Floor.batches,
      floorTitle: "lock + array, in batches", peer: OpenCombineSide.receiveOnSerialQueue,
      floorLimit: 4, peerLimit: Limit(6, withSlowLocks: 5), hasThreads: true,
      showsInstructions: true, countsVary: true),
    Workload(
      name: "receive-on-serial-queue-1000", title: "receive(on: a serial queue), 1,000 at once",
      amount: 200_000, peerAmount: 100_000,
      fanout: { FanoutSide.receiveOnSerialQueue(atOnce: 1000, $0) },
      floor: { Floor.batches(of: 1000, $0) }, floorTitle: "lock + array, in batches",
      peer: { OpenCombineSide.receiveOnSerialQueue(atOnce: 1000, $0) }, hasThreads: true,
      hasSteadyInstructions: true, countsVary: true),
    queue(
      "receive-on-immediate", "receive(on: ImmediateScheduler)", FanoutSide.receiveAtOnce,
      OpenCombineSide.receiveAtOnce, peerLimit: 1),
    queue(
      "buffer", "buffer", FanoutSide.buffer, OpenCombineSide.buffer,
      peerLimit: Limit(10, withSlowLocks: 5)),
    queue(
      "flat-map", "flatMap { Just($0) }", FanoutSide.flatMap, OpenCombineSide.flatMap,
      peerLimit: Limit(4, withSlowLocks: 2), allocationLimit: 2),
    Workload(
      name: "merge-4", title: "4 subjects → merge → sink", amount: 200_000,
      fanout: FanoutSide.merge, floor: Floor.lockedSink, floorTitle: "lock + closure",
      floorLimit: 5),
  ]

  private static func queue(
    _ name: String, _ title: String, _ fanout: @escaping Make, _ peer: @escaping Make,
    peerLimit: Limit, allocationLimit: Double? = nil
  ) -> Workload {
    Workload(
      name: name, title: "subject → \(title) → sink", amount: 200_000, peerAmount: 200_000,
      fanout: fanout, peer: peer, peerLimit: peerLimit, allocationLimit: allocationLimit)
  }
}
