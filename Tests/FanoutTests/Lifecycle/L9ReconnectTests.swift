import Fanout
import FanoutTestSupport
import TestFixtures
import Testing

struct L9ReconnectTests {
  private let upstream = TestPublisher<Int, Never>()

  private func late(_ shared: some Publisher<Int, Never>) -> [Int] {
    let subscriber = TestSubscriber<Int, Never>()
    shared.subscribe(subscriber)
    defer { subscriber.cancel() }
    return subscriber.values
  }

  @Test func `L9: subscribers stay, get what they are owed, then the new connection's values`() {
    let shared = upstream.share(replay: .all)
    let fast = TestSubscriber<Int, Never>()
    let slow = TestSubscriber<Int, Never>(initialDemand: .none)
    shared.subscribe(fast)
    shared.subscribe(slow)
    let old = upstream.subscriptions[0]
    old.send(1)
    old.send(2)
    shared.reconnect()
    #expect(old.isCancelled && upstream.subscriptions.count == 2)
    old.send(100)
    let new = upstream.subscriptions[1]
    new.send(3)
    #expect(late(shared) == [3])
    slow.request(.unlimited)
    #expect(fast.values == [1, 2, 3] && slow.values == [1, 2, 3])
    new.send(completion: .finished)
    #expect(fast.completion == .finished && slow.completion == .finished)
    shared.reconnect()
    #expect(upstream.subscriptions.count == 2)
  }

  @Test func `L9: without a connection nothing happens`() {
    let shared = upstream.share(replay: .all)
    shared.reconnect()
    #expect(upstream.subscriptions.count == 0)
    let subject = ReplaySubject<Int, Never>(.all)
    subject.send(1)
    subject.reconnect()
    #expect(late(subject) == [1])
  }

  @Test func `L9, D12: the claims hold the new connection`() {
    let shared = upstream.multicast(replay: .none)
    let first = shared.connect()
    let second = shared.connect()
    shared.reconnect()
    shared.reconnect()
    #expect(upstream.subscriptions.map(\.isCancelled) == [true, true, false])
    first.cancel()
    first.cancel()
    #expect(!upstream.subscriptions[2].isCancelled)
    second.cancel()
    #expect(upstream.subscriptions[2].isCancelled)
    let third = shared.connect()
    second.cancel()
    first.cancel()
    #expect(!upstream.subscriptions[3].isCancelled)
    third.cancel()
    #expect(upstream.subscriptions[3].isCancelled)
  }

  @Test func `L6, L9: within the grace it reconnects too`() {
    let clock = TestScheduler()
    let shared = upstream.share(
      replay: .all, disconnect: .whenIdle(for: .seconds(5), scheduler: clock))
    shared.sink { _ in }.cancel()
    shared.reconnect()
    #expect(upstream.subscriptions.map(\.isCancelled) == [true, false])
    clock.advance(by: .seconds(5))
    #expect(upstream.subscriptions.map(\.isCancelled) == [true, true])
  }

  @Test func `L8, L9: of a share that starts again it replaces the newest connection`() {
    let shared = upstream.share(replay: .all, restart: .afterFinish)
    shared.sink { _ in }.cancel()
    let first = shared.sink { _ in }
    upstream.subscriptions[1].send(completion: .finished)
    shared.reconnect()
    #expect(upstream.subscriptions.count == 2)
    let second = shared.sink { _ in }
    shared.reconnect()
    #expect(upstream.subscriptions.count == 4 && upstream.subscriptions[2].isCancelled)
    second.cancel()
    first.cancel()
  }

  @Test func `L9, D3: it may be called inside a value and inside a subscription`() {
    nonisolated(unsafe) var got: [Int] = []
    nonisolated(unsafe) var attempts = 0
    let shared = Deferred { () -> Publishers.Sequence<[Int], Never> in
      attempts += 1
      return Array(attempts * 10...attempts * 10 + 2).publisher
    }.share(replay: .all)
    let sink = shared.sink { value in
      got.append(value)
      if value == 11 || value == 20 { shared.reconnect() }
    }
    // When 20 is delivered, the end of that connection has been accepted.
    #expect(got == [10, 11, 20, 21, 22] && attempts == 2)
    #expect(late(shared) == [20, 21, 22])
    sink.cancel()
  }

