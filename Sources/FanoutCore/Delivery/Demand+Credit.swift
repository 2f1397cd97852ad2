public import FanoutEngine

extension Subscribers.Demand {
  /// The engine's word for the same count.
  @inlinable package var credit: Credit { Credit(rawValue: rawValue) }
}

extension Credit {
  @inlinable package var demand: Subscribers.Demand {
    isUnlimited ? .unlimited : .max(Int(rawValue))
  }
}
