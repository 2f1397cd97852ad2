// Unmanaged references: invariant: the cursor owns the retain of `owner` that is made here, and the
// cancellable owns the only retain of the cursor.

public import FanoutEngine

extension Hub {
  /// Attaches closures whose sink retains `owner`, which retains this hub.
  @inlinable
  package func sink(
    _ closures: consuming SinkClosures<Element, End>, owner: AnyObject
  ) -> AnyCancellable {
    start(
      SinkCursor(
        hub: .passUnretained(self), owner: .passRetained(owner), closures: consume closures))
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
