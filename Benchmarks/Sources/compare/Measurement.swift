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
  var openCombine: Double?

  /// Allocations per delivery, on the thread that sends.
  var allocations: Double?

  /// Retains per delivery, as last counted.
  var retains: Double?

  var limit: Double?
  var floorLimit: Double?
  var openCombineLimit: Double?
  var allocationLimit: Double?
}

extension Measurement {
  /// How many times what the floor takes.
  var floorRatio: Double? { floor.map { fanout / $0 } }

  /// For times, how many times faster than OpenCombine; for memory, how many times what it takes.
  var openCombineRatio: Double? {
    openCombine.map { unit == .nanoseconds ? $0 / fanout : fanout / $0 }
  }

  /// For each limit whether it is met.
  var verdicts: [Bool] {
    var verdicts: [Bool] = []
    func atMost(_ value: Double?, _ limit: Double?) {
      if let value, let limit { verdicts.append(value <= limit) }
    }
    atMost(fanout, limit)
    atMost(floorRatio, floorLimit)
    atMost(allocations, allocationLimit)
    switch unit {
    case .nanoseconds: atMost(openCombineLimit, openCombineRatio)
    case .bytes: atMost(openCombineRatio, openCombineLimit)
    }
    return verdicts
  }
}
