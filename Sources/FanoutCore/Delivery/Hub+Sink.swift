// Unmanaged references: a cursor owns the retain of its owner that is made for it here, and a cancellable
// that of its cursor.

public import FanoutEngine

extension Hub {
  /// Attaches closures whose sink retains `owner`, which retains this hub.
  @inlinable
  package func sink(_ closures: SinkClosures<Element, End>, owner: AnyObject) -> AnyCancellable {
    start(
      SinkCursor(hub: .passUnretained(self), owner: .passRetained(owner), closures: closures))
  }

  /// Starts a sink, and passes its only retain to the cancellable.
  @inlinable
  @inline(__always)
  package func start(_ sink: consuming SinkCursor<Element, End>) -> AnyCancellable {
    let retained = Unmanaged.passRetained(consume sink)
    retained._withUnsafeGuaranteedRef { start($0, asking: .unlimited) }
    return AnyCancellable(retained: .fromOpaque(retained.toOpaque()))
  }
}
