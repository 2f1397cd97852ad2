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

extension CreditAccount {
  /// Delivers a value that uses one of this credit, and adds the demand that the subscriber
  /// returns.
  ///
  /// Returns the demand for the upstream. If the upstream failed inside the call and the account
  /// was closed, the demand goes to `pass` instead.
  @inlinable
  @inline(__always)
  package borrowing func deliver<Downstream: Subscriber>(
    _ value: Downstream.Input, to downstream: Downstream, whenClosed pass: (Credit) -> Void
  ) -> Subscribers.Demand {
    takeOne()
    let demand = downstream.receive(value)
    guard demand != .none, !add(demand.credit) else { return demand }
    pass(demand.credit)
    return .none
  }
}
