// It does not say whether it is `Sendable`, as one of few: some nodes are, most are not, and a class
// that said that it is not could have no subclass that is.

/// A node of a chain of deliveries, from a drain down to a subscriber.
///
/// A node that another thread cancels must not release what a running delivery uses. The drain above knows
/// when a release is safe, once for a whole run of values, so a node that is *fused* with the drain needs
/// no protection of its own for each value. Only a node that consumes a value within the call can be fused,
/// and only such a node fuses its own subscriber: a subscriber of other code, which may deliver later or
/// elsewhere, ends the fused chain.
open class ChainNode {
  /// Creates a node.
  ///
  /// - Parameter isPart: Whether only others of the package's objects refer to it.
  @inlinable
  public init(isPart: Bool = false) { noteCreation(of: self, isPart: isPart) }

  /// Cancels the deliveries.
  open func cancel() {}

  /// Releases what deliveries use: the source that guards the node runs none any more.
  open func _sourceDidQuiesce() {}
}
