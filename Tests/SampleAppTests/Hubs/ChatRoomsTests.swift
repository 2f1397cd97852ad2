import Fanout
import FanoutTestSupport
import SampleApp
import Synchronization
import Testing

/// A store of messages, whose subscriptions are counted.
private final class Store: Sendable {
  let subscriptions = Mutex(0)
  let messages = Mutex<[String: AsyncStream<String>.Continuation]>([:])

  func send(_ message: String, to room: String) {
    _ = messages.withLock { $0[room] }?.yield(message)
  }
}

/// The messages of a room; each iteration is a subscription.
private struct Subscription: AsyncSequence, Sendable {
  typealias Element = String
  typealias Failure = Never
  let store: Store
  let room: String

  func makeAsyncIterator() -> AsyncStream<String>.Iterator {
    let (messages, continuation) = AsyncStream.makeStream(of: String.self)
    store.subscriptions.withLock { $0 += 1 }
    store.messages.withLock { $0[room] = continuation }
    return messages.makeAsyncIterator()
  }
}

struct ChatRoomsTests {
  private let store = Store()
  private let clock = TestScheduler()

  private func makeRooms() -> ChatRooms<Subscription> {
    let leaving = Disconnect.whenIdle(for: .seconds(30), scheduler: clock)
    return ChatRooms(leaving: leaving) { [store] in Subscription(store: store, room: $0) }
  }

  /// Sends a message when the room is subscribed to.
  private func send(_ message: String) async {
    while store.messages.withLock({ $0["swift"] }) == nil { await Task.yield() }
    store.send(message, to: "swift")
  }

  @Test func `two browsers share a subscription, and the late one gets what was said`() async {
    let rooms = makeRooms()
    var early = rooms.messages(in: "swift").makeAsyncIterator()
    await send("hello")
    #expect(await early.next() == "hello")
    var late = rooms.messages(in: "swift").makeAsyncIterator()
    await send("goodbye")
    #expect(await late.next() == "hello")
    #expect(await late.next() == "goodbye")
    #expect(await early.next() == "goodbye")
    #expect(store.subscriptions.withLock { $0 } == 1)
  }

  @Test func `a room stays for half a minute, and then begins anew`() async {
    let rooms = makeRooms()
    let room = rooms.messages(in: "swift")
    for (pause, count) in [(0, 1), (29, 1), (31, 2)] {
      clock.advance(by: .seconds(pause))
      let browser = room.makeAsyncIterator()
      await send("hello")
      while store.subscriptions.withLock({ $0 }) < count { await Task.yield() }
      #expect(store.subscriptions.withLock { $0 } == count)
      withExtendedLifetime(browser) {}
    }
  }
}
