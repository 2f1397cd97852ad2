import Workloads

extension Measurement {
  /// Times a workload: the contenders take turns, and of each the best of five counts.
  init(_ workload: Workload, with locks: Locks) {
    let makes: [(make: Workload.Make?, amount: Int)] = [
      (workload.fanout, workload.amount), (workload.floor, workload.amount),
      (workload.unretained, workload.amount), (workload.peer, workload.peerAmount),
    ]
    var times = [Double?](repeating: nil, count: makes.count)
    var allocations = Double.infinity
    for _ in 0..<workload.rounds {
      for (index, contender) in makes.enumerated() {
        guard let run = contender.make?(contender.amount) else { continue }
        let result = Self.time(run)
        times[index] = min(times[index] ?? .infinity, result.time)
        if index == 0 { allocations = min(allocations, result.allocations) }
      }
    }
    self.init(
      name: workload.name, title: workload.title, unit: .nanoseconds, fanout: times[0] ?? .nan,
      floor: times[1], floorTitle: workload.floorTitle, unretained: times[2],
      peer: times[3], library: workload.library,
      allocations: workload.hasThreads || !Allocator.isCounted ? nil : allocations,
      retains: CommittedCounts.retains(workload),
      bytes: Allocator.isCounted ? workload.bytes?() : nil,
      peerBytes: Allocator.isCounted ? workload.peerBytes?() : nil,
      locks: locks, floorLimit: workload.floorLimit, peerLimit: workload.peerLimit,
      allocationLimit: workload.allocationLimit)
  }

  /// Nanoseconds and allocations per delivery.
  static func time(_ run: Workload.Run) -> (time: Double, allocations: Double) {
    let before = Allocator.allocations
    let start = ContinuousClock.now
    run.body()
    let time = start.duration(to: .now).components
    let after = Allocator.allocations
    let nanoseconds = Double(time.attoseconds) / 1e9 + Double(time.seconds) * 1e9
    let deliveries = Double(run.deliveries)
    return (nanoseconds / deliveries, Double(after - before) / deliveries)
  }
}

extension Measurement {
  /// Measures memory, once: it does not vary.
  init(_ measure: MemoryMeasure) {
    self.init(
      name: measure.name, title: measure.title, unit: .bytes, fanout: measure.fanout(),
      floor: measure.floor, floorTitle: "stride", peer: measure.peer?(), library: measure.library,
      limit: measure.limit, floorLimit: measure.floorLimit.map { Limit($0) },
      peerLimit: measure.peerLimit.map { Limit($0) })
  }
}
