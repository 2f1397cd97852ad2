/// A state, and the updates of it that were accepted and have not reached the hub.
///
/// The state is that behind the updates which the hub has recorded, as a newcomer needs it. The updates that wait were
/// accepted in the order in which the hub gets them.
package struct ReducedState<State, Change> {
  package typealias Update = StateUpdate<State, Change>

  package private(set) var recorded: State
  private let reduce: (inout State, Change) -> Void
  /// The updates that were accepted, oldest first; nil for one that was recorded, so that nothing keeps it.
  private var accepted: [Update?] = []
  /// The number of updates in front that were recorded.
  private var recordedCount = 0
  /// The number of updates in front that were sent to the hub.
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
    for case .some(let update) in accepted[recordedCount...] { _ = apply(update, to: &state) }
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
    return accepted[sentCount - 1]
  }

  /// Records the oldest update that was sent; returns it with the state that it has replaced, so that the caller
  /// releases both behind its lock.
  package mutating func record() -> (update: Update, replaced: State?)? {
    guard recordedCount < accepted.count, let update = accepted[recordedCount].take() else {
      return nil
    }
    recordedCount += 1
    // What is removed is nil, and at least as much has been recorded as is moved.
    if recordedCount > accepted.count / 2 {
      accepted = Array(accepted[recordedCount...])
      sentCount -= recordedCount
      recordedCount = 0
    }
    return (update, apply(update, to: &recorded))
  }

  /// Applies an update; returns the state that a snapshot has replaced.
  private func apply(_ update: Update, to state: inout State) -> State? {
    switch update {
    case .snapshot(var snapshot):
      swap(&state, &snapshot)
      return snapshot
    case .change(let change):
      reduce(&state, change)
      return nil
    }
  }
}

@available(*, unavailable)
extension ReducedState: Sendable {}
