// `@unchecked Sendable` invariant: the property of its own is a constant, and safe to use from any
// thread.

package import FanoutEngine

/// A reduced state under its lock, which the cache of the hub retains too.
package final class ReducedCell<State, Change>: Sendable {
  package let state: KeyLock<ReducedState<State, Change>>

  init(_ initial: State, _ reduce: @escaping @Sendable (inout State, Change) -> Void) {
    state = KeyLock(
      ReducedState(initial, reduce: reduce),
      misuse: """
        Broadcast(reducingInto:): the closure that changes the state uses the broadcast; change \
        the state alone.
        """)
    noteCreation(of: self, isPart: true)
  }

  /// The cache of the hub, which the delivering thread uses.
  var cache: CustomCache<StateUpdate<State, Change>> {
    CustomCache(
      record: { _ in withExtendedLifetime(self.state.withLock { $0.record() }) {} },
      // Inside the closure the state is changing.
      contents: { self.state.isHeldHere ? [] : [.snapshot(self.state.withLock { $0.recorded })] },
      count: { 1 }, isSnapshot: true)
  }
}

/// The core of a broadcast that shares a state, which it has accepted before the hub gets the
/// update.
///
/// The hub accepts an update under the lock of the state. So both have the same order, and no lock
/// is held while it delivers.
final class ReducingCore<State: Sendable, Change: Sendable, Failure: Error>:
  BroadcastCore<StateUpdate<State, Change>, Failure>, @unchecked Sendable
{
  typealias Update = StateUpdate<State, Change>

  let cell: ReducedCell<State, Change>

  init(
    _ cell: ReducedCell<State, Change>, _ backlog: Backlog<Update, Failure>?,
    _ observer: (any SharingObserver)?
  ) {
    self.cell = cell
    super.init(Replay(makeStateCache: { cell.cache }), backlog, observer, isReducing: true)
  }

  override var access: SharedAccess<Update, Failure> {
    var access = super.access
    access.isState = true
    return access
  }

  override var reducedCell: AnyObject? { cell }

  override func accept(_ update: Update) {
    hub.send(update) { admit in
      cell.state.withLock {
        $0.accept(update)
        admit()
      }
    }
  }
}
