import Fanout
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// A wait that limits more than a number of values, and a wait that ends.
struct B6LimitTests {
  private let clock = TestScheduler()

  private func slow() -> TestSubscriber<Int, Never> { TestSubscriber(initialDemand: .none) }

  @Test
  func `B6: the upstream is asked for one value at a time as long as the cost is not reached`() {
    let source = TestPublisher<Int, Never>()
    let shared = source.share(backlog: .limit(.cost(10) { $0 }, whenFull: .wait))
    let slow = slow()
    shared.subscribe(slow)
    #expect(source.requests == [.max(1)])
    source.send(4)
    #expect(source.requests.count == 2)
    source.send(5)
    #expect(source.requests.count == 3)
    // The last one may exceed the limit: what it costs is known when it has come.
    source.send(100)
    #expect(source.requests.count == 3)
    slow.request(.max(2))
    #expect(source.requests.count == 3)
    slow.request(.max(1))
    #expect(source.requests == Array(repeating: .max(1), count: 4))
    #expect(slow.values == [4, 5, 100])
    slow.cancel()
  }

  @Test func `B6: the smaller of the number and the cost holds`() {
    let source = TestPublisher<Int, Never>()
    let shared = source.share(backlog: .limit(.count(2), .cost(10) { $0 }, whenFull: .wait))
    let slow = slow()
    shared.subscribe(slow)
    for value in [1, 1] { source.send(value) }
    #expect(source.requests.count == 2)
    slow.request(.max(1))
    #expect(source.requests.count == 3)
    source.send(20)
    slow.request(.max(1))
    #expect(source.requests.count == 3)
    slow.request(.max(1))
    #expect(source.requests.count == 4)
    slow.cancel()
  }

  @Test func `B6: under a limit of the age nothing is asked for while a value waits too long`() {
    let source = TestPublisher<Int, Never>()
    let shared = source.share(
      backlog: .limit(.age(.seconds(2), clock: clock), whenFull: .wait))
    let slow = slow()
    shared.subscribe(slow)
    source.send(1)
    #expect(source.requests.count == 2)
    clock.advance(by: .seconds(3))
    source.send(2)
    #expect(source.requests.count == 2)
    slow.request(.max(1))
    #expect(slow.values == [1])
    #expect(source.requests.count == 3)
    slow.cancel()
  }

  @Test(arguments: 0..<40)
  func `B6, B1: a sequence of costs, several subscribers: all get everything, within the limit`(
    seed: Int
  ) {
    var chance = SeededChance(seed: UInt64(seed))
    let costs = (0..<40).map { _ in Int.random(in: 0...6, using: &chance) }
    let (count, cost) = (
      Int.random(in: 1...6, using: &chance), Int.random(in: 1...12, using: &chance)
    )
    let shared = costs.publisher.multicast(
      replay: .none, backlog: .limit(.count(count), .cost(cost) { $0 }, whenFull: .wait))
    let all = (0..<3).map { _ in slow() }
    for subscriber in all { shared.subscribe(subscriber) }
    let connection = shared.connect()
    defer { connection.cancel() }
    var steps = 0
    while all.contains(where: { $0.completion == nil }) {
      let chosen = all[Int.random(in: 0..<3, using: &chance)]
      chosen.request(.max(Int.random(in: 1...3, using: &chance)))
      for (subscriber, account) in zip(all, shared.status.subscribers) {
        #expect(account.missed == 0)
        #expect(account.waiting <= count)
        let waiting = costs.dropFirst(subscriber.values.count).prefix(account.waiting)
        #expect(waiting.dropLast().reduce(0, +) < cost)
      }
      steps += 1
      if steps == 10_000 { break }
    }
    #expect(all.map(\.values) == [costs, costs, costs])
  }

  @Test func `B6: a wait ends, and the subscriber is treated as its second treatment says`() {
    let whenFull: [(Backlog<Int, Broken>.WhenFull, [Int], Bool)] = [
      (.dropOldest, [8, 9], false), (.dropNewest, [1, 2], false),
      (.customError { Broken() }, [1, 2], true),
      (.rejoin, [4, 5, 6, 7, 8, 9], false),
    ]
    for (other, expected, hasFailed) in whenFull {
      let source = TestPublisher<Int, Broken>()
      let shared = source.share(
        backlog: .size(2, whenFull: .wait(atMost: .seconds(5), scheduler: clock, then: other)))
      let stuck = TestSubscriber<Int, Broken>(initialDemand: .none)
      shared.subscribe(stuck)
      for value in 1...2 { source.send(value) }
      let before = source.requests.count
      clock.advance(by: .seconds(4))
      #expect(source.requests.count == before)
      clock.advance(by: .seconds(1))
      #expect(source.requests.count == before + 1)
      for value in 3...9 { source.send(value) }
      stuck.request(.max(9))
      #expect(stuck.values == expected)
      #expect((stuck.completion == .failure(Broken())) == hasFailed)
      stuck.cancel()
    }
  }

