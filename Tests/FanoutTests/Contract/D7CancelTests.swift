import Fanout
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

struct D7CancelTests {
  @Test(arguments: Policy.allCases)
  func `D7: after a cancel inside receive nothing more comes`(policy: Policy) {
    let upstream = PassthroughSubject<Int, Broken>()
    let share = upstream.share(replay: policy.replay)
    let stays = TestSubscriber<Int, Broken>()
    let leaves = TestSubscriber<Int, Broken>(demandFor: { leaves, value in
      if value == 2 {
        upstream.send(3)
        leaves.cancel()
        leaves.request(.unlimited)
        upstream.send(4)
      }
      return .unlimited
    })
    share.subscribe(leaves)
    share.subscribe(stays)
    for value in [1, 2, 5] { upstream.send(value) }
    upstream.send(completion: .finished)
    #expect(leaves.events == [.subscription, .value(1), .value(2)])
    #expect(stays.values == [1, 2, 3, 4, 5])
    #expect(leaves.violations + stays.violations == [])
  }

  @Test(arguments: Policy.allCases)
  func `D7: a cancel in the middle of a replay ends it`(policy: Policy) {
    let upstream = PassthroughSubject<Int, Broken>()
    let share = upstream.share(replay: policy.replay)
    let first = TestSubscriber<Int, Broken>()
    share.subscribe(first)
    for value in 3...6 { upstream.send(value) }
    let late = TestSubscriber<Int, Broken>(demandFor: { late, _ in
      late.cancel()
      return .unlimited
    })
    share.subscribe(late)
    upstream.send(7)
    let expected = policy.remembered(of: [3, 4, 5, 6]) + [7]
    #expect(late.values == [expected[0]])
    #expect(late.violations == [])
    first.cancel()
  }

  /// A share, a multicast by hand and a subject: with and without something between subscriber and hub.
  private func forms(_ policy: Policy, _ upstream: PassthroughSubject<Int, Broken>) -> (
    publishers: [AnyPublisher<Int, Broken>], claims: [AnyCancellable]
  ) {
    let multicast = upstream.multicast(replay: policy.replay)
    let subject = ReplaySubject<Int, Broken>(policy.replay)
    let publishers = [
      upstream.share(replay: policy.replay).eraseToAnyPublisher(),
      multicast.eraseToAnyPublisher(), subject.eraseToAnyPublisher(),
      upstream.multicast { PassthroughSubject<Int, Broken>() }.autoconnect().eraseToAnyPublisher(),
    ]
    return (publishers, [AnyCancellable(multicast.connect()), upstream.subscribe(subject)])
  }

