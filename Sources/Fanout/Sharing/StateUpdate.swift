/// An event of a publisher that shares a state: the state itself, or a change of it.
///
/// A subscriber that replaces its copy of the state at each snapshot, and applies each change to
/// it, has the state that the publisher had after that change. This holds unless you let the
/// subscriber lose changes, with a backlog that drops, or join with ``Join/live``, which gives no
/// snapshot.
///
/// ```swift
/// import Fanout
///
/// let deposits = PassthroughSubject<Int, Never>()
/// let account = deposits.share(reducingInto: 0, +=)
/// let showing = account
///   .scan(0) { (balance, event: StateUpdate<Int, Int>) in
///     switch event {
///     case .snapshot(let total): total
///     case .change(let deposit): balance + deposit
///     }
///   }
///   .sink { print($0) }
/// deposits.send(20)
/// deposits.send(5)
/// showing.cancel()
/// // Prints:
/// // 0
/// // 20
/// // 25
/// ```
@frozen
public enum StateUpdate<State, Change> {
  /// The state with every change so far applied to it.
  case snapshot(State)
  /// The next change.
  case change(Change)
}

extension StateUpdate: Sendable where State: Sendable, Change: Sendable {}

extension StateUpdate: Equatable where State: Equatable, Change: Equatable {}

extension StateUpdate: Hashable where State: Hashable, Change: Hashable {}

/// A cache of the state to which the changes so far have led.
struct StateCache<State, Change> {
  var state: State
  let update: (inout State, Change) -> Void

  init(_ initial: State, update: @escaping (inout State, Change) -> Void) {
    state = initial
    self.update = update
  }

  mutating func record(_ event: StateUpdate<State, Change>) {
    // The upstream sends nothing but changes.
    if case .change(let change) = event { update(&state, change) }
  }
}
