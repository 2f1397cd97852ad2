import Fanout
import FanoutTestSupport
import TestFixtures
import Testing

struct D8DemandTests {
  @Test(arguments: Policy.lossless)
  func `D8: a replay waits for demand one by one, with values coming meanwhile`(policy: Policy) {
    let upstream = PassthroughSubject<Int, Broken>()
    let share = upstream.share(replay: policy.replay)
    let first = TestSubscriber<Int, Broken>()
    share.subscribe(first)
    var sent: [Int] = []
    for value in 1...5 {
      upstream.send(value)
      sent.append(value)
    }
    let late = TestSubscriber<Int, Broken>(initialDemand: .none)
    share.subscribe(late)
    var owed = policy.remembered(of: sent)
    for value in 6...12 {
      #expect(late.values == Array(owed.prefix(value - 6)))
      upstream.send(value)
      owed.append(value)
      late.request(.max(1))
      #expect(late.values == Array(owed.prefix(value - 5)))
    }
    late.request(.unlimited)
    #expect(late.values == owed)
    #expect(first.values == Array(1...12))
    #expect(late.violations + first.violations == [])
    [first, late].forEach { $0.cancel() }
  }

  @Test(arguments: Policy.lossless)
  func `D8: a replay waits while nobody asks for a long time, and nobody else waits`(policy: Policy)
  {
    let upstream = PassthroughSubject<Int, Broken>()
    let share = upstream.share(replay: policy.replay)
    let first = TestSubscriber<Int, Broken>()
    share.subscribe(first)
    upstream.send(1)
    upstream.send(2)
    let late = TestSubscriber<Int, Broken>(initialDemand: .none)
    share.subscribe(late)
    for value in 3...3000 { upstream.send(value) }
    #expect(first.values.count == 3000)
    #expect(late.values == [])
    late.request(.max(1500))
    late.request(.unlimited)
    #expect(late.values.elementsEqual(policy.remembered(of: [1, 2]) + Array(3...3000)))
    [first, late].forEach { $0.cancel() }
  }

  @Test(arguments: Policy.allCases)
  func `D8: never one value more than asked for, requests add up`(policy: Policy) {
    let upstream = PassthroughSubject<Int, Broken>()
    let share = upstream.share(replay: policy.replay)
    let subscriber = TestSubscriber<Int, Broken>(
      initialDemand: .max(1), demandFor: { _, value in value == 2 ? .max(2) : .none })
    share.subscribe(subscriber)
    subscriber.request(.max(1))
    for value in 1...9 { upstream.send(value) }
    #expect(subscriber.values == [1, 2, 3, 4])
    #expect(subscriber.outstandingDemand == .none)
    #expect(subscriber.violations == [])
    subscriber.cancel()
  }