  @Test(arguments: Policy.allCases)
  func `D7: who is cancelled by an earlier one during a value does not get that value`(
    policy: Policy
  ) {
    let upstream = PassthroughSubject<Int, Broken>()
    let (publishers, claims) = forms(policy, upstream)
    for demand in [Subscribers.Demand.unlimited, .max(9)] {
      let victims = publishers.map { _ in TestSubscriber<Int, Broken>(initialDemand: demand) }
      let killers = zip(publishers, victims).map { publisher, victim in
        let killer = TestSubscriber<Int, Broken>(demandFor: { _, value in
          if value == 2 { victim.cancel() }
          return .none
        })
        publisher.subscribe(killer)
        publisher.subscribe(victim)
        return killer
      }
      let replayed = victims.map(\.values)
      for value in 1...3 { upstream.send(value) }
      for (victim, replay) in zip(victims, replayed) { #expect(victim.values == replay + [1]) }
      killers.forEach { $0.cancel() }
    }
    withExtendedLifetime(claims) {}
  }

  @Test(arguments: Policy.allCases)
  func `D7: who is cancelled by an earlier one's completion gets none`(policy: Policy) {
    let upstream = PassthroughSubject<Int, Broken>()
    let (publishers, claims) = forms(policy, upstream)
    let victims = publishers.map { publisher in
      let victim = TestSubscriber<Int, Broken>()
      let killer = TestSubscriber<Int, Broken>(whenCompleted: { _ in victim.cancel() })
      publisher.subscribe(killer)
      publisher.subscribe(victim)
      return victim
    }
    upstream.send(1)
    upstream.send(completion: .finished)
    for victim in victims { #expect(victim.events == [.subscription, .value(1)]) }
    withExtendedLifetime(claims) {}
  }

  @Test(arguments: Policy.allCases)
  func `D7: also without a share between: a cancel inside receive, and in a replay`(policy: Policy)
  {
    let upstream = PassthroughSubject<Int, Broken>()
    let (publishers, claims) = forms(policy, upstream)
    let stays = publishers.map { publisher in
      let subscriber = TestSubscriber<Int, Broken>()
      publisher.subscribe(subscriber)
      return subscriber
    }
    for demand in [Subscribers.Demand.unlimited, .max(9)] {
      upstream.send(2)
      upstream.send(4)
      let leavers = publishers.map { publisher in
        let leaver = TestSubscriber<Int, Broken>(
          initialDemand: demand,
          demandFor: { leaver, _ in
            leaver.cancel()
            leaver.request(.unlimited)
            return .unlimited
          })
        publisher.subscribe(leaver)
        return leaver
      }
      upstream.send(6)
      upstream.send(8)
      for leaver in leavers {
        #expect(leaver.values.count == 1)
        #expect(leaver.violations == [])
      }
    }
    for subscriber in stays { #expect(subscriber.values == [2, 4, 6, 8, 2, 4, 6, 8]) }
    stays.forEach { $0.cancel() }
    withExtendedLifetime(claims) {}
  }

  @Test(arguments: Policy.allCases)
  func `D7: a cancel from another thread lets at most the call in progress run`(policy: Policy) {
    let busy = BusyShare(policy.replay)
    #expect(busy.isBusy)
    let other = TestSubscriber<Int, Broken>()
    #expect(
      finishes {
        busy.share.subscribe(other)
        busy.upstream.send(2)
        busy.held.subscriber.cancel()
        other.cancel()
        busy.upstream.send(3)
        busy.upstream.send(completion: .finished)
      })
    #expect(busy.letGo())
    #expect(busy.held.subscriber.events == [.subscription, .value(1)])
    #expect(other.events == [.subscription])
    #expect(busy.held.subscriber.violations == [])
  }

  @Test(arguments: Policy.allCases)
  func `D7: a cancel inside receive(subscription:) leaves the share untouched`(policy: Policy) {
    let upstream = TestPublisher<Int, Broken>()
    let share = upstream.share(replay: policy.replay)
    let early = TestSubscriber<Int, Broken>(whenSubscribed: { $0.cancel() })
    share.subscribe(early)
    // No subscriber was left to connect for.
    #expect(upstream.subscriptionCount == 0)
    let next = TestSubscriber<Int, Broken>()
    share.subscribe(next)
    upstream.send(1)
    #expect(early.events == [.subscription])
    #expect(next.values == [1])
    #expect(upstream.subscriptionCount == 1)
    next.cancel()
    #expect(upstream.cancelCount == 1)
  }

  @Test(arguments: Policy.allCases)
  func `D7: a cancel before the upstream's subscription has arrived cancels that at once`(
    policy: Policy
  ) {
    let upstream = LooseUpstream(isPrompt: false)
    let share = upstream.share(replay: policy.replay)
    let subscriber = TestSubscriber<Int, Broken>()
    share.subscribe(subscriber)
    subscriber.cancel()
    upstream.arrive()
    #expect(upstream.note.all == ["cancel"])
    #expect(upstream.heldLinks == 0)
    // A value of an upstream that has not noticed.
    upstream.send(1)
    #expect(subscriber.events == [.subscription])
  }

  @Test(arguments: Policy.allCases)
  func `D7: a sink cancelled before the subscription arrives stays silent`(policy: Policy) {
    let upstream = LooseUpstream(isPrompt: false)
    let share = upstream.share(replay: policy.replay)
    let heard = Notes<Int>()
    let sink = share.sink(receiveCompletion: { _ in heard.append(-1) }) { heard.append($0) }
    sink.cancel()
    upstream.arrive()
    upstream.send(1)
    upstream.send(completion: .finished)
    #expect(heard.all == [])
  }

  @Test(arguments: Policy.allCases)
  func `D7: cancelling twice, or after the terminal, does nothing`(policy: Policy) {
    let upstream = TestPublisher<Int, Broken>()
    let share = upstream.share(replay: policy.replay)
    let stays = TestSubscriber<Int, Broken>()
    let leaves = TestSubscriber<Int, Broken>()
    share.subscribe(stays)
    share.subscribe(leaves)
    for _ in 0..<5 { leaves.cancel() }
    upstream.send(1)
    #expect(stays.values == [1])
    #expect(upstream.cancelCount == 0)
    upstream.send(completion: .finished)
    for _ in 0..<2 {
      stays.cancel()
      leaves.cancel()
    }
    #expect(stays.events == [.subscription, .value(1), .completion(.finished)])
    #expect(upstream.cancelCount == 0)
  }
}

struct D7CancelRaceTests {
  @Test(arguments: Policy.allCases)
  func `D7: cancels racing with sends let at most one call through, and leave others whole`(
    policy: Policy
  ) {
    let subject = ReplaySubject<Int, Broken>(policy.replay)
    let share = subject.share(replay: policy.replay)
    let stays = TestSubscriber<Int, Broken>()
    share.subscribe(stays)
    let victim = Shared(TestSubscriber<Int, Broken>())
    let countAtCancel = Shared(0)
    let wrong = Notes<Int>()
    together(
      rounds: 300,
      before: { _ in
        victim.value = TestSubscriber()
        share.subscribe(victim.value)
      },
      [
        { round in for value in 0..<5 { subject.send(round * 5 + value) } },
        { _ in
          victim.value.cancel()
          countAtCancel.value = victim.value.events.count
        },
      ],
      after: { _ in
        let more = victim.value.events.count - countAtCancel.value
        if more > 1 { wrong.append(more) }
      })
    #expect(wrong.all == [])
    #expect(stays.values == Array(0..<5 * rounds(300)))
    stays.cancel()
  }
}
