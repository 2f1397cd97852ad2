extension Workload {
  private typealias Side<Value> = @Sendable (Value.Type, Int, Int) -> Run

  private struct Limits {
    let floor: Limit?
    let peer: Limit?
  }

  private static let counts = [1, 8, 64, 1000]
  private static let subjectLimits = [
    1: Limits(floor: 1.6, peer: 4), 8: Limits(floor: 1.0, peer: 15),
    64: Limits(floor: 0.7, peer: 20), 1000: Limits(floor: 0.7, peer: 20),
  ]
  private static let mapShareLimits = [
    1: Limits(floor: 2.2, peer: 12), 8: Limits(floor: 1.1, peer: 30),
    64: Limits(floor: 0.8, peer: 40), 1000: Limits(floor: 0.8, peer: 40),
  ]
  private static let latestLimits = [
    8: Limits(floor: 1.2, peer: 15), 64: Limits(floor: 1.2, peer: 15),
    1000: Limits(floor: 1.2, peer: 15),
  ]

  /// Each way of sharing, with few and with many sinks, `Int`.
  static let sinks: [Workload] =
    counts.map { subject(Int.self, "", $0) } + counts.map { mapShare(Int.self, "", $0) }
    + counts.map { latest(Int.self, "", $0) } + counts.map { currentValue(Int.self, "", $0) }
    + counts.map(capturing)

  /// Each way of sharing, with eight sinks, other kinds of values.
  static let payloads: [Workload] =
    all(Packet.self, "64 bytes") + all(Frame.self, "reference") + all(String.self, "String")

  /// A retain and a release for each value weigh more where a locked instruction is slow.
  private static let mapShareOfReferencesLimits = Limits(
    floor: Limit(1.1, withSlowLocks: 1.3), peer: 30)

  private static func all<Value: Payload>(_ type: Value.Type, _ word: String) -> [Workload] {
    [
      subject(type, word, 8), mapShare(type, word, 8), latest(type, word, 8),
      currentValue(type, word, 8),
    ]
  }

  private static func subject<Value: Payload>(
    _ type: Value.Type, _ word: String, _ count: Int
  ) -> Workload {
    var workload = make(
      ("subject", "subject", word, count), type, FanoutSide.subject, OpenCombineSide.subject,
      subjectLimits[count])
    workload.unretained = { Floor.unretained(type, count, $0) }
    return workload
  }

  private static func capturing(_ count: Int) -> Workload {
    Workload(
      name: "subject-capturing-\(count)",
      title: "subject → \(count) sink\(count == 1 ? " that holds" : "s that hold") an object",
      amount: 3_000_000, fanout: { FanoutSide.capturing(count, $0) },
      floor: { Floor.capturing(count, $0) },
      peer: { OpenCombineSide.capturing(count, $0) }, allocationLimit: 0)
  }

  private static func mapShare<Value: Payload>(
    _ type: Value.Type, _ word: String, _ count: Int
  ) -> Workload {
    make(
      ("map-share", "map + share()", word, count), type, FanoutSide.mapShare,
      OpenCombineSide.mapShare,
      type == Frame.self ? mapShareOfReferencesLimits : mapShareLimits[count])
  }

  private static func latest<Value: Payload>(
    _ type: Value.Type, _ word: String, _ count: Int
  ) -> Workload {
    make(
      ("share-latest", "share(replay: .latest)", word, count), type, FanoutSide.latest,
      OpenCombineSide.latest, latestLimits[count])
  }

  private static func currentValue<Value: Payload>(
    _ type: Value.Type, _ word: String, _ count: Int
  ) -> Workload {
    make(
      ("current-value", "CurrentValueSubject", word, count), type, FanoutSide.currentValue,
      OpenCombineSide.currentValue, nil)
  }

  @inline(__always)
  private static func make<Value: Payload>(
    _ label: (name: String, title: String, word: String, sinks: Int), _ type: Value.Type,
    _ fanout: @escaping Side<Value>, _ peer: @escaping Side<Value>, _ limits: Limits?
  ) -> Workload {
    let (name, title, word, sinks) = label
    let end = word.isEmpty ? "" : "-" + String(word.lowercased().map { $0 == " " ? "-" : $0 })
    return Workload(
      name: "\(name)-\(sinks)\(end)",
      title: "\(title) → \(sinks) sink\(sinks == 1 ? "" : "s")" + (word.isEmpty ? "" : ", \(word)"),
      amount: 3_000_000, fanout: { fanout(type, sinks, $0) },
      floor: { Floor.sinks(type, sinks, $0) },
      peer: { peer(type, sinks, $0) }, floorLimit: limits?.floor,
      peerLimit: limits?.peer, allocationLimit: 0)
  }
}
