public import FanoutEngine

extension Subscribers.Demand {
  /// The engine's word for the same count.
  @inlinable var credit: Credit { Credit(rawValue: rawValue) }
}

extension Credit {
  @inlinable var demand: Subscribers.Demand {
    isUnlimited ? .unlimited : .max(Int(rawValue))
  }
}
