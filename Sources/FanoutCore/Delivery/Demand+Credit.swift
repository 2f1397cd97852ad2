public import FanoutEngine

extension Subscribers.Demand {
  /// The same count as the engine's type.
  @inlinable package var credit: Credit { Credit(rawValue: rawValue) }
}

extension Credit {
  @inlinable package var demand: Subscribers.Demand {
    isUnlimited ? .unlimited : .max(Int(rawValue))
  }
}
