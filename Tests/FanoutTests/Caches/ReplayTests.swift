import Fanout
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

struct ReplayTests {
  @Test func `last(_:) gives as many as it says, and no more than there are`() {
    for count in [1, 2, 7, 8, 9, 1023, 1024, 1025, 4000] {
      let subject = ReplaySubject<Int, Never>(.last(count))
      for value in 1...1500 {
        subject.send(value)
        guard value % 250 == 0 || value < 3 else { continue }
        let late = TestSubscriber<Int, Never>()
        subject.subscribe(late)
        #expect(late.values.elementsEqual(Array(1...value).suffix(count)))
        late.cancel()
      }
    }
  }

  @Test func `a keyframe that follows a keyframe, the first value and the last one`() {
    let subject = ReplaySubject<Int, Never>(.sinceKeyframe { $0 >= 10 })
    let expected: [(send: Int, replay: [Int])] = [
      (1, [1]), (2, [1, 2]), (10, [10]), (11, [11]), (3, [11, 3]), (12, [12]),
    ]
    for (value, replay) in expected {
      subject.send(value)
      let late = TestSubscriber<Int, Never>()
      subject.subscribe(late)
      #expect(late.values == replay)
      late.cancel()
    }
    subject.send(completion: .finished)
    let late = TestSubscriber<Int, Never>()
    subject.subscribe(late)
    #expect(late.values == [12])
    #expect(late.completion == .finished)
  }

  @Test func `long stretches between keyframes are given whole`() {
    let subject = ReplaySubject<Int, Never>(.sinceKeyframe { $0 % 3000 == 0 })
    let fast = TestSubscriber<Int, Never>()
    subject.subscribe(fast)
    for value in 1...7000 {
      subject.send(value)
      guard value % 999 == 0 else { continue }
      let late = TestSubscriber<Int, Never>()
      subject.subscribe(late)
      let start = value < 3000 ? 1 : value / 3000 * 3000
      #expect(late.values.elementsEqual(start...value))
      late.cancel()
    }
    fast.cancel()
  }

  @Test func `a cache's contents may be any sequence, also one that is made on the way`() {
    struct EverySecond: ReplayCache {
      var all: [Int] = []
      mutating func record(_ value: Int) { all.append(value) }
      var contents: some Sequence<Int> {
        all.lazy.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
      }
    }
    let subject = ReplaySubject<Int, Never>(.custom { EverySecond() })
    for value in 1...5 { subject.send(value) }
    let late = TestSubscriber<Int, Never>(initialDemand: .max(2))
    subject.subscribe(late)
    subject.send(6)
    #expect(late.values == [1, 3])
    late.request(.unlimited)
    #expect(late.values == [1, 3, 5, 6])
    late.cancel()
  }

  @Test func `a cache may be a class, and may have something before the first value`() {
    final class Greeting: ReplayCache {
      typealias Value = String
      private var count = 0
      func record(_ value: String) { count += 1 }
      var contents: [String] { ["hello, \(count) so far"] }
    }
    let upstream = PassthroughSubject<String, Never>()
    let share = upstream.share(replay: .custom { Greeting() })
    let first = TestSubscriber<String, Never>()
    share.subscribe(first)
    upstream.send("a")
    let second = TestSubscriber<String, Never>()
    share.subscribe(second)
    upstream.send("b")
    #expect(first.values == ["hello, 0 so far", "a", "b"])
    #expect(second.values == ["hello, 1 so far", "b"])
    [first, second].forEach { $0.cancel() }
  }

  @Test func `a cache has recorded a value before anybody is given it`() {
    let recorded = Notes<Int>()
    let subject = ReplaySubject<Int, Never>(
      .custom { SpyCache(whenRecording: { recorded.append($0) }) })
    let sink = subject.sink { #expect(recorded.all.last == $0) }
    for value in 1...3 { subject.send(value) }
    #expect(recorded.all == [1, 2, 3])
    sink.cancel()
  }

  @Test func `one policy may serve many shares, each with a cache of its own`() {
    let replay = Replay<Int>.custom { SpyCache() }
    let subjects = (0..<2).map { _ in ReplaySubject<Int, Never>(replay) }
    subjects[0].send(1)
    subjects[1].send(2)
    for (index, subject) in subjects.enumerated() {
      let late = TestSubscriber<Int, Never>()
      subject.subscribe(late)
      #expect(late.values == [index + 1])
      late.cancel()
    }
  }

  @Test(arguments: Policy.allCases)
  func `the parts and the whole agree: share(replay:) is multicast(replay:) autoconnected`(
    policy: Policy
  ) {
    let upstreams = (0..<2).map { _ in TestPublisher<Int, Broken>() }
    let publishers = [
      upstreams[0].share(replay: policy.replay).eraseToAnyPublisher(),
      upstreams[1].multicast(replay: policy.replay).autoconnect().eraseToAnyPublisher(),
    ]
    var dice = SeededChance(seed: 7)
    var subscribers: [[TestSubscriber<Int, Broken>]] = [[], []]
    for value in 1...200 {
      let roll = Int.random(in: 0..<10, using: &dice)
      let who = Int.random(in: 0..<max(subscribers[0].count, 1), using: &dice)
      for side in 0..<2 {
        switch roll {
        case 0, 1:
          let subscriber = TestSubscriber<Int, Broken>(initialDemand: .max(value % 3))
          publishers[side].subscribe(subscriber)
          subscribers[side].append(subscriber)
        case 2, 3: if who < subscribers[side].count { subscribers[side][who].request(.max(2)) }
        case 4: if who < subscribers[side].count { subscribers[side][who].cancel() }
        default: upstreams[side].subscriptions.last?.send(value)
        }
      }
    }
    #expect(subscribers[0].map(\.values) == subscribers[1].map(\.values))
    #expect(upstreams[0].subscriptionCount == upstreams[1].subscriptionCount)
    #expect(upstreams[0].requests == upstreams[1].requests)
    #expect(subscribers[0].contains { !$0.values.isEmpty })
    subscribers.joined().forEach { $0.cancel() }
  }
}
