public import FanoutEngine

extension Subscribers.Demand {
  /// The engine's word for the same count, made of what is public.
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
