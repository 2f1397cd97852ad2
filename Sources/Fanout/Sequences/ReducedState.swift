/// A state, and the updates of it that were accepted and are not recorded yet.
///
/// The state is that behind the updates which the hub has recorded, as a newcomer needs it. The hub
/// records the updates in the order in which they were accepted.
package struct ReducedState<State, Change> {
  package typealias Update = StateUpdate<State, Change>

  package private(set) var recorded: State
  private let reduce: (inout State, Change) -> Void
  /// The updates that were accepted, oldest first; nil for one that was recorded, so that nothing
  /// keeps it.
  private var accepted: [Update?] = []
  /// The number of updates in front that were recorded.
  private var recordedCount = 0
  /// A state behind more of the updates than the recorded one is, from the last time when the
  /// newest was read.
  private var ahead: State?
  /// The number of updates that are in the state ahead.
  private var aheadCount = 0

  package init(_ initial: State, reduce: @escaping (inout State, Change) -> Void) {
    recorded = initial
    self.reduce = reduce
  }

  /// Accepts an update.
  package mutating func accept(_ update: Update) { accepted.append(update) }

  /// Returns the state behind every accepted update, with the states that it has replaced, so that
  /// the caller releases them behind its lock.
  ///
  /// It is kept while updates wait, so that each of them is applied to it once, however often it is
  /// read.
  package mutating func newest() -> (state: State, replaced: [State]) {
    guard recordedCount < accepted.count else { return (recorded, []) }
    // Taken out, so that it is changed in place.
    var state = ahead.take() ?? recorded
    var replaced: [State] = []
    for case .some(let update) in accepted[max(aheadCount, recordedCount)...] {
      if let old = apply(update, to: &state) { replaced.append(old) }
    }
    ahead = state
    aheadCount = accepted.count
    return (state, replaced)
  }

  /// Records the oldest update that was accepted; returns it with the states that it has replaced,
  /// so that the caller releases them behind its lock.
  package mutating func record() -> (update: Update, replaced: State?, ahead: State?)? {
    guard recordedCount < accepted.count, let update = accepted[recordedCount].take() else {
      return nil
    }
    recordedCount += 1
    let replaced = apply(update, to: &recorded)
    let passed = recordedCount >= aheadCount ? ahead.take() : nil
    // What is removed is nil, and at least as much has been recorded as is moved.
    if recordedCount > accepted.count / 2 {
      accepted.removeFirst(recordedCount)
      aheadCount -= min(recordedCount, aheadCount)
      recordedCount = 0
    }
    return (update, replaced, passed)
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
