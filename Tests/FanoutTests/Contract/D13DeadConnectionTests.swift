import Fanout
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

struct D13DeadConnectionTests {
  /// Forms through which an upstream is shared, connected by hand.
  private func forms(_ upstream: TestPublisher<Int, Broken>) -> [(
    publisher: AnyPublisher<Int, Broken>, connect: () -> AnyCancellable
  )] {
    func form<P: ConnectablePublisher<Int, Broken>>(_ connectable: P) -> (
      AnyPublisher<Int, Broken>, () -> AnyCancellable
    ) {
      (connectable.eraseToAnyPublisher(), { AnyCancellable(connectable.connect()) })
    }
    return [
      form(upstream.multicast { PassthroughSubject<Int, Broken>() }),
      form(upstream.multicast(subject: UserSubject<Int, Broken>())),
    ] + Policy.allCases.map { form(upstream.multicast(replay: $0.replay)) }
  }

  @Test func `D13: late values and terminals of an old upstream are ignored`() {
    for index in forms(TestPublisher()).indices {
      let upstream = TestPublisher<Int, Broken>(ignoresCancel: true)
      let (publisher, connect) = forms(upstream)[index]
      let subscriber = TestSubscriber<Int, Broken>()
      publisher.subscribe(subscriber)
      let first = connect()
      upstream.subscriptions[0].send(1)
      first.cancel()
      upstream.subscriptions[0].send(2)
      let second = connect()
      upstream.subscriptions[0].send(3)
      upstream.subscriptions[1].send(10)
      upstream.subscriptions[0].send(completion: .failure(Broken()))
      upstream.subscriptions[1].send(11)
      second.cancel()
      upstream.subscriptions[1].send(12)
      upstream.subscriptions[1].send(completion: .finished)
      #expect(subscriber.values == [1, 10, 11])
      #expect(subscriber.completion == nil)
      let third = connect()
      upstream.subscriptions[2].send(20)
      #expect(subscriber.values.last == 20)
      third.cancel()
      subscriber.cancel()
    }
  }

  @Test(arguments: Policy.allCases)
  func `D13: nor do they enter a newer cache`(policy: Policy) {
    let upstream = TestPublisher<Int, Broken>(ignoresCancel: true)
    let share = upstream.share(replay: policy.replay)
    let first = TestSubscriber<Int, Broken>()
    share.subscribe(first)
    upstream.subscriptions[0].send(1)
    first.cancel()
    let second = TestSubscriber<Int, Broken>()
    share.subscribe(second)
    upstream.subscriptions[0].send(2)
    upstream.subscriptions[1].send(10)
    upstream.subscriptions[0].send(3)
    upstream.subscriptions[1].send(12)
    upstream.subscriptions[0].send(completion: .finished)
    let third = TestSubscriber<Int, Broken>()
    share.subscribe(third)
    #expect(first.values == [1])
    #expect(second.values == [10, 12])
    #expect(third.values == policy.remembered(of: [10, 12]))
    #expect(third.completion == nil)
    [second, third].forEach { $0.cancel() }
  }

  @Test(arguments: Policy.allCases)
  func `D13: a value that an old upstream still works on does not reach the next connection`(
    policy: Policy
  ) {
    let subject = PassthroughSubject<Int, Broken>()
    let isWorking = Gate()
    let mayGoOn = Gate()
    let share = subject.map { value -> Int in
      if value == 1 {
        isWorking.open()
        mayGoOn.wait()
      }
      return value
    }.share(replay: policy.replay)
    let first = TestSubscriber<Int, Broken>()
    share.subscribe(first)
    let sending = TestThread { subject.send(1) }
    #expect(isWorking.wait())
    let second = TestSubscriber<Int, Broken>()
    #expect(
      finishes {
        first.cancel()
        share.subscribe(second)
      })
    mayGoOn.open()
    #expect(sending.join())
    let third = TestSubscriber<Int, Broken>()
    share.subscribe(third)
    subject.send(2)
    #expect(first.values == [])
    #expect(second.values == [2])
    #expect(third.values == [2])
    [second, third].forEach { $0.cancel() }
  }

  @Test(arguments: Policy.allCases)
  func `D13: a value in mid-receive ends there; what waits behind it belongs to its connection`(
    policy: Policy
  ) {
    let upstream = TestPublisher<Int, Broken>(ignoresCancel: true)
    let share = upstream.share(replay: policy.replay)
    let held = HeldSubscriber(at: 1)
    share.subscribe(held.subscriber)
    let sending = TestThread {
      upstream.subscriptions[0].send(1)
      // Not yet noticed that it was cancelled.
      upstream.subscriptions[0].send(3)
    }
    #expect(held.stands())
    let second = TestSubscriber<Int, Broken>()
    #expect(
      finishes {
        upstream.subscriptions[0].send(2)
        held.subscriber.cancel()
        share.subscribe(second)
        upstream.subscriptions[1].send(10)
      })
    held.letGo()
    #expect(sending.join())
    let third = TestSubscriber<Int, Broken>()
    share.subscribe(third)
    #expect(held.subscriber.values == [1])
    #expect(second.values == [10])
    #expect(third.values == policy.remembered(of: [10]))
    [second, third].forEach { $0.cancel() }
  }

  @Test(arguments: Policy.allCases)
  func `D13: a subscription that comes after its connection was closed is cancelled`(
    policy: Policy
  ) {
    let upstream = LooseUpstream(isPrompt: false)
    let share = upstream.share(replay: policy.replay)
    let first = TestSubscriber<Int, Broken>()
    share.subscribe(first)
    first.cancel()
    upstream.arrive()
    #expect(upstream.note.all == ["cancel"])
    let second = TestSubscriber<Int, Broken>()
    share.subscribe(second)
    upstream.arrive()
    #expect(upstream.note.all == ["cancel", "request unlimited"])
    upstream.send(1)
    #expect(first.values == [])
    #expect(second.values == [1])
    second.cancel()
  }

  @Test(arguments: Policy.allCases)
  func `D13: a second subscription for one connection is cancelled, the first goes on`(
    policy: Policy
  ) {
    let upstream = LooseUpstream()
    let share = upstream.share(replay: policy.replay)
    let subscriber = TestSubscriber<Int, Broken>()
    share.subscribe(subscriber)
    upstream.arrive()
    #expect(upstream.note.all == ["request unlimited", "cancel"])
    upstream.send(1)
    #expect(subscriber.values == [1])
    subscriber.cancel()
    #expect(upstream.note.all == ["request unlimited", "cancel", "cancel"])
  }
}
