extension Workload {
  /// Values that `for await` loops take, while one thread sends them.
  static let loops: [Workload] =
    [1, 4, 10].map { count in
      Workload(
        name: "elements-\(count)",
        title: "share().elements() → \(count) loop\(count == 1 ? "" : "s")", amount: 200_000,
        fanout: { FanoutSide.elements(count, $0) }, floor: { Floor.streams(count, $0) },
        floorTitle: "an AsyncStream each", hasThreads: true, suspends: true)
    } + [
      Workload(
        name: "buffer-values", title: "subject → buffer → values → 1 loop", amount: 200_000,
        fanout: FanoutSide.bufferedValues, floor: { Floor.streams(1, $0) },
        floorTitle: "an AsyncStream", hasThreads: true, suspends: true)
    ]
}
