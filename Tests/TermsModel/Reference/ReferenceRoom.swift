/// The subscribers of a shared publisher and its connections, up to an end after which it starts again.
final class ReferenceRoom {
  private let terms: Terms
  private(set) var memory: ReferenceMemory
  private(set) var members: [ReferenceSubscriber] = []
  private(set) var end: Terms.End?
  private(set) var isConnected = false

  init(_ terms: Terms) {
    self.terms = terms
    memory = ReferenceMemory(terms)
  }

  /// Lets a subscriber join.
  func join(_ subscriber: ReferenceSubscriber, _ guest: Program.Guest) {
    members.append(subscriber)
    var place = Program.Guest.Place.replay
    if case .joining(let own, _) = guest.entrance { place = own }
    subscriber.join(place, memory)
    if subscriber.wantsReplay { memory.hand() }
    if let end { subscriber.receive(end, memory) }
    subscriber.request(guest.demand, memory)
    removeMembers()
  }

  /// Records a number, and gives it to all.
  func send(_ number: Int) {
    guard isConnected, end == nil else { return }
    memory.record(number, isAlone: members.isEmpty)
    for member in members { member.receive(number, memory) }
    removeMembers()
  }

  /// Ends the connection, which stays.
  func finish(_ end: Terms.End) {
    guard isConnected, self.end == nil else { return }
    self.end = end
    isConnected = false
    for member in members { member.receive(end, memory) }
    removeMembers()
  }

  /// Releases what newcomers would get.
  func clear() {
    guard isConnected || end != nil else { return }
    memory.clear()
    for member in members { member.receiveClear() }
  }

  /// Begins a connection with a clean memory.
  func connect() {
    isConnected = true
    memory = ReferenceMemory(terms)
    for member in members { member.enterConnection(memory) }
  }

  /// Closes the connection, of which nothing stays.
  func disconnect() {
    isConnected = false
    memory = ReferenceMemory(terms)
    for member in members { member.leaveConnection() }
  }

  /// Forgets those that are over.
  func removeMembers() { members.removeAll(where: \.isOver) }
}