  @Test func `L9: of a reduced state the attached get a snapshot of the new connection`() {
    let shared = upstream.share(reducingInto: 0) { $0 += $1 }
    let fast = TestSubscriber<StateUpdate<Int, Int>, Never>()
    let slow = TestSubscriber<StateUpdate<Int, Int>, Never>(initialDemand: .max(1))
    shared.subscribe(fast)
    shared.subscribe(slow)
    upstream.subscriptions[0].send(5)
    shared.reconnect()
    upstream.subscriptions[1].send(7)
    slow.request(.unlimited)
    let expected: [StateUpdate<Int, Int>] = [
      .snapshot(0), .change(5), .snapshot(0), .change(7),
    ]
    #expect(fast.values == expected && slow.values == expected)
    #expect(shared.replayed == [.snapshot(7)])
    fast.cancel()
    slow.cancel()
  }

  @Test func `B6, L9: a gate opens for the new upstream`() {
    let shared = upstream.share(backlog: .size(2, whenFull: .wait))
    let slow = TestSubscriber<Int, Never>(initialDemand: .none)
    shared.subscribe(slow)
    upstream.subscriptions[0].send(1)
    shared.reconnect()
    let new = upstream.subscriptions[1]
    #expect(new.requests.reduce(.none, +) == .max(1))
    slow.request(.max(1))
    #expect(new.requests.reduce(.none, +) == .max(2))
    slow.cancel()
  }

  @Test func `L9: only newcomers notice that the replay was cleared`() {
    for replay: Replay<Int> in [.latest, .all, .last(3), .custom { Everything() }] {
      let shared = upstream.share(replay: replay)
      let fast = TestSubscriber<Int, Never>()
      let slow = TestSubscriber<Int, Never>(initialDemand: .none)
      shared.subscribe(fast)
      shared.subscribe(slow)
      let subscription = upstream.subscriptions[upstream.subscriptions.count - 1]
      subscription.send(1)
      subscription.send(2)
      shared.clearReplay()
      #expect(late(shared) == [])
      subscription.send(3)
      #expect(late(shared) == [3])
      slow.request(.unlimited)
      #expect(fast.values == [1, 2, 3] && slow.values.last == 3 && !subscription.isCancelled)
      fast.cancel()
      slow.cancel()
    }
  }

  private struct Everything: ReplayCache {
    var contents: [Int] = []
    mutating func record(_ value: Int) { contents.append(value) }
  }

  @Test func `L9: with keyframes newcomers wait for the next one`() {
    for replay: Replay<Int> in [
      .sinceKeyframe { $0 % 10 == 0 }, .sinceKeyframe(limit: .count(5)) { $0 % 10 == 0 },
    ] {
      let shared = upstream.share(replay: replay)
      let keeping = shared.sink { _ in }
      let subscription = upstream.subscriptions[upstream.subscriptions.count - 1]
      for value in 10...12 { subscription.send(value) }
      shared.clearReplay()
      let newcomer = TestSubscriber<Int, Never>()
      shared.subscribe(newcomer)
      for value in 13...21 { subscription.send(value) }
      #expect(newcomer.values == [20, 21] && late(shared) == [20, 21])
      newcomer.cancel()
      keeping.cancel()
    }
  }

  @Test func `L9: a cleared replay is released, and after an end only the end is left`() {
    let source = PassthroughSubject<Token, Never>()
    let shared = source.share(replay: .all)
    let sink = shared.sink { _ in }
    var token: Token? = Token()
    let weak = WeakReference(token)
    token.map(source.send)
    token = nil
    #expect(weak.isAlive)
    shared.clearReplay()
    #expect(!weak.isAlive)
    source.send(Token())
    source.send(completion: .finished)
    shared.clearReplay()
    let subscriber = TestSubscriber<Token, Never>()
    shared.subscribe(subscriber)
    #expect(subscriber.values.isEmpty && subscriber.completion == .finished)
    sink.cancel()
  }

  @Test func `L9: a current value is not cleared`() {
    let subject = CurrentValueSubject<Int, Never>(1)
    subject.clearReplay()
    #expect(subject.value == 1 && late(subject) == [1])
  }
}
