import Fanout
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// Loops that fetch and for which the upstream waits no longer than a time, beside a subscriber.
struct LoopWaitTests {
  typealias WhenFull = Backlog<Int, Never>.WhenFull

  static let others = ["oldest", "newest", "rejoin"]

  private static func other(_ name: String) -> WhenFull {
    switch name {
    case "oldest": .dropOldest
    case "newest": .dropNewest
    default: .rejoin
    }
  }

  @Test(arguments: others, [false, true])
  func `B6, B5, L9: a wait for a loop ends as that for any subscriber`(
    _ other: String, ignoresDemand: Bool
  ) async {
    for seed in seeds(20) {
      var chance = SeededChance(seed: seed)
      let clock = TestScheduler()
      let whenFull = WhenFull.wait(
        atMost: .seconds(5), scheduler: clock, then: Self.other(other))
      var pair = LoopBesideSubscriber(
        start: [.none, .latest, .last, .sinceKeyframe].randomElement(using: &chance) ?? .none,
        backlog: .size(Int.random(in: 1...6, using: &chance), whenFull: whenFull),
        joinsAlone: false, ignoresDemand: ignoresDemand)
      pair.act = { clock.advance(by: .seconds(Int.random(in: 1...6, using: &$0))) }
      await pair.run(&chance, "seed \(seed)")
    }
  }

  @Test(arguments: LoopForm.allCases)
  func `B6: a wait ends, and a loop is treated as its second treatment says`(
    _ form: LoopForm
  ) async {
    let whenFull: [(Backlog<Int, Broken>.WhenFull, [Int], Bool)] = [
      (.dropOldest, [8, 9], false), (.dropNewest, [1, 2], false),
      (.customError { Broken() }, [1, 2], true), (.rejoin, Array(4...9), false),
    ]
    for (other, expected, hasFailed) in whenFull {
      let clock = TestScheduler()
      let source = TestPublisher<Int, Broken>()
      let shared = source.share(
        replay: .none,
        backlog: .size(2, whenFull: .wait(atMost: .seconds(5), scheduler: clock, then: other)))
      var loop = form.makeLoop(over: shared, hasBacklog: true)
      for value in 1...2 { source.send(value) }
      let before = source.requests.count
      clock.advance(by: .seconds(4))
      #expect(source.requests.count == before)
      clock.advance(by: .seconds(1))
      #expect(source.requests.count == before + 1)
      for value in 3...9 { source.send(value) }
      source.send(completion: .finished)
      let (values, isFailed) = await loop.takeAll()
      #expect(isFailed == hasFailed)
      #expect(values == expected)
    }
  }

  @Test(arguments: LoopForm.allCases)
  func `B6, O2: a time that runs keeps no loop alive, and one that leaves opens the gate`(
    _ form: LoopForm
  ) {
    let clock = TestScheduler()
    let source = TestPublisher<Int, Broken>()
    let shared = source.share(
      backlog: .size(
        1, whenFull: .wait(atMost: .seconds(5), scheduler: clock, then: .dropOldest)))
    let keeping = shared.sink(receiveCompletion: { _ in }, receiveValue: { _ in })
    do {
      let loop = form.makeLoop(over: shared, hasBacklog: true)
      source.send(1)
      withExtendedLifetime(loop) {}
    }
    #expect(shared.status.subscribers.count == 1)
    let asked = source.requests.count
    source.send(2)
    #expect(source.requests.count == asked + 1)
    clock.advance(by: .seconds(9))
    keeping.cancel()
  }

