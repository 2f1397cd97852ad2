import Fanout
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

struct D6JoiningTests {
  @Test(arguments: Policy.allCases)
  func `D6: a newcomer receives its replay, then every later value`(policy: Policy) {
    let upstream = TestPublisher<Int, Broken>()
    let share = upstream.share(replay: policy.replay)
    let first = TestSubscriber<Int, Broken>()
    share.subscribe(first)
    var sent: [Int] = []
    var late: [(subscriber: TestSubscriber<Int, Broken>, expected: [Int])] = []
    for value in 1...10 {
      let newcomer = TestSubscriber<Int, Broken>()
      share.subscribe(newcomer)
      late.append((newcomer, policy.remembered(of: sent) + Array(value...10)))
      #expect(newcomer.values == policy.remembered(of: sent))
      upstream.send(value)
      sent.append(value)
    }
    #expect(first.values == sent)
    for (subscriber, expected) in late {
      #expect(subscriber.values == expected)
      #expect(subscriber.violations == [])
    }
    #expect(upstream.subscriptionCount == 1)
    ([first] + late.map(\.subscriber)).forEach { $0.cancel() }
  }

  @Test(arguments: Policy.allCases)
  func `D6: a newcomer from inside a receive joins behind the current value`(policy: Policy) {
    let upstream = TestPublisher<Int, Broken>()
    let share = upstream.share(replay: policy.replay)
    let newcomer = TestSubscriber<Int, Broken>()
    let first = TestSubscriber<Int, Broken>(demandFor: { _, value in
      if value == 4 {
        share.subscribe(newcomer)
        // It receives its subscription at once, and its replay only after every subscriber has had
        // the current value.
        #expect(newcomer.events == [.subscription])
      }
      return .none
    })
    let second = TestSubscriber<Int, Broken>(demandFor: { _, value in
      if value == 4 { #expect(newcomer.events == [.subscription]) }
      return .none
    })
    share.subscribe(first)
    share.subscribe(second)
    for value in 1...6 { upstream.send(value) }
    #expect(newcomer.values == policy.remembered(of: [1, 2, 3, 4]) + [5, 6])
    #expect(first.values == [1, 2, 3, 4, 5, 6])
    #expect(second.values == [1, 2, 3, 4, 5, 6])
    #expect(newcomer.violations + first.violations + second.violations == [])
    [first, second, newcomer].forEach { $0.cancel() }
  }

  @Test(arguments: Policy.allCases)
  func `D6: a newcomer from inside a receive joins behind a value that was sent there before`(
    policy: Policy
  ) {
    let upstream = TestPublisher<Int, Broken>()
    let share = upstream.share(replay: policy.replay)
    let newcomer = TestSubscriber<Int, Broken>()
    let first = TestSubscriber<Int, Broken>(demandFor: { _, value in
      if value == 1 {
        upstream.send(2)
        share.subscribe(newcomer)
        upstream.send(3)
      }
      return .none
    })
    share.subscribe(first)
    upstream.send(1)
    #expect(first.values == [1, 2, 3])
    #expect(newcomer.values == policy.remembered(of: [1, 2]) + [3])
    #expect(newcomer.violations + first.violations == [])
    [first, newcomer].forEach { $0.cancel() }
  }

  @Test(arguments: Policy.allCases)
  func `D6: a newcomer from another thread in mid-send joins behind all that was accepted`(
    policy: Policy
  ) {
    let busy = BusyShare(policy.replay)
    #expect(busy.isBusy)
    let newcomers = (0..<3).map { _ in TestSubscriber<Int, Broken>() }
    #expect(
      finishes {
        busy.share.subscribe(newcomers[0])
        busy.upstream.send(2)
        busy.upstream.send(3)
        busy.share.subscribe(newcomers[1])
        busy.upstream.send(4)
        busy.share.subscribe(newcomers[2])
      })
    for newcomer in newcomers { #expect(newcomer.events == [.subscription]) }
    #expect(busy.letGo())
    #expect(busy.held.subscriber.values == [1, 2, 3, 4])
    #expect(newcomers[0].values == policy.remembered(of: [1]) + [2, 3, 4])
    #expect(newcomers[1].values == policy.remembered(of: [1, 2, 3]) + [4])
    #expect(newcomers[2].values == policy.remembered(of: [1, 2, 3, 4]))
    busy.upstream.send(5)
    #expect(newcomers.map(\.values.last) == [5, 5, 5])
    #expect(newcomers.flatMap(\.violations) == [])
    busy.held.subscriber.cancel()
    newcomers.forEach { $0.cancel() }
  }

  @Test func `D6: the subscription comes on the subscribing thread, the replay from the deliverer`()
  {
    let busy = BusyShare(.all)
    #expect(busy.isBusy)
    let threads = Notes<ThreadID>()
    let subscribing = Shared<ThreadID?>(nil)
    let newcomer = TestSubscriber<Int, Broken>(
      demandFor: { _, _ in
        threads.append(.current)
        return .none
      },
      whenSubscribed: { _ in threads.append(.current) })
    let mayEnd = Gate()
    let isSubscribed = Gate()
    let thread = TestThread {
      subscribing.value = .current
      busy.share.subscribe(newcomer)
      isSubscribed.open()
      mayEnd.wait()
    }
    #expect(isSubscribed.wait())
    #expect(threads.all == [subscribing.value])
    #expect(busy.letGo())
    #expect(newcomer.values == [1])
    #expect(threads.count == 2)
    #expect(threads.all.last != subscribing.value)
    mayEnd.open()
    #expect(thread.join())
    busy.held.subscriber.cancel()
    newcomer.cancel()
  }

  @Test(arguments: Policy.allCases)
  func `D6: who is still being told of its subscription loses nothing that it has asked for`(
    policy: Policy
  ) {
    let upstream = TestPublisher<Int, Broken>()
    let share = upstream.share(replay: policy.replay)
    let first = TestSubscriber<Int, Broken>()
    share.subscribe(first)
    upstream.send(1)
    let held = HeldSubscriber(whenSubscribedWith: .unlimited)
    let joining = TestThread { share.subscribe(held.subscriber) }
    #expect(held.stands())
    upstream.send(2)
    upstream.send(3)
    #expect(held.subscriber.events == [.subscription])
    held.letGo()
    #expect(joining.join())
    upstream.send(4)
    #expect(held.subscriber.values == policy.remembered(of: [1]) + [2, 3, 4])
    #expect(held.subscriber.violations == [])
    first.cancel()
    held.subscriber.cancel()
  }

  @Test(arguments: Policy.allCases)
  func `D6: who returns from being told while a value goes round gets that value too`(
    policy: Policy
  ) {
    let upstream = TestPublisher<Int, Broken>()
    let share = upstream.share(replay: policy.replay)
    let first = HeldSubscriber(at: 3)
    share.subscribe(first.subscriber)
    upstream.send(1)
    let joiner = HeldSubscriber(whenSubscribedWith: .unlimited)
    let joining = TestThread { share.subscribe(joiner.subscriber) }
    #expect(joiner.stands())
    upstream.send(2)
    let sending = TestThread { upstream.send(3) }
    #expect(first.stands())
    // 3 has reached the first one and not the joiner, which becomes ready just now.
    joiner.letGo()
    #expect(joining.join())
    first.letGo()
    #expect(sending.join())
    upstream.send(4)
    #expect(joiner.subscriber.values == policy.remembered(of: [1]) + [2, 3, 4])
    #expect(joiner.subscriber.violations == [])
    first.subscriber.cancel()
    joiner.subscriber.cancel()
  }

  @Test(arguments: Policy.allCases)
  func `D6: limited demand of who is still being told counts what comes meanwhile`(policy: Policy) {
    let upstream = TestPublisher<Int, Broken>()
    let share = upstream.share(replay: policy.replay)
    let first = TestSubscriber<Int, Broken>()
    share.subscribe(first)
    upstream.send(2)
    let held = HeldSubscriber(whenSubscribedWith: .max(2))
    let joining = TestThread { share.subscribe(held.subscriber) }
    #expect(held.stands())
    for value in 3...5 { upstream.send(value) }
    held.letGo()
    #expect(joining.join())
    let owed = policy.remembered(of: [2]) + [3, 4, 5]
    #expect(held.subscriber.values == Array(owed.prefix(2)))
    held.subscriber.request(.unlimited)
    switch policy {
    // Values that it had not requested were lost.
    case .none: #expect(held.subscriber.values == [3, 4])
    // Or replaced.
    case .latest: #expect(held.subscriber.values == [2, 3, 5])
    default: #expect(held.subscriber.values == owed)
    }
    #expect(held.subscriber.violations == [])
    first.cancel()
    held.subscriber.cancel()
  }

  @Test(arguments: Policy.allCases)
  func `D6: who asks only after it was told gets what its policy owes it by then`(policy: Policy) {
    let upstream = TestPublisher<Int, Broken>()
    let share = upstream.share(replay: policy.replay)
    let first = TestSubscriber<Int, Broken>()
    share.subscribe(first)
    upstream.send(2)
    let held = HeldSubscriber(whenSubscribedWith: .none)
    let joining = TestThread { share.subscribe(held.subscriber) }
    #expect(held.stands())
    upstream.send(3)
    held.letGo()
    #expect(joining.join())
    upstream.send(4)
    held.subscriber.request(.max(1))
    let owed = policy.remembered(of: [2]) + [3, 4]
    switch policy {
    case .none: #expect(held.subscriber.values == [])
    case .latest: #expect(held.subscriber.values == [4])
    default: #expect(held.subscriber.values == Array(owed.prefix(1)))
    }
    held.subscriber.request(.unlimited)
    upstream.send(5)
    switch policy {
    case .none: #expect(held.subscriber.values == [5])
    case .latest: #expect(held.subscriber.values == [4, 5])
    default: #expect(held.subscriber.values == owed + [5])
    }
    #expect(held.subscriber.violations == [])
    first.cancel()
    held.subscriber.cancel()
  }

  @Test func `D6: a newcomer joins by hand exactly too, before, during and after a connection`() {
    let upstream = TestPublisher<Int, Broken>()
    let multicast = upstream.multicast(replay: .all)
    let before = TestSubscriber<Int, Broken>()
    multicast.subscribe(before)
    let claim = multicast.connect()
    upstream.send(1)
    let during = TestSubscriber<Int, Broken>()
    multicast.subscribe(during)
    upstream.send(2)
    claim.cancel()
    let after = TestSubscriber<Int, Broken>()
    multicast.subscribe(after)
    #expect(before.values == [1, 2])
    #expect(during.values == [1, 2])
    #expect(after.values == [])
    [before, during, after].forEach { $0.cancel() }
  }
}

struct D6JoiningRaceTests {
  @Test func `D6: a cache is read by the delivering thread, never beside record`() {
    let isInside = Shared(false)
    let overlaps = Notes<String>()
    let enter: @Sendable (String) -> Void = { name in
      let wasInside = isInside.change { inside in
        defer { inside = true }
        return inside
      }
      if wasInside { overlaps.append(name) }
    }
    let subject = ReplaySubject<Int, Never>(
      .custom {
        SpyCache(
          whenRecording: { _ in
            enter("record")
            isInside.value = false
          },
          whenRead: { values in
            enter("contents")
            isInside.value = false
            return values
          })
      })
    together([
      { for value in 0..<500 { subject.send(value) } },
      { for value in 500..<1000 { subject.send(value) } },
      {
        for _ in 0..<200 {
          let sink = subject.sink { _ in }
          sink.cancel()
        }
      },
    ])
    #expect(overlaps.all == [])
  }
}
