extension Workload {
  /// Shares by key, loops that are told more than the values, and loops behind a history.
  static let streams: [Workload] = [
    Workload(
      name: "by-key-8", title: "SharedByKey, 4 keys → 8 sinks each", amount: 3_000_000,
      fanout: { FanoutSide.byKey(8, $0) }, floor: { FanoutSide.subject(Int.self, 8, $0) },
      floorTitle: "a subject → 8 sinks", floorLimit: 2, allocationLimit: 0),
    Workload(
      name: "by-key-subscribe-cancel", title: "one more subscriber of a key comes and leaves",
      amount: 20_000, fanout: { FanoutSide.keyChurn(1, $0) }, floor: FanoutSide.shareChurn,
      floorTitle: "the same at a share"),
    Workload(
      name: "by-key-connect", title: "first subscriber of a key comes and leaves",
      amount: 20_000, fanout: { FanoutSide.keyChurn(0, $0) }, floor: FanoutSide.connect,
      floorTitle: "the same at a share"),
    one("deliveries", "deliveries()", FanoutSide.toldOneByOne),
    one("rejoin", "joining(backlog: .rejoin), keyframes", FanoutSide.rejoiningOneByOne),
    one("send", "Broadcast.send, waits", FanoutSide.sentOneByOne),
    one("history", "joining(after:from:)", FanoutSide.splicedOneByOne),
    Workload(
      name: "history-stored", title: "values of a history → 1 loop", amount: 50_000,
      fanout: FanoutSide.stored, hasThreads: true, showsInstructions: true, countsVary: true),
  ]

  private static func one(_ name: String, _ title: String, _ fanout: @escaping Make) -> Workload {
    Workload(
      name: "\(name)-one-by-one", title: "\(title) → 1 loop, one by one", amount: 50_000,
      fanout: fanout)
  }
}
