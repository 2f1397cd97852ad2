import Workloads

/// What one line of the table says.
struct Measurement {
  enum Unit {
    case nanoseconds, bytes
  }

  let name: String
  let title: String
  let unit: Unit
  let fanout: Double
  var floor: Double?
  var floorTitle: String?
  var unretained: Double?
  var peer: Double?

  /// The library that the peer is.
  let library: Library

  /// Allocations per delivery, on the thread that sends.
  var allocations: Double?

  /// Retains per delivery, as last counted.
  var retains: Double?

  /// The bytes that a subscription takes, and one of the peer's.
  var bytes: Double?
  var peerBytes: Double?

  /// The kind of the processor, which decides between limits.
  var locks = Locks.quick

  var limit: Double?
  var floorLimit: Limit?
  var peerLimit: Limit?
  var allocationLimit: Double?
}

extension Measurement {
  /// How many times what the floor takes.
  var floorRatio: Double? { floor.map { fanout / $0 } }

  /// For times, how many times faster than the peer; for memory, how many times what it takes.
  var peerRatio: Double? {
    peer.map { unit == .nanoseconds ? $0 / fanout : fanout / $0 }
  }

  /// How many times the bytes of a subscription of the peer's one takes.
  var bytesRatio: Double? {
    guard let bytes, let peerBytes else { return nil }
    return bytes / peerBytes
  }

  /// Allocations without the few that a whole run makes, unless none at all is allowed.
  private var judgedAllocations: Double? {
    allocations.map { allocationLimit == 0 ? $0 : ($0 * 1000).rounded() / 1000 }
  }

  /// For each limit whether it is met.
  var verdicts: [Bool] {
    var verdicts: [Bool] = []
    func atMost(_ value: Double?, _ limit: Double?) {
      if let value, let limit { verdicts.append(value <= limit) }
    }
    atMost(fanout, limit)
    atMost(floorRatio, floorLimit?.value(with: locks))
    atMost(judgedAllocations, allocationLimit)
    switch unit {
    case .nanoseconds: atMost(peerLimit?.value(with: locks), peerRatio)
    case .bytes: atMost(peerRatio, peerLimit?.value(with: locks))
    }
    return verdicts
  }
}
