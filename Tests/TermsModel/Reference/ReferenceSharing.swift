/// A shared publisher as the contract describes it, written with plain lists.
package final class ReferenceSharing {
  private let terms: Terms
  private var room: ReferenceRoom
  private var subscribers: [(name: Int, subscriber: ReferenceSubscriber, room: ReferenceRoom)] = []
  private var claims: [ReferenceRoom] = []
  /// The demand of each connection so far; nil for everything.
  private var asked: [Int?] = []
  /// The number of cancels of each connection.
  private var cancels: [Int] = []
  /// The number of values that were requested from the current connection and have not come.
  private var outstanding = 0

  package init(_ terms: Terms) {
    self.terms = terms
    room = ReferenceRoom(terms)
  }

  /// Performs a step of a program.
  package func perform(_ step: Program.Step) {
    switch step {
    case .send(let number): send(number)
    case .end(let end): finish(end)
    case .subscribe(let name, let guest): subscribe(name, guest)
    case .request(let name, let count):
      guard let (_, subscriber, room) = subscribers.first(where: { $0.name == name }) else { break }
      subscriber.request(count, room.memory)
      room.removeMembers()
    case .cancel(let name):
      guard let (_, subscriber, room) = subscribers.first(where: { $0.name == name }) else { break }
      subscriber.cancel()
      room.removeMembers()
    case .reconnect:
      guard room.isConnected else { break }
      disconnect()
      connect()
    case .clearReplay: room.clear()
    case .connect:
      guard terms.kind.hasClaims else { break }
      claims.append(room)
      if room.end == nil, !room.isConnected { connect() }
    case .dropClaim(let index):
      guard claims.indices.contains(index) else { break }
      claims.remove(at: index)
    }
    closeUnclaimed()
    ask()
  }

  private func send(_ number: Int) {
    guard room.isConnected, !terms.isPolite || outstanding > 0 else { return }
    outstanding = max(0, outstanding - 1)
    room.send(number)
  }

  private func finish(_ end: Terms.End) {
    guard room.isConnected else { return }
    room.finish(end)
    if terms.restart.contains(end) { room = ReferenceRoom(terms) }
  }

  private func subscribe(_ name: Int, _ guest: Program.Guest) {
    let subscriber = ReferenceSubscriber(name, guest, terms)
    subscribers.append((name, subscriber, room))
    room.join(subscriber, guest)
    if terms.kind != .byHand, room.end == nil, !room.isConnected { connect() }
  }

  private func connect() {
    room.connect()
    asked.append(0)
    cancels.append(0)
    outstanding = 0
  }

  private func disconnect() {
    room.disconnect()
    cancels[cancels.count - 1] += 1
  }

  private func closeUnclaimed() {
    let isClaimed =
      switch terms.kind {
      case .byHand: claims.contains { $0 === room }
      case .sharedUntilReleased: true
      case .sharedWhileUsed: !room.members.isEmpty
      case .autoconnected: !room.members.isEmpty || claims.contains { $0 === room }
      }
    if room.isConnected, !isClaimed { disconnect() }
  }

  /// Asks the upstream for what there is room for.
  private func ask() {
    guard room.isConnected, let sofar = asked.last, let sofar else { return }
    if let backlog = terms.backlog, backlog.whenFull == .wait {
      guard !room.members.isEmpty else { return }
      let least = room.members.compactMap(\.room).min() ?? backlog.room(beside: [])
      let more = least - outstanding
      guard more > 0 else { return }
      asked[asked.count - 1] = sofar + more
      outstanding += more
    } else if terms.backlog != nil || terms.replay != .none || terms.isHeaded
      || room.members.contains(where: { $0.hasAsked || $0.backlog != nil })
    {
      asked[asked.count - 1] = Int?.none
      outstanding = .max
    }
  }

  /// The observation at this moment.
  package var observation: Observation {
    let replayed = room.memory.makesWait ? [] : room.memory.headed(room.memory.values)
    return Observation(
      events: subscribers.map(\.subscriber.events),
      accounts: room.members.map(\.account),
      replayed: replayed, cached: replayed.count, asked: asked, cancels: cancels,
      isConnected: room.isConnected, isEnded: room.end != nil)
  }
}