  @Test(arguments: [1, 2, 5, 64], [false, true])
  func `B6: a stuck loop does not stop the others for ever`(size: Int, hasOther: Bool) async {
    let clock = TestScheduler()
    let shared = (1...1000).publisher.multicast(
      replay: .none,
      backlog: .size(
        size, whenFull: .wait(atMost: .seconds(5), scheduler: clock, then: .dropNewest)))
    var stuck = shared.values.makeAsyncIterator()
    let other = TestSubscriber<Int, Never>()
    if hasOther { shared.subscribe(other) }
    let sunk = Notes<Int>()
    let sink = shared.sink { sunk.append($0) }
    let connection = shared.connect()
    #expect(sunk.all == Array(1...size))
    clock.advance(by: .seconds(5))
    #expect(sunk.all == Array(1...1000))
    if hasOther { #expect(other.values == sunk.all) }
    var taken: [Int] = []
    while let value = await stuck.next() { taken.append(value) }
    #expect(taken == Array(1...size))
    connection.cancel()
    sink.cancel()
  }

  @Test(arguments: LoopForm.allCases.filter { $0.arrayCount == 1 })
  func `B6: each value that a loop takes begins the time anew, and ends the second treatment`(
    _ form: LoopForm
  ) async throws {
    let clock = TestScheduler()
    let source = TestPublisher<Int, Broken>()
    let shared = source.share(
      backlog: .size(
        3, whenFull: .wait(atMost: .seconds(5), scheduler: clock, then: .dropOldest)))
    var loop = form.makeLoop(over: shared, hasBacklog: true)
    func missed() -> Int? { shared.status.subscribers.first?.missed }
    // The upstream sends more than it is asked for.
    for value in 1...24 { source.send(value) }
    for value in 1...12 {
      clock.advance(by: .seconds(4))
      #expect(try await loop.next() == value)
      source.send(24 + value)
    }
    clock.advance(by: .seconds(4))
    source.send(37)
    #expect(missed() == 0)
    clock.advance(by: .seconds(1))
    let waiting = try #require(shared.status.subscribers.first?.waiting)
    source.send(38)
    #expect(missed() == waiting - 2)
    while shared.status.subscribers.first?.waiting == 3 { _ = try await loop.next() }
    // It is waited for again.
    for value in 39...49 { source.send(value) }
    #expect(missed() == waiting - 2)
    source.send(completion: .finished)
    #expect(await loop.takeAll().values.suffix(11) == Array(39...49))
  }
}

extension LoopWaitTests {
  @Test(arguments: [1, 2, 5])
  func `B6: a loop over deliveries whose task does not run holds nobody back for ever`(size: Int) {
    let clock = TestScheduler()
    let source = TestPublisher<Int, Broken>()
    let shared = source.share(
      backlog: .size(
        size, whenFull: .wait(atMost: .seconds(5), scheduler: clock, then: .dropOldest)))
    let keeping = shared.sink(receiveCompletion: { _ in }, receiveValue: { _ in })
    let events = shared.values.deliveries()
    let executor = HandRunExecutor()
    let loop = Task(executorPreference: executor) { for try await _ in events {} }
    executor.runAll()
    // The loop waits. The first value resumes it, but its task does not run.
    var sent = 0
    while source.requests.reduce(.none, +) > sent, sent < 100 {
      sent += 1
      source.send(sent)
    }
    #expect(sent == size + 1)
    #expect(shared.status.subscribers.last?.waiting == size)
    clock.advance(by: .seconds(5))
    #expect(source.requests.reduce(.none, +) > sent)
    loop.cancel()
    executor.runAll()
    keeping.cancel()
  }
}

extension LoopWaitTests {
  @Test func `B6, B4: a loop that has rejoined is waited for again, for a time of its own`() async {
    let clock = TestScheduler()
    let source = TestPublisher<Int, Never>()
    let shared = source.share(replay: .none, backlog: .size(100, whenFull: .wait)).values
    var fast = shared.makeAsyncIterator()
    var loop = shared.joining(
      backlog: .size(
        2, whenFull: .wait(atMost: .seconds(5), scheduler: clock, then: .rejoin))
    ).makeAsyncIterator()
    func account() -> SharingStatus.Subscriber { shared.status.subscribers[1] }
    for value in 1...2 { source.send(value) }
    clock.advance(by: .seconds(5))
    source.send(3)
    #expect(account().rejoins == 1)
    for value in 4...9 { source.send(value) }
    #expect(account().rejoins == 1)
    #expect(account().waiting == 6)
    source.send(completion: .finished)
    #expect(await loop.next() == 4)
    #expect(await fast.next() == 1)
  }
}
