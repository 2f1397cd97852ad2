import Fanout
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

struct L2CacheTests {
  @Test(arguments: Policy.allCases)
  func `L2: a connection that closes takes its cache with it`(policy: Policy) {
    let upstream = TestPublisher<Int, Broken>()
    let share = upstream.share(replay: policy.replay)
    for round in 0..<3 {
      let first = TestSubscriber<Int, Broken>()
      let second = TestSubscriber<Int, Broken>()
      share.subscribe(first)
      #expect(first.values == [])
      let values = (1...4).map { round * 10 + $0 }
      values.forEach { upstream.subscriptions[round].send($0) }
      share.subscribe(second)
      #expect(first.values == values)
      #expect(second.values == policy.remembered(of: values))
      first.cancel()
      second.cancel()
    }
  }

  @Test(arguments: Policy.allCases)
  func `L2: one held by hand keeps its cache when its subscribers leave`(policy: Policy) {
    let upstream = TestPublisher<Int, Broken>()
    let multicast = upstream.multicast(replay: policy.replay)
    let auto = multicast.autoconnect()
    let claim = multicast.connect()
    let first = TestSubscriber<Int, Broken>()
    auto.subscribe(first)
    for value in 1...3 { upstream.send(value) }
    first.cancel()
    upstream.send(4)
    let second = TestSubscriber<Int, Broken>()
    auto.subscribe(second)
    #expect(second.values == policy.remembered(of: [1, 2, 3, 4]))
    second.cancel()
    claim.cancel()
    let third = TestSubscriber<Int, Broken>()
    auto.subscribe(third)
    #expect(third.values == [])
    #expect(upstream.subscriptionCount == 2)
    third.cancel()
  }

  @Test(arguments: Policy.remembering)
  func `L2: a synchronous upstream's fresh values come first, never stale ones`(policy: Policy) {
    let runs = Shared(0)
    let upstream = TestPublisher<Int, Broken>(whenAsked: { subscription, _ in
      let run = runs.change { runs in
        runs += 1
        return runs
      }
      for value in 1...4 { subscription.send(run * 12 + value) }
    })
    let share = upstream.share(replay: policy.replay)
    for run in 1...3 {
      let subscriber = TestSubscriber<Int, Broken>()
      share.subscribe(subscriber)
      #expect(subscriber.values == (1...4).map { run * 12 + $0 })
      let late = TestSubscriber<Int, Broken>()
      share.subscribe(late)
      #expect(late.values == policy.remembered(of: (1...4).map { run * 12 + $0 }))
      subscriber.cancel()
      late.cancel()
    }
  }

  @Test(arguments: Policy.allCases)
  func `L2: while a delivery is in progress the next connection starts clean as well`(
    policy: Policy
  ) {
    let busy = BusyShare(policy.replay, before: [2, 4])
    #expect(busy.isBusy)
    let next = TestSubscriber<Int, Broken>()
    let late = TestSubscriber<Int, Broken>()
    #expect(
      finishes {
        busy.held.subscriber.cancel()
        busy.share.subscribe(next)
        busy.upstream.subscriptions[1].send(6)
        busy.share.subscribe(late)
      })
    #expect(busy.letGo())
    #expect(busy.held.subscriber.values == [2, 4, 1])
    #expect(next.values == [6])
    #expect(late.values == policy.remembered(of: [6]))
    [next, late].forEach { $0.cancel() }
  }
}

struct L2CacheRaceTests {
  /// Each connection's values carry its number, so that one sees where a value comes from.
  @Test(arguments: Policy.allCases)
  func `L2: a newcomer racing with the last leaver is given nothing stale`(policy: Policy) {
    let runs = Shared(0)
    let run: @Sendable () -> Int = {
      runs.change { runs in
        runs += 1
        return runs
      }
    }
    let upstream = TestPublisher<Int, Broken>(
      ignoresCancel: true,
      whenAsked: { subscription, _ in
        let run = run()
        for value in 0..<3 { subscription.send(run * 100 + value) }
      })
    let share = upstream.share(replay: policy.replay)
    let leaver = Shared(TestSubscriber<Int, Broken>())
    let newcomer = Shared(TestSubscriber<Int, Broken>())
    let wrong = Notes<[Int]>()
    together(
      rounds: 500,
      before: { _ in
        leaver.value = TestSubscriber()
        newcomer.value = TestSubscriber()
        share.subscribe(leaver.value)
      },
      [
        { _ in leaver.value.cancel() },
        { _ in share.subscribe(newcomer.value) },
        // The upstream of the older connection, which has not noticed that it was cancelled.
        { [old = upstream] _ in old.subscriptions.first?.send(99) },
      ],
      after: { _ in
        let run = (leaver.value.values.first ?? 0) / 100
        let old = (0..<3).map { run * 100 + $0 }
        let allowed = [
          // A new connection, from its start.
          (0..<3).map { (run + 1) * 100 + $0 },
          // The old one, joined before or after its late value.
          policy.remembered(of: old), policy.remembered(of: old) + [99],
          policy.remembered(of: old + [99]),
        ]
        if !allowed.contains(newcomer.value.values) { wrong.append(newcomer.value.values) }
        newcomer.value.cancel()
        upstream.forgetSubscriptions()
      })
    #expect(wrong.all == [])
  }
}
