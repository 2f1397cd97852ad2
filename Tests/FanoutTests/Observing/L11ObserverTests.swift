import Fanout
import FanoutLifetime
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

struct L11ObserverTests {
  private let log = ObserverLog()

  @Test func `L11: connections, sinks and what a slow subscriber misses, in their order`() {
    let source = PassthroughSubject<Int, Never>()
    let shared = source.share(observer: log)
    let sink = shared.sink { _ in }
    let slow = TestSubscriber<Int, Never>(initialDemand: .max(1))
    shared.joining(backlog: .size(2, whenFull: .dropOldest), label: "slow").subscribe(slow)
    for number in 1...8 { source.send(number) }
    slow.request(.max(1))
    sink.cancel()
    slow.cancel()
    #expect(
      log.lines == [
        "1 joined", "connected 1", "slow joined", "slow waiting 2", "slow missed 1",
        "slow missed 1", "slow missed 2", "slow missed 1", "1 left", "slow left",
        "disconnected 1",
      ])
    #expect(log.mistakes == [])
  }

  @Test func `L11: the ends of connections, and their numbers`() {
    let upstream = TestPublisher<Int, Broken>()
    let shared = upstream.share(restart: .afterFailure, observer: log)
    var sink = shared.sink { _ in
    } receiveValue: { _ in
    }
    upstream.subscriptions[0].send(completion: .failure(Broken()))
    sink = shared.sink { _ in
    } receiveValue: { _ in
    }
    shared.reconnect()
    upstream.subscriptions[2].send(completion: .finished)
    withExtendedLifetime(sink) {}
    #expect(
      log.lines == [
        "1 joined", "connected 1", "failed 1 Broken", "1 left", "2 joined", "connected 2",
        "disconnected 2", "connected 3", "finished 3", "2 left",
      ])
  }

  @Test func `L11: a connection by hand, and one that a replay outlives`() {
    let source = PassthroughSubject<Int, Never>()
    let multicast = source.multicast(replay: .latest, observer: log)
    let claim = AnyCancellable(multicast.connect())
    claim.cancel()
    let sink = multicast.autoconnect().sink { _ in }
    sink.cancel()
    #expect(
      log.lines == [
        "connected 1", "disconnected 1", "1 joined", "connected 2", "1 left", "disconnected 2",
      ])
  }

  @Test func `L11: a long gap costs few calls, and a subscriber that keeps up none`() {
    let source = PassthroughSubject<Int, Never>()
    for replay: Replay<Int> in [.none, .latest, .last(3)] {
      let log = ObserverLog()
      let shared = source.share(replay: replay, observer: log)
      let sink = shared.sink { _ in }
      let quick = TestSubscriber<Int, Never>(initialDemand: .max(1)) { _, _ in .max(1) }
      shared.subscribe(quick)
      let stuck = TestSubscriber<Int, Never>(initialDemand: .none)
      shared.joining(backlog: .size(1, whenFull: .dropNewest), label: "stuck").subscribe(stuck)
      for number in 1...1000 { source.send(number) }
      for cancellable in [sink, AnyCancellable(quick), AnyCancellable(stuck)] {
        cancellable.cancel()
      }
      #expect(log.accounts[1]?.calls == 1 && log.accounts[2]?.calls == 1)
      #expect(log.accounts[3]?.missed == 999 && log.accounts[3].map { $0.calls < 16 } == true)
      #expect(log.mistakes == [])
    }
  }

  private static let backlogs: [Backlog<Int, Broken>?] = [
    nil, .unbounded, .size(2, whenFull: .dropOldest), .size(3, whenFull: .dropNewest),
    .size(2, whenFull: .rejoin), .size(1, whenFull: .dropNewest),
    .size(3, whenFull: .customError { Broken() }),
  ]

  @Test(arguments: 0..<4)
  func `L11: the counts of every program add up to the status and to what is told`(policy: Int) {
    let replays = [Replay<Int>.none, .latest, .last(3), .sinceKeyframe { $0 % 7 == 0 }]
    let replay = replays[policy]
    for seed in seeds(15) {
      var chance = SeededChance(seed: seed)
      let log = ObserverLog()
      let source = PassthroughSubject<Int, Broken>()
      let shared = source.share(replay: replay, observer: log)
      let keeping = shared.sink { _ in
      } receiveValue: { _ in
      }
      var slow: [TestSubscriber<Int, Broken>] = []
      var told: [TestSubscriber<Delivery<Int>, Broken>] = []
      for (index, backlog) in Self.backlogs.enumerated() {
        slow.append(TestSubscriber(initialDemand: .max(.random(in: 0...2, using: &chance))))
        told.append(TestSubscriber(initialDemand: .max(.random(in: 0...2, using: &chance))))
        if let backlog {
          shared.joining(backlog: backlog, label: "slow \(index)").subscribe(slow[index])
          shared.joining(backlog: backlog, label: "told \(index)").deliveries()
            .subscribe(told[index])
        } else {
          shared.subscribe(slow[index])
          shared.deliveries().subscribe(told[index])
        }
      }
      for number in 1...40 {
        source.send(number)
        slow.randomElement(using: &chance)?.request(.max(.random(in: 1...3, using: &chance)))
        told.randomElement(using: &chance)?.request(.max(.random(in: 1...3, using: &chance)))
      }
      for subscriber in told { subscriber.request(.unlimited) }
      let status = shared.status.subscribers
      for subscriber in slow { subscriber.cancel() }
      for subscriber in told { subscriber.cancel() }
      keeping.cancel()
      #expect(log.mistakes == [], "seed \(seed)")
      #expect(log.allHaveLeft, "seed \(seed)")
      for account in log.accounts.values {
        guard let known = status.first(where: { $0.label == account.label }), account.label != nil
        else { continue }
        #expect(account.missed == known.missed && account.rejoins == known.rejoins, "seed \(seed)")
      }
      for (index, subscriber) in told.enumerated() where index > 0 {
        let missed = subscriber.values.reduce(0) {
          if case .missed(let count?) = $1 { $0 + count } else { $0 }
        }
        let account = log.accounts.values.first { $0.label == "told \(index)" }
        #expect(account?.missed == missed, "seed \(seed), \(index)")
      }
      // A subscriber without a backlog has got what it has not missed.
      let plain = slow[0].values.count + status[1].missed + status[1].waiting
      #expect(plain == 40 && log.accounts[2]?.missed == status[1].missed, "seed \(seed)")
    }
  }

  @Test func `L11: loops join, miss and leave`() async {
    let source = PassthroughSubject<Int, Never>()
    let shared = source.share(observer: log)
    var plain: SharedSequence<Int, Never>.Iterator? =
      shared.values.makeAsyncIterator()
    let limited = shared.values.joining(
      backlog: .size(2, whenFull: .dropOldest), label: "limited")
    var slow: SharedSequence<Int, Never>.AsyncIterator? = limited.makeAsyncIterator()
    for number in 1...20 { source.send(number) }
    #expect(log.accounts[1]?.waiting == 16 && log.accounts[2]?.waiting == 2)
    #expect(shared.status.subscribers.map(\.waiting) == [20, 2])
    #expect(shared.status.subscribers.map(\.missed) == [0, 18])
    for number in 1...20 { #expect(await plain?.next() == number) }
    // The next call waits, so that the loop has caught up.
    let sending = Task { [log] in
      while log.accounts[1]?.waiting != 0 { await Task.yield() }
      source.send(21)
    }
    #expect(await plain?.next() == 21)
    await sending.value
    plain = nil
    withExtendedLifetime(slow) {}
    slow = nil
    #expect(log.accounts[2]?.missed == 19)
    #expect(log.allHaveLeft && log.accounts.count == 2)
    #expect(log.lines.suffix(2) == ["limited left", "disconnected 1"])
    #expect(log.mistakes == [])
  }

  @Test(arguments: LoopForm.allCases)
  func `L11: a loop that takes a value lets the observer know all that it has missed`(
    form: LoopForm
  ) async throws {
    let log = ObserverLog()
    let source = TestPublisher<Int, Broken>()
    let shared = source.share(
      backlog: .size(2, whenFull: .dropNewest), observer: log)
    var loop = form.makeLoop(over: shared, hasBacklog: true)
    for round in 1...3 {
      for value in 0...11 { source.send(value) }
      repeat { _ = try await loop.next() } while shared.status.subscribers[0].waiting > 0
      #expect(
        log.accounts[1]?.missed == shared.status.subscribers.first?.missed, "\(form) \(round)")
    }
    #expect(log.mistakes == [])
  }

  @Test(arguments: LoopForm.allCases, [true, false])
  func
    `L11: a long gap of a loop is told whenever it has doubled, and the rest when the loop goes on`(
      form: LoopForm, dropsOldest: Bool
    ) async throws
  {
    let log = ObserverLog()
    let source = TestPublisher<Int, Broken>()
    let shared = source.share(
      backlog: .size(20, whenFull: dropsOldest ? .dropOldest : .dropNewest), observer: log)
    var loop = form.makeLoop(over: shared, hasBacklog: true)
    for value in 1...100 { source.send(value) }
    let missed = try #require(shared.status.subscribers.first?.missed)
    #expect(missed >= 79)
    let told = log.lines.filter { $0.contains("missed") }
    #expect(
      told.compactMap { $0.split(separator: " ").last } == ["1", "1", "2", "4", "8", "16", "32"])
    _ = try await loop.next()
    #expect(log.accounts[1]?.missed == missed)
    #expect(log.mistakes == [])
  }

  @Test func `L11: a loop that fetches its end, which came while it was away`() async {
    let source = PassthroughSubject<Int, Never>()
    let shared = source.share(replay: .last(4), observer: log).values
    var values = shared.makeAsyncIterator()
    var deliveries = shared.deliveries().makeAsyncIterator()
    for number in 1...40 { source.send(number) }
    source.send(completion: .finished)
    while await values.next() != nil {}
    while await deliveries.next() != nil {}
    #expect(log.allHaveLeft && log.accounts.count == 2)
    #expect(log.mistakes == [])
  }

  @Test func `L11: every way of sharing takes an observer`() async {
    let state = PassthroughSubject<Int, Never>()
    let reduced = state.share(reducingInto: 0, observer: log, +=)
    reduced.sink { _ in }.cancel()
    #expect(log.lines == ["1 joined", "connected 1", "1 left", "disconnected 1"])

    let keys = ObserverLog()
    let byKey = SharedByKey(observer: { (_: Int) in keys }) { Just($0) }
    byKey[3].sink { _ in }.cancel()
    #expect(keys.lines == ["1 joined", "connected 1", "finished 1", "1 left"])

    let spoken = ObserverLog()
    let broadcast = Broadcast<Int, Never>(observer: spoken)
    broadcast.publisher.sink { _ in }.cancel()
    #expect(spoken.lines == ["1 joined", "1 left"])

    // The task that reads the stream tells it, beside the loop.
    let gate = AsyncGate()
    let lines = ObserverLog { if $0 == "1 left" { gate.open() } }
    let (stream, feed) = AsyncStream.makeStream(of: Int.self)
    let sequence = stream.shared(observer: lines)
    feed.finish()
    for await _ in sequence {}
    await gate.wait()
    #expect(lines.lines == ["1 joined", "connected 1", "finished 1", "1 left"])
  }
}
