import Fanout
import FanoutTestSupport
import Testing

struct L1ThresholdTests {
  private let upstream = TestPublisher<Int, Never>()

  @Test func `L1: it connects when as many are there, and not before`() {
    let automatic = upstream.multicast(replay: .all).autoconnect(subscribers: 3)
    let subscribers = (0..<4).map { _ in TestSubscriber<Int, Never>() }
    automatic.subscribe(subscribers[0])
    automatic.subscribe(subscribers[1])
    // Who leaves does not count.
    subscribers[1].cancel()
    automatic.subscribe(subscribers[2])
    #expect(upstream.subscriptionCount == 0)
    automatic.subscribe(subscribers[3])
    #expect(upstream.subscriptionCount == 1)
    upstream.send(1)
    for index in [0, 2, 3] { #expect(subscribers[index].values == [1]) }
    subscribers[0].cancel()
    subscribers[2].cancel()
    #expect(upstream.cancelCount == 0)
    subscribers[3].cancel()
    #expect(upstream.cancelCount == 1)
    // It waits for as many again.
    let others = (0..<3).map { _ in TestSubscriber<Int, Never>() }
    for (index, other) in others.enumerated() {
      automatic.subscribe(other)
      #expect(upstream.subscriptionCount == (index == 2 ? 2 : 1))
    }
    others.forEach { $0.cancel() }
    #expect(upstream.cancelCount == 2)
  }

  @Test func `L1, L3: after the end a single subscriber gets replay and end`() {
    let automatic = (1...2).publisher.multicast(replay: .all).autoconnect(subscribers: 2)
    let two = (0..<2).map { _ in TestSubscriber<Int, Never>() }
    two.forEach { automatic.subscribe($0) }
    for subscriber in two { #expect(subscriber.values == [1, 2]) }
    let late = TestSubscriber<Int, Never>()
    automatic.subscribe(late)
    #expect(late.events == [.subscription, .value(1), .value(2), .completion(.finished)])
  }

  @Test func `L1: a count below 1 traps`() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = [1].publisher.multicast(replay: .none).autoconnect(subscribers: 0)
    }
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(text.contains("autoconnect(subscribers: 0)") && text.contains("1 or more"))
  }
}
