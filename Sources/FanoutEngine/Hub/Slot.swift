// Unsafe references: invariant: `outlet` and `cursor` are non-nil together; the cursor is retained
// by the slot and retains the outlet, until the holder of the drain vacates the slot.

/// One entry of a hub's list of receivers, laid out so that going through it touches nothing else.
@usableFromInline
struct Slot<Element, End> {
  @usableFromInline var outlet: Unmanaged<Outlet<Element, End>>?
  @usableFromInline var cursor: Unmanaged<Cursor<Element, End>>?

  @inlinable
  init(outlet: Unmanaged<Outlet<Element, End>>?, cursor: Unmanaged<Cursor<Element, End>>?) {
    self.outlet = outlet
    self.cursor = cursor
  }
}

@available(*, unavailable)
extension Slot: Sendable {}
