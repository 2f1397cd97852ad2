// Every function here but `admitUpstream(_:from:)` is called by the holder of the drain. Relaxed
// loads: invariant: the gate changes only under the lock of the inbox, which is held where a
// connection begins; where a start is asked for, an older gate means that the work which follows
// the change is still to come, and asks again.

internal import Synchronization

extension Hub {
  /// Admits an upstream that has just come, and begins to ask it if it is to be asked at all,
  /// unless its connection is no longer the current one.
  public func admitUpstream(_ upstream: DeliverySource, from connection: Int = 0) {
    guard rules.requestsFromUpstream else { return }
    let isHolding = withInbox { inbox in
      guard Self.connection(of: signals.gate.load(ordering: .relaxed)) == connection else {
        return false
      }
      inbox.work.append(.upstream(upstream))
      return drain.announce(.queued)
    }
    if isHolding { runOut(isLimited: true) }
  }

  /// Notes that the upstream may be asked for more before the drain is left.
  func noteDemandDue() {
    worklist.isUpstreamRequestDue = true
    worklist.hasDue = true
  }

  /// Asks the upstream for a start if a receiver waits for one, and for as many values as the
  /// receiver with the least room has room for, and for none if there is no receiver.
  ///
  /// Every value that the upstream has sent counts as accepted.
  @inline(never)
  func requestFromUpstream() {
    worklist.isUpstreamRequestDue = false
    worklist.isUpstreamRequestPostponed = false
    worklist.hasDue = worklist.dueHead < worklist.due.count
    if let requests = rules.startRequests { ask(for: requests) }
    guard limitsDemand, let limits, !retention.hasEnd else { return }
    let owed = max(limits.requestedEnd &- acceptedCount, 0)
    // No receiver can have more room, so none needs to be looked at when others come and go.
    guard owed < limits.largestCount else { return }
    // Loops have got values that are not accepted yet, and that count as outstanding until then.
    if worklist.hasLoops, !worklist.batch.isEmpty {
      worklist.isUpstreamRequestPostponed = true
      return
    }
    // Without a receiver nothing is asked for: if the connection closes, it does so after this.
    guard let room = leastRoom(whileOwed: owed), room > owed else { return }
    limits.requestedEnd = acceptedCount &+ room
    limits.upstream?.request(Credit(rawValue: UInt(room &- owed)))
  }

  /// Has the upstream asked for a start, or not any more, if that has changed.
  func ask(for requests: StartRequests) {
    let isOpen = retention.starting.hasUpstream && signals.gate.load(ordering: .relaxed) >= 0
    let isAwaited =
      isOpen
      && (members.awaiting > 0 || members.lackingStart > 0
        || withInbox { $0.pullLog.map { $0.lackingStart > 0 } ?? false })
    guard isAwaited != retention.starting.isAwaited else { return }
    retention.starting.isAwaited = isAwaited
    if isAwaited { requests.begin() } else { requests.end() }
  }

  /// Returns the room of the receiver that has the least; nil if there is no receiver, or if
  /// nothing is to be requested yet: a receiver has no more room than what is outstanding, values
  /// are on their way that loops have got already, or more than half of what may wait for loops is
  /// outstanding.
  ///
  /// The look begins where the last one ended, and ends at a receiver with no more room than what
  /// is outstanding. A receiver gets less room only by a value, so that all looks between two
  /// values take one round, however many requests and cancels there are.
  func leastRoom(whileOwed owed: Int) -> Int? {
    guard let limits else { return nil }
    if worklist.hasLoops, members.waiting == 0, owed > limits.largestCount / 2 {
      // Loops may have got what is queued, and it is outstanding until it is taken up.
      if drain.has(.queued) { worklist.isUpstreamRequestPostponed = true }
      return nil
    }
    let place = limits.lookedAt
    var look = RoomLook(owed: owed, place: place)
    func ends(at places: Range<Int>, ofLoops: Bool) -> Bool {
      ofLoops ? lookAtLoops(places, &look) : lookAtReceivers(places, &look)
    }
    let isOver =
      ends(at: place.index..<Int.max, ofLoops: place.isLoop)
      || ends(at: 0..<Int.max, ofLoops: !place.isLoop)
      || ends(at: 0..<place.index, ofLoops: place.isLoop)
    limits.lookedAt = look.place
    if isOver { return nil }
    // If no attached receiver limits demand, the upstream is asked for the publisher's own count at
    // a time.
    return look.room ?? (look.hasOthers ? limits.policy.requestCount : nil)
  }

