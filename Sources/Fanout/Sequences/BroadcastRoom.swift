// Invariant: the state is reached only under its lock; tasks are resumed outside it.

package import FanoutEngine

/// The account of a broadcast's senders: how many values there is room for, and which calls wait
/// for room.
///
/// For the hub it is the upstream, of which the hub requests what the slowest subscriber has room
/// for.
package final class BroadcastRoom: DeliverySource {
  package struct State {
    /// The number of values that the hub has requested and not got.
    var credit = Credit.none
    /// The number of attached subscribers.
    package var subscribers = 0
    /// The number of values that were admitted and are not in the hub yet.
    var admitted = 0
    var isClosed = false
    /// The calls that wait for room, the oldest first.
    package var turns = ArrivalList<OneShot<Sent>>()

    init() {}

    /// Admits a value, with or without room for it.
    mutating func admit() -> Sent {
      if credit != .none { credit = credit.afterOne }
      admitted &+= 1
      return Sent(.accepted, subscribers: subscribers)
    }

    /// The number of calls that have not to wait any more.
    var admittedTurns: Int {
      subscribers > 0 && !credit.covers(turns.count) ? Int(credit.rawValue) : turns.count
    }
  }

  /// The beginning of a call.
  package enum Beginning {
    case result(Sent)
    case waiting(OneShot<Sent>)
  }

  package let state = Lock(State())
  /// Whether senders wait for room at all.
  let isLimited: Bool

  init(isLimited: Bool) {
    self.isLimited = isLimited
    super.init()
  }

  /// Begins a call that waits for room, if there is none and a subscriber is there to make it.
  package func begin() -> Beginning {
    state.withLock { state in
      guard !state.isClosed else { return .result(Sent(.terminated)) }
      guard isLimited, state.subscribers > 0, state.credit == .none || !state.turns.isEmpty else {
        return .result(state.admit())
      }
      let turn = OneShot<Sent>()
      state.turns.append(turn)
      return .waiting(turn)
    }
  }

  /// Begins a call that does not wait.
  func beginNow() -> Sent {
    state.withLock { $0.isClosed ? Sent(.terminated) : $0.admit() }
  }

  /// Notes that an admitted value is in the hub; returns whether the end has its turn now.
  func endTurn() -> Bool {
    state.withLock { state in
      state.admitted &-= 1
      return state.isClosed && state.admitted == 0
    }
  }

  /// Ends a call that waits for room, if it still does.
  package func cancel(_ turn: OneShot<Sent>) {
    let isWaiting = state.withLock { state in
      defer { state.turns.remove(turn) }
      return turn.arrivalIndex >= 0
    }
    if isWaiting { turn.give(Sent(.cancelled)) }
  }

  /// Admits no more values; returns whether the end has its turn now.
  ///
  /// `keep` keeps the end, under the lock, if it is the first.
  func close(keeping keep: () -> Void) -> Bool {
    let (turns, isNext) = state.withLock { state -> ([OneShot<Sent>], Bool) in
      guard !state.isClosed else { return ([], false) }
      keep()
      state.isClosed = true
      var turns: [OneShot<Sent>] = []
      while let turn = state.turns.removeFirst() { turns.append(turn) }
      return (turns, state.admitted == 0)
    }
    for turn in turns { turn.give(Sent(.terminated)) }
    return isNext
  }

  package override func request(_ credit: Credit) { change { $0.credit = $0.credit + credit } }

  /// Counts a subscriber in or out.
  func count(_ change: Int) { self.change { $0.subscribers += change } }

  /// Changes the state, and resumes the calls that have not to wait any more.
  private func change(_ body: (inout State) -> Void) {
    var others: [(OneShot<Sent>, Sent)] = []
    // Mostly one call waits, and takes no allocation here.
    let first = state.withLock { state -> (OneShot<Sent>, Sent)? in
      body(&state)
      let count = state.turns.isEmpty ? 0 : state.admittedTurns
      guard count > 0, let first = state.turns.removeFirst() else { return nil }
      let admitted = (first, state.admit())
      for _ in 1..<count {
        if let turn = state.turns.removeFirst() { others.append((turn, state.admit())) }
      }
      return admitted
    }
    if let (turn, sent) = first { turn.give(sent) }
    for (turn, sent) in others { turn.give(sent) }
  }
}

/// The counter of a broadcast's subscribers.
package final class BroadcastCounter: SubscriberCounter {
  package let room: BroadcastRoom

  init(_ room: BroadcastRoom) {
    self.room = room
    super.init()
  }

  package override func enter() -> AnyObject? {
    room.count(1)
    return nil
  }

  package override func leave(atEnd: Bool) { room.count(-1) }
}