  @Test(arguments: Policy.allCases)
  func `D8: requesting none does nothing, and requests saturate`(policy: Policy) {
    let upstream = TestPublisher<Int, Broken>()
    let share = upstream.share(replay: policy.replay)
    let subscriber = TestSubscriber<Int, Broken>(initialDemand: .none)
    share.subscribe(subscriber)
    subscriber.request(.none)
    upstream.send(1)
    #expect(subscriber.values == [])
    if policy == .none { #expect(upstream.requests == []) }
    subscriber.request(.max(.max))
    subscriber.request(.max(.max))
    subscriber.request(.max(1))
    for value in 2...5 { upstream.send(value) }
    #expect(subscriber.values == (policy == .none ? [] : [1]) + [2, 3, 4, 5])
    subscriber.request(.none)
    upstream.send(completion: .finished)
    subscriber.request(.max(1))
    #expect(subscriber.completion == .finished)
    #expect(subscriber.violations == [])
  }

  @Test func `D8: who lags keeps what .last evicts; nobody else is given more`() {
    let upstream = PassthroughSubject<Int, Broken>()
    let share = upstream.share(replay: .last(2))
    let slow = TestSubscriber<Int, Broken>(initialDemand: .max(1))
    let fast = TestSubscriber<Int, Broken>()
    share.subscribe(slow)
    share.subscribe(fast)
    for value in 1...6 { upstream.send(value) }
    let late = TestSubscriber<Int, Broken>()
    share.subscribe(late)
    #expect(slow.values == [1])
    #expect(fast.values == [1, 2, 3, 4, 5, 6])
    #expect(late.values == [5, 6])
    slow.request(.max(3))
    #expect(slow.values == [1, 2, 3, 4])
    upstream.send(7)
    slow.request(.unlimited)
    #expect(slow.values == [1, 2, 3, 4, 5, 6, 7])
    #expect(late.values == [5, 6, 7])
    [slow, fast, late].forEach { $0.cancel() }
  }

  @Test func `D8: who lags keeps what lies before a keyframe; a newcomer starts at it`() {
    let upstream = PassthroughSubject<Int, Broken>()
    let share = upstream.share(replay: .sinceKeyframe { $0 % 10 == 0 })
    let slow = TestSubscriber<Int, Broken>(initialDemand: .none)
    let slower = TestSubscriber<Int, Broken>(initialDemand: .none)
    share.subscribe(slow)
    upstream.send(8)
    share.subscribe(slower)
    for value in 9...12 { upstream.send(value) }
    let late = TestSubscriber<Int, Broken>(initialDemand: .none)
    share.subscribe(late)
    for value in 13...21 { upstream.send(value) }
    let later = TestSubscriber<Int, Broken>()
    share.subscribe(later)
    #expect(later.values == [20, 21])
    slow.request(.max(2))
    #expect(slow.values == [8, 9])
    for subscriber in [slow, slower, late] { subscriber.request(.unlimited) }
    #expect(slow.values == Array(8...21))
    #expect(slower.values == Array(8...21))
    #expect(late.values == Array(10...21))
    upstream.send(30)
    #expect([slow, slower, late, later].map(\.values.last) == [30, 30, 30, 30])
    [slow, slower, late, later].forEach { $0.cancel() }
  }

  @Test func `D8: a custom cache's contents and what follows wait for demand`() {
    let upstream = PassthroughSubject<Int, Broken>()
    let share = upstream.share(replay: Policy.custom.replay)
    let first = TestSubscriber<Int, Broken>()
    share.subscribe(first)
    for value in 1...6 { upstream.send(value) }
    let late = TestSubscriber<Int, Broken>(initialDemand: .none)
    share.subscribe(late)
    upstream.send(7)
    late.request(.max(1))
    #expect(late.values == [4])
    upstream.send(8)
    late.request(.max(2))
    #expect(late.values == [4, 6, 7])
    upstream.send(9)
    late.request(.unlimited)
    #expect(late.values == [4, 6, 7, 8, 9])
    [first, late].forEach { $0.cancel() }
  }

  @Test(arguments: Policy.remembering)
  func `D8: a request that is made for another inside a replay is served as well`(policy: Policy) {
    let upstream = TestPublisher<Int, Broken>()
    let share = upstream.share(replay: policy.replay)
    let slow = TestSubscriber<Int, Broken>(initialDemand: .max(1))
    share.subscribe(slow)
    upstream.send(2)
    upstream.send(4)
    #expect(slow.values == [2])
    for demand in [Subscribers.Demand.max(5), .unlimited] {
      let late = TestSubscriber<Int, Broken>(
        initialDemand: demand,
        demandFor: { _, _ in
          slow.request(.max(1))
          return .none
        })
      share.subscribe(late)
      #expect(slow.values == [2, 4])
      late.cancel()
    }
    #expect(slow.violations == [])
    slow.cancel()
  }
}

struct D8DemandRaceTests {
  @Test(arguments: [Policy.none, .latest, .all])
  func `D8: demand from several threads adds up exactly`(policy: Policy) {
    let subject = ReplaySubject<Int, Broken>(policy.replay)
    let share = subject.share(replay: policy.replay)
    let subscriber = TestSubscriber<Int, Broken>(initialDemand: .none)
    share.subscribe(subscriber)
    let ask: @Sendable () -> Void = { for _ in 0..<250 { subscriber.request(.max(1)) } }
    together([ask, ask, { for value in 0..<400 { subject.send(value) } }])
    for value in 400..<1200 { subject.send(value) }
    #expect(subscriber.values.count == 500)
    #expect(subscriber.outstandingDemand == .none)
    #expect(subscriber.violations == [])
    subscriber.cancel()
  }
}
