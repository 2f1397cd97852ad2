public import Fanout

extension Publisher {
  /// Names this publisher in ownership graphs.
  ///
  /// An ``OwnershipGraph`` shows the name with the subject or shared publisher that this publisher
  /// is, or with the objects that stand for it if it consists of operators. Values pass through
  /// unchanged.
  ///
  /// - Parameter label: The name.
  /// - Returns: A publisher that adds the name to this one; demand, completion and cancel pass
  ///   through. If an object receives two names, the first one counts.
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
