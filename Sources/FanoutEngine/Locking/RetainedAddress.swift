/// The address of an object that has been retained by the time this returns; whoever takes it out of
/// where it is put owns that retain.
///
/// What is published by an atomic operation is retained by this, and not by `passRetained` in the
/// same function: the optimiser moves such a retain behind the operation, and another thread may
/// release the object in between. So this is neither optimised nor inlined.
@usableFromInline
@inline(never)
@_optimize(none)
func retainedAddress(of object: AnyObject) -> UnsafeRawPointer {
  UnsafeRawPointer(Unmanaged.passRetained(object).toOpaque())
}
