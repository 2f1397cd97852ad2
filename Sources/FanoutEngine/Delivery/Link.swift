// It does not say whether it is `Sendable`, as one of few: some links are, most are not, and a class
// that said that it is not could have no subclass that is.

/// One link of a chain of deliveries: it can be stopped, and told that it may let go.
///
/// A link that may be stopped from another thread must not let go of what a running delivery uses.
/// The drain above it knows when that is safe, once for a whole run of values; a link that is guarded
/// by it needs no protection of its own per value. Only links that use up a value within the call may
/// be guarded, and only they pass the guard on: a subscriber that is not the package's, and may
/// deliver later or elsewhere, ends the chain.
open class Link {
  /// Makes a link.
  ///
  /// - Parameter isPart: Whether only others of the package's objects refer to it.
  @inlinable
  public init(isPart: Bool = false) { noteCreation(of: self, isPart: isPart) }

  /// Stops for good.
  open func cancel() {}

  /// Lets go of what deliveries use: the source it is guarded by runs none any more.
  open func _releaseFromGuard() {}
}
