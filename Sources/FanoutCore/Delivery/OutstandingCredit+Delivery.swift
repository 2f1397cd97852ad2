public import FanoutEngine

extension OutstandingCredit {
  /// Delivers a value that uses one of this credit, and adds the demand that the subscriber returns.
  ///
  /// Returns the demand for the upstream. If the upstream failed inside the call and the account was
  /// closed, the demand goes to `pass` instead.
  @inlinable
  @inline(__always)
  package borrowing func deliver<Downstream: Subscriber>(
    _ value: Downstream.Input, to downstream: Downstream, whenClosed pass: (Credit) -> Void
  ) -> Subscribers.Demand {
    spendOne()
    let demand = downstream.receive(value)
    guard demand != .none, !add(demand.credit) else { return demand }
    pass(demand.credit)
    return .none
  }
}
