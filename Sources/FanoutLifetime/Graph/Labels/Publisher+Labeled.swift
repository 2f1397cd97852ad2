public import Fanout

extension Publisher {
  /// Names this publisher for pictures of who keeps whom alive.
  ///
  /// An ``OwnershipGraph`` shows the name with the subject or shared publisher that this is; if this
  /// is made of operators, with what stands for them. Values pass through unchanged.
  ///
  /// - Parameter label: The name.
  /// - Returns: A publisher that is this one by that name; demand, completion and cancel pass through.
  ///   Of two names that an object gets the first one counts.
  ///
  /// ```swift
  /// import Fanout
  /// import FanoutLifetime
  ///
  /// let taps = PassthroughSubject<Int, Never>()
  /// print(OwnershipGraph(of: taps.labeled("taps")))
  /// // Prints:
  /// // PassthroughSubject 'taps'
  /// ```
  @inlinable
  public func labeled(_ label: String) -> Publishers.Labeled<Self> {
    Publishers.Labeled(upstream: self, label: label)
  }
}
