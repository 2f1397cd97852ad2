internal import FanoutEngine

extension Broadcast {
  /// Creates a source of a state and its changes: each loop gets a snapshot of the state first,
  /// then every change.
  ///
  /// The broadcast holds the state, and ``state`` reads it. So an actor or a model that owns a
  /// state needs no copy of its own: it decides by `state`, and sends a change.
  /// ``send(_:isolation:)-(Element.Change,_)`` and ``yield(_:)-(Element.Change)`` take a change,
  /// and the members for an event take a snapshot too, which replaces the state.
  ///
  /// - Starts: when it is made.
  /// - Stops: at the end, or when it is released.
  /// - A late loop gets: a snapshot, then changes, then the end.
  /// - Slow loop: loses nothing, or what the ``Backlog`` says.
  /// - Memory: the state, and what the slowest loop has not taken.
  ///
  /// The rules are those of
  /// ``Publisher/share(reducingInto:disconnect:restart:backlog:observer:_:)``. But the state is
  /// there without a subscriber. A loop requests its values one by one.
  ///
  /// - Parameters:
  ///   - initial: The state at the beginning.
  ///   - backlog: The policy for the events that wait for a loop, or nil if all of them do.
  ///   - observer: The observer of the subscribers, or nil.
  ///   - reduce: The closure that applies a change to the state. It runs under a lock, so that
  ///     `state` is never between two changes: it must only compute, and traps if it reads `state`
  ///     or sends to the broadcast, also in a `deinit` of what it drops. It is called once for each
  ///     change, and once more on a copy if `state` is read while the change waits for its
  ///     delivery.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// actor Lobby {
  ///   let players = Broadcast(reducingInto: Set<String>()) {
  ///     (all: inout Set<String>, name: String) in
  ///     all.insert(name)
  ///   }
  ///
  ///   func enter(_ name: String) -> Bool {
  ///     guard players.state.count < 2, !players.state.contains(name) else { return false }
  ///     return players.yield(name).isAccepted
  ///   }
  /// }
  ///
  /// let lobby = Lobby()
  /// for name in ["ada", "ada", "alan", "grace"] { print(await lobby.enter(name)) }
  /// let first = await lobby.players.values.firstValue()
  /// if case .snapshot(let players) = first { print(players.sorted()) }
  /// // Prints:
  /// // true
  /// // false
  /// // true
  /// // false
  /// // ["ada", "alan"]
  /// ```
  public convenience init<State: Sendable, Change: Sendable>(
    reducingInto initial: State, backlog: Backlog<StateUpdate<State, Change>, Failure>? = nil,
    observer: (any SharingObserver)? = nil,
    _ reduce: @escaping @Sendable (inout State, Change) -> Void
  ) where Element == StateUpdate<State, Change>, Failure == Never {
    self.init(core: ReducingCore(ReducedCell(initial, reduce), backlog, observer))
  }

  /// Creates a source of a state and its changes that can fail; otherwise the same for a broadcast
  /// that cannot.
  ///
  /// - Parameters:
  ///   - initial: The state at the beginning.
  ///   - backlog: The policy for the events that wait for a loop, or nil if all of them do.
  ///   - observer: The observer of the subscribers, or nil.
  ///   - reduce: The closure that applies a change to the state, under a lock.
  public convenience init<State: Sendable, Change: Sendable>(
    reducingInto initial: State, backlog: Backlog<StateUpdate<State, Change>, Failure>? = nil,
    observer: (any SharingObserver)? = nil,
    _ reduce: @escaping @Sendable (inout State, Change) -> Void
  ) where Element == StateUpdate<State, Change> {
    self.init(core: ReducingCore(ReducedCell(initial, reduce), backlog, observer))
  }
}

extension Broadcast where Element: _StateUpdate {
  /// The state behind every change that was accepted.
  ///
  /// It can be newer than what a subscriber is receiving. A change is in it as soon as `yield` or
  /// `send` has returned, on every thread. After the end it is the last state. It traps if the
  /// broadcast was not made with `Broadcast(reducingInto:)`.
  ///
  /// Cost: a copy of the state. While changes wait for their delivery, as inside `receive` of a
  /// subscriber, the first reading makes a second state, and one call of the closure for each
  /// change that it lacks.
  public var state: Element.State { Element._state(in: core.reducedCell) }

  /// Sends a change of the state, and waits before that for room where the backlog waits; otherwise
  /// as ``send(_:isolation:)-(Element,_)``.
  ///
  /// - Parameters:
  ///   - change: The change.
  ///   - actor: The actor on which the caller runs.
  /// - Returns: What became of the change.
  @discardableResult
  public func send(
    _ change: Element.Change, isolation actor: isolated (any Actor)? = #isolation
  ) async -> Sent { await send(Element._changing(change), isolation: actor) }

  /// Sends a change of the state at once; otherwise as ``yield(_:)-(Element)``.
  ///
  /// - Parameter change: The change.
  /// - Returns: What became of the change.
  @discardableResult
  public func yield(_ change: Element.Change) -> Sent { yield(Element._changing(change)) }
}

/// An event of a shared state, as the constraint of the members that a ``Broadcast`` of one has.
///
/// ``StateUpdate`` is the only one.
@_documentation(visibility: internal)
public protocol _StateUpdate<State, Change> {
  /// The state.
  associatedtype State
  /// The change.
  associatedtype Change

  /// The event of a change.
  static func _changing(_ change: Change) -> Self
  /// The newest state in the cell of a broadcast.
  static func _state(in cell: AnyObject?) -> State
}

extension StateUpdate: _StateUpdate {
  /// The event of a change.
  @_documentation(visibility: internal)
  public static func _changing(_ change: Change) -> Self { .change(change) }

  /// The newest state in the cell of a broadcast.
  @_documentation(visibility: internal)
  public static func _state(in cell: AnyObject?) -> State {
    guard let cell = cell as? ReducedCell<State, Change> else {
      fatalError(
        "Broadcast.state: there is none; make the broadcast with Broadcast(reducingInto:).")
    }
    let (state, replaced) = cell.state.withLock { $0.newest() }
    withExtendedLifetime(replaced) {}
    return state
  }
}
