extension MemoryMeasure {
  /// All of them, in the order of the table.
  package static let all: [MemoryMeasure] = [
    MemoryMeasure(
      name: "memory-subscriber", title: "a subscriber, of 10,000", unit: "bytes",
      fanout: FanoutSide.bytesOfSubscriber, peer: OpenCombineSide.bytesOfSubscriber,
      limit: 300, peerLimit: 0.55),
    MemoryMeasure(
      name: "memory-share", title: "an idle share()", unit: "bytes",
      fanout: FanoutSide.bytesOfShare, peer: OpenCombineSide.bytesOfShare),
    MemoryMeasure(
      name: "memory-share-latest", title: "an idle share(replay: .latest)", unit: "bytes",
      fanout: FanoutSide.bytesOfShareLatest, peer: OpenCombineSide.bytesOfShareLatest),
    MemoryMeasure(
      name: "memory-cached", title: "a value in .all, of 1,000,000", unit: "bytes",
      fanout: { FanoutSide.bytesOfCached { $0 } },
      floor: Double(MemoryLayout<Int>.stride), floorLimit: 1.05),
    MemoryMeasure(
      name: "memory-cached-64-bytes", title: "a value in .all, of 1,000,000, 64 bytes",
      unit: "bytes", fanout: { FanoutSide.bytesOfCached(Packet.init) },
      floor: Double(MemoryLayout<Packet>.stride), floorLimit: 1.05),
    MemoryMeasure(
      name: "memory-loop-behind", title: "a value for one loop of four, 100,000 behind",
      unit: "bytes", fanout: FanoutSide.bytesOfLoopBehind,
      floor: Double(MemoryLayout<Int>.stride), floorLimit: 1.05),
    growth("none", ".none", .none), growth("latest", ".latest", .latest),
    growth("last-100", ".last(100)", .last100),
  ]

  private static func growth(
    _ word: String, _ title: String, _ policy: FanoutSide.Policy
  ) -> MemoryMeasure {
    MemoryMeasure(
      name: "growth-\(word)", title: "growth over 10,000,000 values in \(title)", unit: "bytes",
      fanout: { FanoutSide.growth(policy) }, limit: 0)
  }
}
