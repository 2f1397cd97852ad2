extension Workload {
  /// The others that are there while one comes and leaves; how much faster than OpenCombine.
  private static let others: [Others] = [
    (0, "no", 3), (1000, "1,000", 5), (100_000, "100,000", 20),
  ]
  private typealias Others = (count: Int, word: String, limit: Limit)

  /// Subscribe and cancel, with few and with many others.
  static let churn: [Workload] =
    others.map(newest) + others.map(random) + FanoutSide.Leaver.allCases.map(random)

  private static func newest(_ others: Int, _ word: String, _ limit: Limit) -> Workload {
    var workload = Workload(
      name: "subscribe-cancel-newest-\(others)",
      title: "subscribe + cancel the newest, \(word) others",
      amount: 20_000, peerAmount: peerAmount(others), fanout: { FanoutSide.newest(others, $0) },
      peer: { OpenCombineSide.newest(others, $0) }, peerLimit: limit)
    if others > 0 {
      workload.floor = { FanoutSide.newest(0, $0) }
      workload.floorTitle = "the same with no others"
      workload.floorLimit = 1.5
    }
    return workload
  }

  private static func random(_ others: Int, _ word: String, _ limit: Limit) -> Workload {
    Workload(
      name: "subscribe-cancel-random-\(others)",
      title: "cancel one at random + subscribe, \(word) others",
      amount: 20_000, peerAmount: peerAmount(others), fanout: { FanoutSide.random(others, $0) },
      peer: { OpenCombineSide.random(others, $0) }, peerLimit: limit)
  }

  private static func random(_ kind: FanoutSide.Leaver) -> Workload {
    Workload(
      name: "leave-\(kind.rawValue)-1000",
      title: "cancel one at random + subscribe, 1,000 others, \(kind.rawValue)",
      amount: 20_000, fanout: { FanoutSide.random(kind, 1000, $0) },
      floor: { FanoutSide.random(kind, 0, $0) }, floorTitle: "the same with no others",
      floorLimit: 2)
  }

  /// It copies the list of all that are there, each time that one comes or leaves.
  private static func peerAmount(_ others: Int) -> Int { others > 1000 ? 2_000 : 20_000 }
}
