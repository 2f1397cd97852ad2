import Fanout
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

struct D9TerminalTests {
  @Test(arguments: Policy.lossless)
  func `D9: who has not taken its replay gets the rest as it asks, then the terminal`(
    policy: Policy
  ) {
    let upstream = PassthroughSubject<Int, Broken>()
    let share = upstream.share(replay: policy.replay)
    let first = TestSubscriber<Int, Broken>()
    share.subscribe(first)
    for value in 1...4 { upstream.send(value) }
    let late = TestSubscriber<Int, Broken>(initialDemand: .none)
    share.subscribe(late)
    upstream.send(5)
    upstream.send(completion: .failure(Broken()))
    #expect(first.completion == .failure(Broken()))
    let owed = policy.remembered(of: [1, 2, 3, 4]) + [5]
    for count in 0..<owed.count {
      #expect(late.values == Array(owed.prefix(count)))
      #expect(late.completion == nil)
      late.request(.max(1))
    }
    // It follows the last value directly, and needs no demand.
    #expect(late.values == owed)
    #expect(late.events.last == .completion(.failure(Broken())))
    late.request(.unlimited)
    #expect(late.violations + first.violations == [])
  }

  @Test(arguments: Policy.allCases)
  func `D9: the terminal needs no demand where nothing is owed`(policy: Policy) {
    for isEmpty in [true, false] {
      let upstream = PassthroughSubject<Int, Broken>()
      let share = upstream.share(replay: policy.replay)
      let subscriber = TestSubscriber<Int, Broken>(initialDemand: isEmpty ? .none : .max(2))
      share.subscribe(subscriber)
      if !isEmpty { for value in 1...2 { upstream.send(value) } }
      upstream.send(completion: .finished)
      #expect(subscriber.values == (isEmpty ? [] : [1, 2]))
      #expect(subscriber.completion == .finished)
    }
  }

  @Test func `D9: under .none and share() what was not asked for is not owed`() {
    for replays in [true, false] {
      let upstream = PassthroughSubject<Int, Broken>()
      let share = replays ? upstream.share(replay: .none) : upstream.share()
      let subscriber = TestSubscriber<Int, Broken>(initialDemand: .max(1))
      share.subscribe(subscriber)
      for value in 1...3 { upstream.send(value) }
      upstream.send(completion: .finished)
      #expect(subscriber.events == [.subscription, .value(1), .completion(.finished)])
    }
  }

  @Test func `D9: under .latest the value that waits comes before the terminal`() {
    let upstream = PassthroughSubject<Int, Broken>()
    let share = upstream.share(replay: .latest)
    let subscriber = TestSubscriber<Int, Broken>(initialDemand: .max(1))
    share.subscribe(subscriber)
    for value in 1...3 { upstream.send(value) }
    upstream.send(completion: .finished)
    #expect(subscriber.events == [.subscription, .value(1)])
    subscriber.request(.max(1))
    #expect(subscriber.events == [.subscription, .value(1), .value(3), .completion(.finished)])
  }

  @Test(arguments: Policy.allCases)
  func `D9: one terminal only, whatever else is sent, from outside and from inside`(policy: Policy)
  {
    let subject = PassthroughSubject<Int, Broken>()
    let upstream = TestPublisher<Int, Broken>()
    let shares = [
      subject.share(replay: policy.replay).eraseToAnyPublisher(),
      upstream.share(replay: policy.replay).eraseToAnyPublisher(),
    ]
    let end: @Sendable () -> Void = {
      for completion in [Subscribers.Completion<Broken>.finished, .failure(Broken())] {
        subject.send(completion: completion)
        upstream.subscriptions[0].send(completion: completion)
        subject.send(9)
        upstream.send(9)
      }
    }
    let subscribers = shares.map { share in
      let subscriber = TestSubscriber<Int, Broken>(whenCompleted: { _ in end() })
      share.subscribe(subscriber)
      return subscriber
    }
    subject.send(1)
    upstream.send(1)
    end()
    end()
    for subscriber in subscribers {
      #expect(subscriber.events == [.subscription, .value(1), .completion(.finished)])
      #expect(subscriber.violations == [])
    }
  }
}

struct D9TerminalRaceTests {
  @Test(arguments: Policy.allCases)
  func `D9: a terminal racing with values comes last`(policy: Policy) {
    let share = Shared(ReplaySubject<Int, Broken>(policy.replay))
    let subscribers = Shared<[TestSubscriber<Int, Broken>]>([])
    let bad = Notes<String>()
    together(
      rounds: 200,
      before: { _ in
        share.value = ReplaySubject(policy.replay)
        subscribers.value = (0..<2).map { _ in
          let subscriber = TestSubscriber<Int, Broken>()
          share.value.subscribe(subscriber)
          return subscriber
        }
      },
      [
        { _ in for value in 0..<5 { share.value.send(value) } },
        { _ in
          share.value.send(5)
          share.value.send(completion: .finished)
        },
      ],
      after: { _ in
        let logs = subscribers.value.map(\.events)
        if logs[0] != logs[1] { bad.append("disagree: \(logs)") }
        if logs[0].last != .completion(.finished) { bad.append("\(logs[0])") }
        subscribers.value.flatMap(\.violations).forEach(bad.append)
      })
    #expect(bad.all == [])
  }
}
