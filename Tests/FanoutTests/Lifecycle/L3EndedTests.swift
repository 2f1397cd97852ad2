import Fanout
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

struct L3EndedTests {
  @Test(arguments: AutoForm.allCases)
  func `L3: after completion the work is not run again`(form: AutoForm) {
    let upstream = TestPublisher<Int, Never>()
    let share = form.make(upstream)
    let first = TestSubscriber<Int, Never>()
    share.subscribe(first)
    for value in 1...4 { upstream.send(value) }
    upstream.send(completion: .finished)
    for demand in [Subscribers.Demand.none, .max(1), .unlimited, .none] {
      let late = TestSubscriber<Int, Never>(initialDemand: demand)
      share.subscribe(late)
      #expect(upstream.subscriptionCount == 1)
      late.request(.unlimited)
      if let policy = form.policy { #expect(late.values == policy.remembered(of: [1, 2, 3, 4])) }
      #expect(late.completion == .finished)
      late.cancel()
    }
    #expect(upstream.subscriptionCount == 1)
    #expect(upstream.cancelCount == 0)
  }

  @Test(arguments: Policy.allCases)
  func `L3: nor after a failure; cache and failure stay`(policy: Policy) {
    let upstream = TestPublisher<Int, Broken>()
    let share = upstream.share(replay: policy.replay)
    let first = TestSubscriber<Int, Broken>()
    share.subscribe(first)
    for value in 1...4 { upstream.send(value) }
    upstream.send(completion: .failure(Broken()))
    for _ in 0..<3 {
      let late = TestSubscriber<Int, Broken>()
      share.subscribe(late)
      #expect(late.values == policy.remembered(of: [1, 2, 3, 4]))
      #expect(late.completion == .failure(Broken()))
    }
    #expect(upstream.subscriptionCount == 1)
  }

  @Test(arguments: Policy.allCases)
  func `L3: the cache stays though the last subscriber leaves before it has the terminal`(
    policy: Policy
  ) {
    let busy = BusyShare(policy.replay, before: [2, 3, 4])
    #expect(busy.isBusy)
    #expect(
      finishes {
        // Accepted, not delivered: the connection has ended and does not close any more.
        busy.upstream.send(completion: .finished)
        busy.held.subscriber.cancel()
      })
    #expect(busy.letGo())
    #expect(busy.held.subscriber.completion == nil)
    let late = TestSubscriber<Int, Broken>()
    busy.share.subscribe(late)
    #expect(late.values == policy.remembered(of: [2, 3, 4, 1]))
    #expect(late.completion == .finished)
    #expect(busy.upstream.subscriptionCount == 1)
    #expect(busy.upstream.cancelCount == 0)
  }

  @Test func `L3: a subject that its owner ends is the end of what is shared through it`() {
    let subject = PassthroughSubject<Int, Broken>()
    let upstream = TestPublisher<Int, Broken>()
    let share = upstream.multicast(subject: subject).autoconnect()
    let first = TestSubscriber<Int, Broken>()
    share.subscribe(first)
    upstream.send(1)
    subject.send(completion: .finished)
    #expect(first.events == [.subscription, .value(1), .completion(.finished)])
    let late = TestSubscriber<Int, Broken>()
    share.subscribe(late)
    #expect(late.events == [.subscription, .completion(.finished)])
    upstream.send(2)
    #expect(late.values == [])
  }
}

struct L3EndedRaceTests {
  @Test(arguments: Policy.allCases)
  func `L3: a terminal racing with the last leaver: either the share has ended, or starts anew`(
    policy: Policy
  ) {
    let upstream = Shared(TestPublisher<Int, Broken>())
    let share = Shared(upstream.value.share(replay: policy.replay))
    let leaver = Shared(TestSubscriber<Int, Broken>())
    let wrong = Notes<String>()
    together(
      rounds: 300,
      before: { _ in
        upstream.value = TestPublisher()
        share.value = upstream.value.share(replay: policy.replay)
        leaver.value = TestSubscriber()
        share.value.subscribe(leaver.value)
        upstream.value.send(6)
      },
      [
        { _ in leaver.value.cancel() },
        { _ in upstream.value.send(completion: .finished) },
      ],
      after: { _ in
        let late = TestSubscriber<Int, Broken>()
        share.value.subscribe(late)
        let hasEnded =
          upstream.value.subscriptionCount == 1 && upstream.value.cancelCount == 0
          && late.values == policy.remembered(of: [6]) && late.completion == .finished
        let hasBegun =
          upstream.value.subscriptionCount == 2 && upstream.value.cancelCount == 1
          && late.events == [.subscription]
        if !hasEnded, !hasBegun {
          wrong.append("\(late.events) \(upstream.value.subscriptions.map(\.cancelCount))")
        }
        late.cancel()
      })
    #expect(wrong.all == [])
  }
}
