// Unmanaged references and unsafe casts: invariant: the receiver of a `SinkCursor` is the `SinkClosures` that
// it was made with, and their source is the cursor. They retain each other until the cursor is detached. So
// a slot that refers to the closures needs no retain.

/// A sink on a hub: the place of closures that receive every value.
open class SinkCursor<Element, End>: Cursor<Element, End> {
  /// Makes a cursor of a hub that `owner` retains.
  ///
  /// The caller passes `owner` retained; the cursor releases it.
  @inlinable
  public init(
    hub: Unmanaged<Hub<Element, End>>, owner: Unmanaged<AnyObject>,
    closures: consuming SinkClosures<Element, End>
  ) {
    let retained = Unmanaged.passRetained(consume closures)
    super.init(
      hub: hub, owner: owner, receiver: .fromOpaque(retained.toOpaque()), kind: .max)
    retained._withUnsafeGuaranteedRef { $0.adopt(self) }
  }

  public final override func finish(_ end: End, detach: () -> Bool) {
    let receiveEnd = closures._withUnsafeGuaranteedRef { $0.receiveEnd }
    if detach() { receiveEnd?(end) }
  }
}

extension Cursor {
  /// The receiver of a `SinkCursor`.
  @inlinable
  final var closures: Unmanaged<SinkClosures<Element, End>> {
    @inline(__always) get { .fromOpaque(receiver.toOpaque()) }
  }
}

extension SinkClosures {
  /// The place of these closures in a hub; their source is the place.
  @inlinable
  final var cursor: Unmanaged<Cursor<Element, End>>? { source.unmanaged() }
}