  @Test func `B6: each value that it takes begins the time anew, and ends the second treatment`() {
    let source = TestPublisher<Int, Never>()
    let shared = source.share(
      backlog: .size(1, whenFull: .wait(atMost: .seconds(5), scheduler: clock, then: .dropOldest)))
    let slow = slow()
    shared.subscribe(slow)
    source.send(1)
    for value in 2...6 {
      clock.advance(by: .seconds(4))
      slow.request(.max(1))
      source.send(value)
      #expect(slow.values.last == value - 1)
    }
    let asked = source.requests.count
    clock.advance(by: .seconds(4))
    #expect(source.requests.count == asked)
    clock.advance(by: .seconds(1))
    #expect(source.requests.count == asked + 1)
    source.send(7)
    #expect(shared.status.subscribers.first?.missed == 1)
    slow.request(.max(1))
    #expect(slow.values.last == 7)
    // It is waited for again.
    source.send(8)
    source.send(9)
    #expect(shared.status.subscribers.first?.missed == 1)
    #expect(shared.status.subscribers.first?.waiting == 2)
    slow.cancel()
  }

  @Test func `B6: a stuck subscriber does not stop the others for ever`() {
    let shared = (1...1000).publisher.multicast(
      replay: .none,
      backlog: .size(4, whenFull: .wait(atMost: .seconds(5), clock: clock, then: .dropNewest)))
    let stuck = slow()
    let other = TestSubscriber<Int, Never>()
    shared.subscribe(stuck)
    shared.subscribe(other)
    let connection = shared.connect()
    defer { connection.cancel() }
    #expect(other.values == [1, 2, 3, 4])
    clock.advance(by: .seconds(5))
    #expect(other.values == Array(1...1000))
    #expect(other.completion == .finished)
    stuck.request(.unlimited)
    #expect(stuck.values == [1, 2, 3, 4])
    #expect(stuck.completion == .finished)
  }

  @Test func `L7: a time that runs keeps nothing alive`() {
    let watch: WeakReference
    do {
      let source = PassthroughSubject<Int, Never>()
      let shared = source.share(
        backlog: .size(1, whenFull: .wait(atMost: .seconds(5), scheduler: clock, then: .dropOldest))
      )
      let stuck = slow()
      shared.subscribe(stuck)
      source.send(1)
      watch = WeakReference(stuck)
      stuck.cancel()
    }
    #expect(!watch.isAlive)
    clock.advance(by: .seconds(9))
  }

  @Test func `B6: a value that it takes begins the time anew also if the backlog stays full`() {
    let source = TestPublisher<Int, Never>()
    let shared = source.share(
      backlog: .limit(
        .cost(10) { $0 }, whenFull: .wait(atMost: .seconds(5), scheduler: clock, then: .dropOldest))
    )
    let slow = slow()
    shared.subscribe(slow)
    for value in [1, 20] { source.send(value) }
    clock.advance(by: .seconds(4))
    slow.request(.max(1))
    clock.advance(by: .seconds(4))
    let asked = source.requests.count
    clock.advance(by: .seconds(1))
    #expect(source.requests.count == asked + 1)
    #expect(shared.status.subscribers.first?.missed == 0)
    slow.cancel()
  }

  @Test
  func `B3, B6: what was let in before the time is over stays, and only what arrives is too much`()
  {
    for other in [Backlog<Int, Broken>.WhenFull.dropOldest, .customError { Broken() }, .dropNewest]
    {
      let source = TestPublisher<Int, Broken>()
      let shared = source.share(
        backlog: .limit(
          .cost(10) { $0 }, whenFull: .wait(atMost: .seconds(5), scheduler: clock, then: other)))
      let slow = TestSubscriber<Int, Broken>(initialDemand: .none)
      shared.subscribe(slow)
      for value in [8, 9] { source.send(value) }
      clock.advance(by: .seconds(5))
      slow.request(.max(2))
      #expect(slow.values == [8, 9])
      #expect(slow.completion == nil)
      slow.cancel()
    }
  }

  @Test
  func
    `D18, B6: a backlog that becomes full by its age alone is waited for no longer than the time`()
  {
    let source = TestPublisher<Int, Never>()
    let shared = source.share(
      backlog: .limit(
        .age(.seconds(5), clock: clock),
        whenFull: .wait(atMost: .seconds(10), scheduler: clock, then: .dropOldest)))
    let slow = slow()
    shared.joining(
      where: { $0 % 2 == 0 },
      backlog: .limit(
        .age(.seconds(5), clock: clock),
        whenFull: .wait(atMost: .seconds(10), scheduler: clock, then: .dropOldest))
    ).subscribe(slow)
    source.send(2)
    clock.advance(by: .seconds(6))
    source.send(3)
    let asked = source.requests.count
    clock.advance(by: .seconds(10))
    #expect(source.requests.count == asked + 1)
    slow.cancel()
  }
}
