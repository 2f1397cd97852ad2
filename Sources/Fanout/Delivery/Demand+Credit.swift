public import FanoutEngine

extension Subscribers.Demand {
  /// The same count as the engine's credit, converted through public API only.
  @inlinable var credit: Credit {
    guard let max else { return .unlimited }
    return Credit(rawValue: UInt(max))
  }
}

extension Credit {
  @inlinable var demand: Subscribers.Demand {
    isUnlimited ? .unlimited : .max(Int(rawValue))
  }
}
