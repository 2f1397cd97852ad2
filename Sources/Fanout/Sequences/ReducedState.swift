/// A state, and the updates of it that were accepted and have not reached the hub.
///
/// The state is that behind the updates which the hub has recorded, as a newcomer needs it. The updates that wait were
/// accepted in the order in which the hub gets them.
package struct ReducedState<State, Change> {
  package typealias Update = StateUpdate<State, Change>

  package private(set) var recorded: State
  private let reduce: (inout State, Change) -> Void
  /// The updates that were accepted and not recorded, oldest first.
  private var accepted: ArraySlice<Update> = []
  /// The number of these that were sent to the hub.
  private var sentCount = 0
  /// Whether a thread sends what was accepted.
  private var isSending = false

  package init(_ initial: State, reduce: @escaping (inout State, Change) -> Void) {
    recorded = initial
    self.reduce = reduce
  }

  /// The state behind every accepted update.
  package var newest: State {
    var state = recorded
    for update in accepted { apply(update, to: &state) }
    return state
  }

  /// Accepts an update; returns whether the caller is to send what was accepted.
  package mutating func accept(_ update: Update) -> Bool {
    accepted.append(update)
    defer { isSending = true }
    return !isSending
  }

  /// Returns the next update to send; nil ends the sending.
  package mutating func next() -> Update? {
    guard sentCount < accepted.count else {
      isSending = false
      return nil
    }
    sentCount += 1
    return accepted[accepted.startIndex + sentCount - 1]
  }

  /// Records the oldest update that was sent, and returns it, so that nothing is released here.
  package mutating func record() -> Update? {
    guard let update = accepted.popFirst() else { return nil }
    sentCount -= 1
    apply(update, to: &recorded)
    return update
  }

  private func apply(_ update: Update, to state: inout State) {
    switch update {
    case .snapshot(let snapshot): state = snapshot
    case .change(let change): reduce(&state, change)
    }
  }
}

@available(*, unavailable)
extension ReducedState: Sendable {}