  /// Looks at the receivers in some slots; returns whether one has no more room than what is
  /// outstanding.
  func lookAtReceivers(_ slots: Range<Int>, _ look: inout RoomLook) -> Bool {
    guard let limits else { return false }
    for index in slots.clamped(to: 0..<members.slots.count) {
      guard let cursor = slot(index).cursor?.takeUnretainedValue(), !cursor.isStopped
      else { continue }
      var room = limits.policy.requestCount
      if let backlog = cursor.limitedBacklog {
        if backlog.policy.limitsDemand, !backlog.hasEnd, !isWaitOver(cursor, backlog) {
          room = self.room(whileWaiting: cursor, backlog)
        } else if members.waiting > 0 || worklist.hasLoops {
          look.hasOthers = true
          continue
        }
      }
      if look.stops(at: .init(index: index, isLoop: false), with: room) { return true }
    }
    return false
  }

  /// Returns whether the upstream waits no longer for a receiver whose backlog is full.
  ///
  /// A limit of the age is reached without an event, so that this may begin the time.
  func isWaitOver(_ cursor: Cursor<Element, End>, _ backlog: LimitedBacklog<Element, End>) -> Bool {
    guard let patience = backlog.measure?.patience else { return false }
    if let epoch = backlog.noteRoom() { patience.begin(epoch) }
    return patience.isOver
  }

  /// Returns the number of values for which a receiver has room that limits what the upstream is
  /// asked for.
  func room(whileWaiting cursor: Cursor<Element, End>, _ backlog: LimitedBacklog<Element, End>)
    -> Int
  {
    let room = backlog.policy.count &- liveCount(cursor, backlog)
    guard backlog.policy.limits != nil else { return room }
    // What a value will cost is known when it is there, so they are asked for one by one.
    return backlog.measure?.meter.isFull == true ? 0 : min(1, room)
  }

  /// Looks at the loops that fetch in some places of their list; returns whether one has no more
  /// room than what is outstanding, or whether values are on their way that loops have got already.
  func lookAtLoops(_ places: Range<Int>, _ look: inout RoomLook) -> Bool {
    guard worklist.hasLoops, !places.isEmpty else { return false }
    return withInbox { inbox in
      guard !drain.has(.queued) else {
        worklist.isUpstreamRequestPostponed = true
        return true
      }
      guard let log = inbox.pullLog else {
        worklist.hasLoops = false
        return false
      }
      look.hasOthers = true
      for index in places.clamped(to: 0..<log.cursors.placeCount) {
        guard let cursor = log.cursors.member(at: index), cursor.size > 0,
          cursor.terms?.hasEnd != true, cursor.terms?.measure?.patience?.isOver != true
        else { continue }
        let room = log.room(of: cursor)
        guard look.stops(at: .init(index: index, isLoop: true), with: room) else { continue }
        if room <= 0 { log.isHeldBack = true }
        return true
      }
      return false
    }
  }
}

/// A look for the receiver that has the least room.
struct RoomLook: Sendable {
  /// The place of a receiver: its slot, or its place in the list of loops.
  struct Place: Sendable {
    let index: Int
    let isLoop: Bool
  }

  /// The number of values that the upstream owes.
  let owed: Int
  /// The least room so far; nil if no receiver limits it.
  var room: Int?
  /// The place of the receiver that has it.
  var place: Place
  /// Whether there are receivers that hold nothing back.
  var hasOthers = false

  /// Notes the room of a receiver; returns whether that is no more than what is outstanding, so
  /// that no other one matters.
  mutating func stops(at place: Place, with room: Int) -> Bool {
    guard room < self.room ?? .max else { return false }
    self.room = room
    self.place = place
    return room <= owed
  }
}
