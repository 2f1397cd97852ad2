extension Subscriber {
  /// Hands a value on in the way in which it came.
  @inlinable
  @inline(__always)
  func receive(_ input: Input, isGuarded: Bool) -> Subscribers.Demand {
    isGuarded ? _receiveGuarded(input) : receive(input)
  }
}
