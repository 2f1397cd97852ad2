extension Workload {
  /// Operators that keep values until they are asked for.
  static let queues: [Workload] = [
    Workload(
      name: "receive-on-queue", title: "receive(on: a concurrent queue)", amount: 100_000,
      peerAmount: 100_000, fanout: FanoutSide.receiveOnQueue,
      openCombine: OpenCombineSide.receiveOnQueue, openCombineLimit: 1, hasThreads: true),
    queue(
      "receive-on-immediate", "receive(on: ImmediateScheduler)", FanoutSide.receiveAtOnce,
      OpenCombineSide.receiveAtOnce),
    queue("buffer", "buffer", FanoutSide.buffer, OpenCombineSide.buffer),
    queue("flat-map", "flatMap { Just($0) }", FanoutSide.flatMap, OpenCombineSide.flatMap),
  ]

  private static func queue(
    _ name: String, _ title: String, _ fanout: @escaping Make, _ openCombine: @escaping Make
  ) -> Workload {
    Workload(
      name: name, title: "subject → \(title) → sink", amount: 200_000, peerAmount: 200_000,
      fanout: fanout, openCombine: openCombine, openCombineLimit: 1)
  }
}
