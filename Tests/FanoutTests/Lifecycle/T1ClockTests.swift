import Fanout
import FanoutLifetime
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// The policies of a share that take a clock.
struct T1ClockTests {
  private let hand = TestScheduler()

  @Test func `T1, L6: a grace period on a test scheduler, which is a clock too`() {
    func share(
      _ upstream: TestPublisher<Int, Never>, on clock: some Clock<Duration>
    ) -> Publishers.Share<TestPublisher<Int, Never>> {
      upstream.share(disconnect: .whenIdle(for: .seconds(5), clock: clock))
    }
    let upstream = TestPublisher<Int, Never>()
    let shared = share(upstream, on: hand)
    shared.sink { _ in }.cancel()
    hand.advance(by: .seconds(4))
    #expect(upstream.cancelCount == 0)
    hand.advance(by: .seconds(1))
    #expect(upstream.cancelCount == 1)
  }

  @Test func `T1, L6: a grace period on a clock of a user's own`() async throws {
    let upstream = TestPublisher<Int, Never>()
    let (closed, close) = AsyncStream.makeStream(of: Never.self)
    let shared = upstream.handleEvents(receiveCancel: { close.finish() })
      .share(disconnect: .whenIdle(for: .seconds(5), clock: SleepingClock(hand)))
    shared.sink { _ in }.cancel()
    try await hand.advance(by: .seconds(4), sleepers: 1, within: .seconds(1800))
    let second = shared.sink { _ in }
    hand.advance(by: .seconds(2))
    #expect(upstream.cancelCount == 0)
    second.cancel()
    try await hand.advance(by: .seconds(5), sleepers: 1, within: .seconds(1800))
    for await _ in closed {}
    #expect(upstream.cancelCount == 1)
    #expect(upstream.subscriptionCount == 1)
  }

  @Test func `T1, L6: a share is released while its grace period sleeps`() async throws {
    let upstream = TestPublisher<Int, Never>()
    var shared: Publishers.Share? = upstream.share(
      disconnect: .whenIdle(for: .seconds(5), clock: SleepingClock(hand)))
    shared?.sink { _ in }.cancel()
    try await hand.waitForSleepers(1, within: .seconds(1800))
    #expect(upstream.cancelCount == 0)
    shared = nil
    #expect(upstream.cancelCount == 1)
    hand.advance(by: .seconds(5))
  }

  @Test func `T1: the age of replayed values is that of the clock, and nothing sleeps`() {
    let clock = SleepingClock(hand)
    let alarms = ReplaySubject<Int, Never>(.last(within: .seconds(60), clock: clock))
    alarms.send(1)
    hand.advance(by: .seconds(50))
    alarms.send(2)
    hand.advance(by: .seconds(20))
    #expect(alarms.replayed == [2])
    #expect(hand.scheduledCount == 0)
  }

  @Test func `T1, B4: a keyframe is requested again after each interval`() async throws {
    let camera = PassthroughSubject<Int, Never>()
    let requests = Arrivals()
    let shared = camera.share(
      replay: .sinceKeyframe(limit: .count(1)) { $0 == 0 }
        .requesting(every: .seconds(1), clock: SleepingClock(hand)) { requests.arrive() })
    let first = shared.sink { _ in }
    camera.send(0)
    camera.send(1)
    let second = shared.sink { _ in }
    await requests.wait(for: 1)
    try await hand.advance(by: .seconds(2), sleepers: 1, within: .seconds(1800))
    await requests.wait(for: 3)
    first.cancel()
    second.cancel()
    // The last request sleeps still: without this, its task would sleep for ever, and be a leak.
    try await hand.advance(by: .seconds(1), sleepers: 1, within: .seconds(1800))
  }
}
