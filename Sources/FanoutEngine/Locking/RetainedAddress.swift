// Invariant of the pointer: it carries one retain, which the caller that takes it out of its place
// owns.

/// Retains an object and returns its address.
///
/// The code that takes the address out of its place later owns that retain.
///
/// Code that publishes an object by an atomic operation retains it with this function, and not with
/// `passRetained`: the optimiser moves such a retain behind the operation, and another thread may release
/// the object in between. So this function is neither optimised nor inlined.
@inline(never)
@_optimize(none)
func retainedAddress(of object: AnyObject) -> UnsafeRawPointer {
  UnsafeRawPointer(Unmanaged.passRetained(object).toOpaque())
}
