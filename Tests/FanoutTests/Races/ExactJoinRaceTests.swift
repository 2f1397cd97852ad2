import Fanout
import FanoutTestSupport
import Synchronization
import TestFixtures
import TestThreads
import Testing

/// A subscriber that joined while others sent: its values, and the places in the order between
/// which it can have joined.
private struct Joiner: Sendable {
  let subscriber: TestSubscriber<Int, Broken>
  /// How many sends had returned when it began to subscribe.
  let acceptedBefore: Int
  /// How many sends had begun when it had subscribed.
  let begunAfter: Int
}

/// Counts sends, so that one knows between which of them something happened.
private final class Sending: Sendable {
  let begun = Atomic<Int>(0)
  let returned = Atomic<Int>(0)

  func callAsFunction(_ values: Range<Int>, _ send: (Int) -> Void) {
    for value in values {
      begun.wrappingAdd(1, ordering: .sequentiallyConsistent)
      send(value)
      returned.wrappingAdd(1, ordering: .sequentiallyConsistent)
    }
  }
}

struct ExactJoinRaceTests {
  /// Whether it saw the replay at some place in the order between the two, then all from there on:
  /// as far as it stayed, or to the end.
  private func isExact(
    _ joiner: Joiner, in order: [Int], _ policy: Policy, toTheEnd isComplete: Bool
  ) -> Bool {
    let values = joiner.subscriber.values
    return (joiner.acceptedBefore...max(joiner.acceptedBefore, joiner.begunAfter)).contains {
      place in
      let expected = policy.remembered(of: Array(order.prefix(place))) + order.dropFirst(place)
      return isComplete ? expected == values : expected.starts(with: values)
    }
  }

  @Test(arguments: Policy.allCases)
  func `D6 D2: senders, joiners and cancellers: every join is exact, all agree on one order`(
    policy: Policy
  ) {
    let subject = ReplaySubject<Int, Broken>(policy.replay)
    let sending = Sending()
    let first = TestSubscriber<Int, Broken>()
    subject.subscribe(first)
    let joiners = Notes<Joiner>()
    let join: @Sendable (Int) -> Void = { seed in
      var dice = SeededChance(seed: UInt64(seed))
      for _ in 0..<40 {
        let before = sending.returned.load(ordering: .sequentiallyConsistent)
        let subscriber = TestSubscriber<Int, Broken>()
        subject.subscribe(subscriber)
        let after = sending.begun.load(ordering: .sequentiallyConsistent)
        joiners.append(
          Joiner(subscriber: subscriber, acceptedBefore: before, begunAfter: after))
        // Some go at once, some after a while, some stay.
        if Bool.random(using: &dice) {
          joiners.all.randomElement(using: &dice)?.subscriber.cancel()
        }
      }
    }
    together([
      { sending(0..<150) { subject.send($0) } },
      { sending(1000..<1150) { subject.send($0) } },
      { join(1) },
      { join(2) },
    ])
    subject.send(completion: .finished)
    let order = first.values
    #expect(order.count == 300)
    for joiner in joiners.all {
      let hasEnded = joiner.subscriber.completion != nil
      #expect(
        isExact(joiner, in: order, policy, toTheEnd: hasEnded),
        """
        \(joiner.subscriber.values) joined between \(joiner.acceptedBefore) and \(joiner.begunAfter) \
        of \(order)
        """)
    }
  }

  @Test(arguments: Policy.lossless)
  func `D6 D8: with demand that comes bit by bit from another thread, nothing is missing`(
    policy: Policy
  ) {
    let subject = ReplaySubject<Int, Broken>(policy.replay)
    let sending = Sending()
    let first = TestSubscriber<Int, Broken>()
    subject.subscribe(first)
    let joiners = Notes<Joiner>()
    together([
      { sending(0..<200) { subject.send($0) } },
      { sending(1000..<1200) { subject.send($0) } },
      {
        for _ in 0..<20 {
          let before = sending.returned.load(ordering: .sequentiallyConsistent)
          let subscriber = TestSubscriber<Int, Broken>(initialDemand: .none)
          subject.subscribe(subscriber)
          let after = sending.begun.load(ordering: .sequentiallyConsistent)
          joiners.append(
            Joiner(subscriber: subscriber, acceptedBefore: before, begunAfter: after))
        }
      },
      { for _ in 0..<60 { joiners.all.forEach { $0.subscriber.request(.max(3)) } } },
    ])
    let order = first.values
    for joiner in joiners.all {
      joiner.subscriber.request(.unlimited)
      #expect(isExact(joiner, in: order, policy, toTheEnd: true))
      #expect(joiner.subscriber.violations == [])
      joiner.subscriber.cancel()
    }
    first.cancel()
  }

  /// Checks that the values of a subscriber are a contiguous part of the order.
  ///
  /// The values go through a subject and a `map`, so the place where a subscriber joins is not
  /// known from outside.
  @Test(arguments: Policy.allCases)
  func `D6 D2 L1: joiners and leavers of a share that connects and disconnects see no gap`(
    policy: Policy
  ) {
    let subject = PassthroughSubject<Int, Broken>()
    let connections = Atomic<Int>(0)
    let share = Deferred { () -> Publishers.Map<PassthroughSubject<Int, Broken>, Int> in
      connections.wrappingAdd(1, ordering: .relaxed)
      return subject.map { $0 }
    }.share(replay: policy.replay)
    let joiners = Notes<TestSubscriber<Int, Broken>>()
    let comeAndGo: @Sendable () -> Void = {
      for _ in 0..<rounds(150) {
        let subscriber = TestSubscriber<Int, Broken>()
        share.subscribe(subscriber)
        joiners.append(subscriber)
        subscriber.cancel()
      }
    }
    together([
      { for value in 0..<1500 { subject.send(value) } }, comeAndGo, comeAndGo, comeAndGo,
    ])
    for subscriber in joiners.all {
      let values = subscriber.values
      guard let first = values.first, policy != .custom else { continue }
      #expect(values == Array(first..<(first + values.count)))
    }
    let last = TestSubscriber<Int, Broken>()
    share.subscribe(last)
    subject.send(5000)
    #expect(last.values == [5000])
    #expect(connections.load(ordering: .relaxed) <= joiners.all.count + 1)
    last.cancel()
  }

  @Test(arguments: Policy.allCases)
  func `D2 L5: over connects and disconnects those who stay agree on one order`(policy: Policy) {
    let upstream = PassthroughSubject<Int, Broken>()
    let multicast = upstream.multicast(replay: policy.replay)
    let subscribers = (0..<3).map { _ in TestSubscriber<Int, Broken>() }
    subscribers.forEach(multicast.subscribe)
    let connectAndNot: @Sendable () -> Void = {
      for _ in 0..<rounds(200) {
        let claim = multicast.connect()
        claim.cancel()
      }
    }
    together([
      { for value in 0..<1000 { upstream.send(value) } }, connectAndNot, connectAndNot,
    ])
    let claim = multicast.connect()
    upstream.send(5000)
    claim.cancel()
    let order = subscribers[0].values
    #expect(order.last == 5000)
    #expect(order == order.sorted())
    #expect(Set(order).count == order.count)
    for subscriber in subscribers {
      #expect(subscriber.values.elementsEqual(order))
      #expect(subscriber.violations == [])
      subscriber.cancel()
    }
  }
}
