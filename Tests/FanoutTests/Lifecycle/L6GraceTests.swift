import Fanout
import FanoutTestSupport
import TestFixtures
import Testing

struct L6GraceTests {
  private let clock = TestScheduler()
  private let upstream = TestPublisher<Int, Never>()

  private var share: Publishers.Share<TestPublisher<Int, Never>> {
    upstream.share(replay: .all, disconnect: .whenIdle(for: .seconds(5), scheduler: clock))
  }

  @Test func `L6: each time that the last one leaves the time begins anew`() {
    let share = share
    for round in 1...3 {
      let subscriber = TestSubscriber<Int, Never>()
      share.subscribe(subscriber)
      upstream.send(round)
      #expect(subscriber.values == Array(1...round))
      subscriber.cancel()
      clock.advance(by: .seconds(4))
      #expect(upstream.cancelCount == 0)
    }
    clock.advance(by: .seconds(1))
    #expect(upstream.cancelCount == 1)
    #expect(upstream.subscriptionCount == 1)
  }

  @Test func `L6: from two subscribers to none to one, the timer of the first gap does nothing`() {
    let share = share
    let two = (0..<2).map { _ in TestSubscriber<Int, Never>() }
    two.forEach { share.subscribe($0) }
    two.forEach { $0.cancel() }
    clock.advance(by: .seconds(2))
    let one = TestSubscriber<Int, Never>()
    share.subscribe(one)
    clock.advance(by: .seconds(9))
    #expect(upstream.cancelCount == 0)
    upstream.send(1)
    #expect(one.values == [1])
    one.cancel()
    clock.advance(by: .seconds(5))
    #expect(upstream.cancelCount == 1)
  }

  @Test func `L6: however often subscribers come and go, one action is scheduled at a time`() {
    let share = share
    let comeAndGo = {
      let subscriber = TestSubscriber<Int, Never>()
      share.subscribe(subscriber)
      subscriber.cancel()
    }
    for _ in 0..<1000 {
      comeAndGo()
      #expect(clock.scheduledCount == 1)
    }
    for _ in 0..<7 {
      clock.advance(by: .seconds(3))
      comeAndGo()
      #expect(clock.scheduledCount == 1)
    }
    clock.advance(by: .milliseconds(4999))
    #expect(upstream.cancelCount == 0)
    clock.advance(by: .milliseconds(1))
    #expect(upstream.cancelCount == 1)
    #expect(upstream.subscriptionCount == 1)
    #expect(clock.scheduledCount == 0)
  }

  @Test func `L6, T1: a share that is released in its grace period leaves no action behind`() {
    do {
      let subscriber = TestSubscriber<Int, Never>()
      share.subscribe(subscriber)
      subscriber.cancel()
    }
    #expect(upstream.cancelCount == 1)
    #expect(clock.scheduledCount == 0)
  }

  @Test func `L6: a scheduler without time ends the grace at once, each time`() {
    let share = upstream.share(disconnect: .whenIdle(for: 5, scheduler: ImmediateScheduler.shared))
    for round in 1...3 {
      let subscriber = TestSubscriber<Int, Never>()
      share.subscribe(subscriber)
      subscriber.cancel()
      #expect(upstream.cancelCount == round)
    }
  }

  @Test func `L6, D12: a claim by hand outlives the grace`() {
    let multicast = upstream.multicast(replay: .all)
    let automatic = multicast.autoconnect(
      disconnect: .whenIdle(for: .seconds(5), scheduler: clock))
    let claim = multicast.connect()
    let subscriber = TestSubscriber<Int, Never>()
    automatic.subscribe(subscriber)
    subscriber.cancel()
    clock.advance(by: .seconds(5))
    #expect(upstream.cancelCount == 0)
    claim.cancel()
    #expect(upstream.cancelCount == 1)
  }

  @Test func `L6, O1: the timer keeps nothing alive`() {
    var held: Publishers.Share? = share
    let watch = WeakReference(held)
    held?.sink { _ in }.cancel()
    held = nil
    #expect(!watch.isAlive)
    #expect(upstream.cancelCount == 1)
    clock.advance(by: .seconds(9))
    #expect(upstream.cancelCount == 1)
  }

  @Test func `L6: a grace of no time ends when the scheduler runs`() {
    let share = upstream.share(disconnect: .whenIdle(for: 0, scheduler: clock))
    share.sink { _ in }.cancel()
    #expect(upstream.cancelCount == 0)
    clock.advance(by: 0)
    #expect(upstream.cancelCount == 1)
  }

  @Test func `L6: through a connectable of the user's, likewise`() {
    let connectable = UserConnectable(upstream: upstream, relay: PassthroughSubject())
    let automatic = connectable.autoconnect(
      disconnect: .whenIdle(for: .seconds(5), scheduler: clock))
    automatic.sink { _ in }.cancel()
    clock.advance(by: .seconds(4))
    #expect(upstream.cancelCount == 0)
    let subscriber = TestSubscriber<Int, Never>()
    automatic.subscribe(subscriber)
    upstream.send(1)
    #expect(subscriber.values == [1])
    subscriber.cancel()
    clock.advance(by: .seconds(5))
    #expect(upstream.cancelCount == 1)
    #expect(upstream.subscriptionCount == 1)
  }

  @Test(arguments: [true, false])
  func `L6, L7, B3: a subscriber's own failure does not end the connection`(isGrace: Bool) {
    let upstream = TestPublisher<Int, Broken>()
    let share = upstream.share(
      replay: .last(1),
      disconnect: isGrace ? .whenIdle(for: .seconds(5), scheduler: clock) : .whenReleased,
      backlog: .size(1, whenFull: .customError { Broken() }))
    let slow = TestSubscriber<Int, Broken>(initialDemand: .none)
    share.subscribe(slow)
    upstream.send(1)
    upstream.send(2)
    slow.request(.unlimited)
    #expect(slow.completion == .failure(Broken()))
    #expect(upstream.cancelCount == 0)
    clock.advance(by: .seconds(4))
    let next = TestSubscriber<Int, Broken>()
    share.subscribe(next)
    #expect(next.values == [2])
    #expect(upstream.subscriptionCount == 1)
    next.cancel()
    clock.advance(by: .seconds(5))
    #expect(upstream.cancelCount == (isGrace ? 1 : 0))
  }

  @Test func `L6: a negative time traps`() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { _ = Disconnect.whenIdle(for: .seconds(-1), scheduler: TestScheduler()) }
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(text.contains("the time is negative; pass 0 or more, or use .whenIdle"))
  }

  @Test func `L6, Q5: a loop that leaves begins the grace, and one that comes ends it`() async {
    let share = share
    for round in 1...2 {
      var iterator: SharedSequence<Int, Never>.Iterator? =
        share.values.makeAsyncIterator()
      upstream.send(round)
      #expect(await iterator?.next() == 1)
      iterator = nil
      clock.advance(by: .seconds(4))
      #expect(upstream.cancelCount == 0)
    }
    clock.advance(by: .seconds(1))
    #expect(upstream.cancelCount == 1)
  }
}
