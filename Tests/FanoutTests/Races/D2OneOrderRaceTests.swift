import Fanout
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

struct D2OneOrderRaceTests {
  private static let perSender = 400

  /// Sends from three threads at once, and checks the values of the subscribers that are attached
  /// throughout.
  private func check(
    _ publisher: AnyPublisher<Int, Broken>, send: @escaping @Sendable (Int) -> Void
  ) {
    let subscribers = (0..<4).map { _ in TestSubscriber<Int, Broken>() }
    subscribers.forEach(publisher.subscribe)
    let senders = (0..<3).map { sender -> @Sendable () -> Void in
      { for value in 0..<Self.perSender { send(sender * 1000 + value) } }
    }
    together(senders)
    let order = subscribers[0].values
    #expect(order.count == 3 * Self.perSender)
    for sender in 0..<3 {
      let mine = order.filter { $0 / 1000 == sender }
      #expect(mine.elementsEqual((0..<Self.perSender).map { sender * 1000 + $0 }))
    }
    for subscriber in subscribers {
      #expect(subscriber.values.elementsEqual(order))
      #expect(subscriber.violations == [])
      subscriber.cancel()
    }
  }

  @Test(arguments: Policy.allCases)
  func `D2: subscribers of a share agree on one order, however many threads send`(policy: Policy) {
    let subject = PassthroughSubject<Int, Broken>()
    check(subject.share(replay: policy.replay).eraseToAnyPublisher()) { subject.send($0) }
  }

  @Test(arguments: Policy.allCases)
  func `D2: also where the upstream itself does not serialise`(policy: Policy) {
    let upstream = TestPublisher<Int, Broken>()
    check(upstream.share(replay: policy.replay).eraseToAnyPublisher()) { upstream.send($0) }
  }

  @Test(arguments: Policy.allCases)
  func `D2: of a ReplaySubject, and of a share of a share`(policy: Policy) {
    let subject = ReplaySubject<Int, Broken>(policy.replay)
    check(subject.eraseToAnyPublisher()) { subject.send($0) }
    let inner = PassthroughSubject<Int, Broken>()
    let outer = inner.share(replay: policy.replay).map { $0 }.share(replay: policy.replay)
    check(outer.eraseToAnyPublisher()) { inner.send($0) }
  }

  @Test func `D2: of the forms with a subject of one's own`() {
    let subject = PassthroughSubject<Int, Broken>()
    check(
      subject.multicast { PassthroughSubject<Int, Broken>() }.autoconnect().eraseToAnyPublisher()
    ) { subject.send($0) }
    let second = PassthroughSubject<Int, Broken>()
    check(
      second.multicast(subject: ReplaySubject<Int, Broken>(.last(2))).autoconnect()
        .eraseToAnyPublisher()
    ) { second.send($0) }
  }

  @Test(arguments: Policy.lossless)
  func `D2: those who lag see the same order, later`(policy: Policy) {
    let subject = ReplaySubject<Int, Broken>(policy.replay)
    let fast = TestSubscriber<Int, Broken>()
    let slow = TestSubscriber<Int, Broken>(initialDemand: .none)
    subject.subscribe(fast)
    subject.subscribe(slow)
    together([
      { for value in 0..<300 { subject.send(value) } },
      { for value in 1000..<1300 { subject.send(value) } },
      { for _ in 0..<200 { slow.request(.max(2)) } },
    ])
    #expect(slow.values.elementsEqual(fast.values.prefix(400)))
    slow.request(.unlimited)
    #expect(slow.values.elementsEqual(fast.values))
    #expect(slow.violations + fast.violations == [])
    [slow, fast].forEach { $0.cancel() }
  }
}
