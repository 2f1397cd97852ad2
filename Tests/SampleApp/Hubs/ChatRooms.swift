public import Fanout

/// The rooms of a chat: one subscription to the store for each room, however many browsers are in it.
public final class ChatRooms<Subscription: AsyncSequence & Sendable>: Sendable
where Subscription.Element == String, Subscription.Failure == Never {
  private let rooms: SharedByKey<String, Publishers.Async<Subscription>>

  /// Makes a chat.
  ///
  /// - Parameters:
  ///   - leaving: The moment at which a room's subscription ends when nobody is in it any more.
  ///   - subscription: A function that returns the messages of a room; each iteration is a subscription to the store.
  public init(
    leaving: Disconnect = .whenIdle, subscription: @escaping @Sendable (String) -> Subscription
  ) {
    rooms = SharedByKey(
      replay: .last(200), disconnect: leaving, backlog: .size(100, whenFull: .rejoin)
    ) { subscription($0).publisher }
  }

  /// Returns a room's last 200 messages and every later one; a browser that is too slow begins again with those.
  public func messages(in name: String) -> SharedSequence<String, Never> { rooms[name].values }
}
