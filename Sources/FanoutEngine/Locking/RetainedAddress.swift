// Invariant of the pointer: it carries one retain, which the code that takes it out later owns.

/// Retains an object and returns its address.
///
/// Code that publishes an object by an atomic operation retains it with this function, and not with
/// `passRetained`: the optimiser moves such a retain behind the operation, and another thread may
/// release the object in between. So this function is neither optimised nor inlined.
@inline(never)
@_optimize(none)
func retainedAddress(of object: AnyObject) -> UnsafeRawPointer {
  UnsafeRawPointer(Unmanaged.passRetained(object).toOpaque())
}
