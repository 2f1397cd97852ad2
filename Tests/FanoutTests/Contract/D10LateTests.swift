import Fanout
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

struct D10LateTests {
  private static let ends: [Subscribers.Completion<Broken>] = [.finished, .failure(Broken())]

  @Test(arguments: Policy.allCases)
  func `D10: after a terminal a late subscriber gets the replay, then the terminal`(policy: Policy)
  {
    for end in Self.ends {
      let upstream = TestPublisher<Int, Broken>()
      let share = upstream.share(replay: policy.replay)
      let first = TestSubscriber<Int, Broken>()
      share.subscribe(first)
      for value in 1...4 { upstream.send(value) }
      upstream.send(completion: end)
      for _ in 0..<2 {
        let late = TestSubscriber<Int, Broken>()
        share.subscribe(late)
        #expect(late.values == policy.remembered(of: [1, 2, 3, 4]))
        #expect(late.events.last == .completion(end))
        #expect(late.violations == [])
      }
      #expect(upstream.subscriptionCount == 1)
    }
  }

  @Test(arguments: Policy.allCases)
  func `D10: the replay of a late subscriber waits for demand, its terminal only for the replay`(
    policy: Policy
  ) {
    for end in Self.ends {
      let upstream = TestPublisher<Int, Broken>()
      let share = upstream.share(replay: policy.replay)
      let first = TestSubscriber<Int, Broken>()
      share.subscribe(first)
      for value in 1...4 { upstream.send(value) }
      upstream.send(completion: end)
      let late = TestSubscriber<Int, Broken>(initialDemand: .none)
      share.subscribe(late)
      let replay = policy.remembered(of: [1, 2, 3, 4])
      for count in 0..<replay.count {
        #expect(late.values == Array(replay.prefix(count)))
        #expect(late.completion == nil)
        late.request(.max(1))
      }
      #expect(late.values == replay)
      #expect(late.completion == end)
      #expect(late.violations == [])
    }
  }

  @Test(arguments: Policy.allCases)
  func `D10: who comes from inside the terminal is late too`(policy: Policy) {
    let upstream = TestPublisher<Int, Broken>()
    let share = upstream.share(replay: policy.replay)
    let late = TestSubscriber<Int, Broken>()
    let first = TestSubscriber<Int, Broken>(whenCompleted: { _ in share.subscribe(late) })
    share.subscribe(first)
    for value in 1...4 { upstream.send(value) }
    upstream.send(completion: .finished)
    #expect(late.values == policy.remembered(of: [1, 2, 3, 4]))
    #expect(late.completion == .finished)
    #expect(late.violations == [])
    #expect(upstream.subscriptionCount == 1)
  }

  @Test(arguments: Policy.allCases)
  func `D10: who comes between the acceptance of the terminal and its delivery is late too`(
    policy: Policy
  ) {
    let busy = BusyShare(policy.replay)
    #expect(busy.isBusy)
    let late = TestSubscriber<Int, Broken>()
    #expect(
      finishes {
        busy.upstream.send(2)
        busy.upstream.send(completion: .finished)
        busy.share.subscribe(late)
      })
    #expect(busy.letGo())
    #expect(late.values == policy.remembered(of: [1, 2]))
    #expect(late.completion == .finished)
    #expect(busy.upstream.subscriptionCount == 1)
    #expect(busy.held.subscriber.completion == .finished)
  }

  @Test(arguments: Policy.allCases)
  func `D10: a ReplaySubject and a multicast by hand treat the late alike`(policy: Policy) {
    let subject = ReplaySubject<Int, Broken>(policy.replay)
    let upstream = TestPublisher<Int, Broken>()
    let multicast = upstream.multicast(replay: policy.replay)
    let claim = multicast.connect()
    for value in 1...4 {
      subject.send(value)
      upstream.send(value)
    }
    subject.send(completion: .finished)
    upstream.send(completion: .finished)
    claim.cancel()
    for publisher in [subject.eraseToAnyPublisher(), multicast.eraseToAnyPublisher()] {
      let late = TestSubscriber<Int, Broken>(initialDemand: .max(9))
      publisher.subscribe(late)
      #expect(late.values == policy.remembered(of: [1, 2, 3, 4]))
      #expect(late.completion == .finished)
    }
  }

  @Test func `D10: through a CurrentValueSubject the late get the terminal alone, as in Combine`() {
    let upstream = PassthroughSubject<Int, Broken>()
    let multicast = upstream.multicast(subject: CurrentValueSubject<Int, Broken>(0))
    let slow = TestSubscriber<Int, Broken>(initialDemand: .none)
    multicast.subscribe(slow)
    let claim = multicast.connect()
    upstream.send(1)
    upstream.send(completion: .finished)
    let late = TestSubscriber<Int, Broken>()
    multicast.subscribe(late)
    #expect(slow.events == [.subscription, .completion(.finished)])
    #expect(late.events == [.subscription, .completion(.finished)])
    claim.cancel()
  }
}
