public import Fanout

/// The rooms of a chat: one subscription to the store for each room, however many browsers are in it.
public actor ChatRooms<Subscription: AsyncSequence & Sendable>
where Subscription.Element == String, Subscription.Failure == Never {
  private var rooms: [String: SharedSequence<String, Never>] = [:]
  private let subscription: @Sendable (String) -> Subscription
  private let leaving: Disconnect

  /// Makes a chat.
  ///
  /// - Parameters:
  ///   - leaving: When a room's subscription ends that nobody is in any more.
  ///   - subscription: Returns the messages of a room; each iteration is a subscription to the store.
  public init(
    leaving: Disconnect = .whenIdle, subscription: @escaping @Sendable (String) -> Subscription
  ) { (self.leaving, self.subscription) = (leaving, subscription) }

  /// Returns a room's last 200 messages and every later one; a browser that is too slow begins again with those.
  public func messages(in name: String) -> SharedSequence<String, Never> {
    if let room = rooms[name] { return room }
    let room = subscription(name)
      .shared(
        replay: .last(200), disconnect: leaving, backlog: .size(100, whenFull: .rejoin))
    rooms[name] = room
    return room
  }
}
