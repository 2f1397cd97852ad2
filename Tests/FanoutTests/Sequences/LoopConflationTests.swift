import Fanout
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// Loops that fetch and whose backlogs conflate, beside a subscriber whose values the delivering thread conflates.
struct LoopConflationTests {
  typealias Start = LoopBesideSubscriber.Start

  private static func whenFull(_ chance: inout SeededChance) -> Backlog<Int, Never>.WhenFull {
    let keys = Int.random(in: 1...5, using: &chance)
    if Bool.random(using: &chance) { return .conflate(by: { $0 % keys }) }
    return .conflate(by: { $0 % keys }, { $0 + $1 })
  }

  @Test(arguments: Start.allCases, [false, true])
  func `B3, B5, L9: a loop conflates as any subscriber, also behind a new connection and a clear`(
    _ start: Start, joinsAlone: Bool
  ) async {
    for seed in seeds(10) {
      var chance = SeededChance(seed: seed)
      let size = Int.random(in: 1...4, using: &chance)
      let pair = LoopBesideSubscriber(
        start: start, backlog: .size(size, whenFull: Self.whenFull(&chance)),
        joinsAlone: joinsAlone)
      await pair.run(&chance, "seed \(seed)")
    }
  }

  @Test(arguments: Start.allCases, [1, 2, 3, 4])
  func `B3, D10: what is sent while a loop joins in a delivery is conflated`(
    _ start: Start, limit: Int
  ) async {
    let pair = LoopBesideSubscriber(
      start: start, backlog: .size(limit, whenFull: .conflate(by: { $0 % 3 })), joinsAlone: true)
    for sent in 0...9 {
      await pair.runJoiningInDelivery(sending: sent, ends: false)
      await pair.runJoiningInDelivery(sending: sent, ends: true)
    }
  }

  @Test(arguments: LoopForm.allCases)
  func `B3, Q5: whatever is sent and taken, a loop gets the newest of each key, none too old`(
    _ form: LoopForm
  ) async throws {
    for seed in seeds(5) {
      var chance = SeededChance(seed: seed)
      let (size, keys) = (
        Int.random(in: 1...40, using: &chance), Int.random(in: 1...40, using: &chance)
      )
      let source = TestPublisher<Int, Broken>()
      let shared = source.share(
        backlog: .size(size, whenFull: .conflate(by: { $0 % keys })))
      var loop = form.makeLoop(over: shared, hasBacklog: true)
      var newest: [Int: Int] = [:]
      var received: [Int: Int] = [:]
      for number in 0..<400 {
        if Int.random(in: 0..<4, using: &chance) > 0 {
          source.send(number)
          newest[number % keys] = number
        } else if shared.status.subscribers[0].waiting > 0 {
          let value = try #require(try await loop.next())
          #expect(received.updateValue(value, forKey: value % keys) ?? -1 < value, "seed \(seed)")
        }
        #expect(shared.status.subscribers[0].waiting <= max(size, keys), "seed \(seed)")
      }
      source.send(completion: .finished)
      while let value = try await loop.next() {
        #expect(received.updateValue(value, forKey: value % keys) ?? -1 < value, "seed \(seed)")
      }
      #expect(received == newest, "seed \(seed)")
    }
  }

  @Test func `D11: a key that sends and takes from its loop while it is looked up`() async {
    let source = PassthroughSubject<Int, Never>()
    let calls = Shared(0)
    let shared = source.share(
      backlog: .size(
        1,
        whenFull: .conflate { (value: Int) -> Int in
          calls.change { $0 += 1 }
          if value == 2 { source.send(10) }
          return value % 2
        }))
    var loop = shared.values.makeAsyncIterator()
    for value in 1...3 { source.send(value) }
    #expect(await loop.next() == 3)
    #expect(await loop.next() == 10)
    #expect(calls.value == 4)
    source.send(5)
    #expect(await loop.next() == 5)
    #expect(calls.value == 4)
  }

  @Test func `D7, O6: a loop that leaves while a key is looked up releases all that waits`() {
    let source = PassthroughSubject<Token, Never>()
    let loops = Shared<
      [SharedSequence<Token, Never>.Iterator]
    >([])
    let shared = source.share(
      backlog: .size(
        1,
        whenFull: .conflate { (token: Token) -> Int in
          if token.id == 3 { loops.value = [] }
          return token.id
        }))
    let keeping = shared.sink { _ in }
    loops.change { $0.append(shared.values.makeAsyncIterator()) }
    let watches = (1...4).map { id in
      let token = Token(id)
      source.send(token)
      return WeakReference(token)
    }
    #expect(watches.allSatisfy { !$0.isAlive })
    #expect(shared.status.subscribers.count == 1)
    keeping.cancel()
  }

  @Test func `O6: the key of a value that a loop has taken is released`() async {
    struct Key: Hashable {
      let token: Token
      static func == (one: Key, other: Key) -> Bool { one.token === other.token }
      func hash(into hasher: inout Hasher) { hasher.combine(token.id) }
    }
    let source = PassthroughSubject<Token, Never>()
    let shared = source.share(backlog: .size(1, whenFull: .conflate { Key(token: $0) }))
    var loop = shared.values.makeAsyncIterator()
    let watches = (1...3).map { id in
      let token = Token(id)
      source.send(token)
      return WeakReference(token)
    }
    for id in 1...3 { #expect(await loop.next()?.id == id) }
    #expect(watches.allSatisfy { !$0.isAlive })
  }

  @Test(arguments: [1, 127, 128, 129, 200, 1000])
  func `B3: however much waits when the backlog becomes full, a loop gets the newest of each key`(
    size: Int
  ) async {
    for keys in [1, 3] {
      let source = PassthroughSubject<Int, Never>()
      let shared = source.share(backlog: .size(size, whenFull: .conflate(by: { $0 % keys })))
      let subscriber = TestSubscriber<Int, Never>(initialDemand: .none)
      shared.subscribe(subscriber)
      var loop = shared.values.makeAsyncIterator()
      for number in 0...size + 5 { source.send(number) }
      let accounts = shared.status.subscribers
      #expect(accounts[1].waiting == accounts[0].waiting)
      #expect(accounts[1].conflated == accounts[0].conflated)
      source.send(completion: .finished)
      subscriber.request(.unlimited)
      var values: [Int] = []
      while let value = await loop.next() { values.append(value) }
      #expect(values == subscriber.values)
    }
  }

  @Test(arguments: [1, 150, 1000])
  func `B3: a loop gets the newest of each key, also of what was sent while a key was found`(
    sent: Int
  ) async {
    let source = PassthroughSubject<Int, Never>()
    let shared = source.share(
      backlog: .size(
        1,
        whenFull: .conflate { (value: Int) -> Int in
          if value == 1 { for number in 2..<2 + sent { source.send(number) } }
          return 0
        }))
    var loop = shared.values.makeAsyncIterator()
    for number in 0...1 { source.send(number) }
    #expect(await loop.next() == 1 + sent)
    source.send(completion: .finished)
    #expect(await loop.next() == nil)
  }

  @Test func `D4: a thread that sends does not conflate without end what others send`() async {
    let (calls, sent) = (Shared(0), Shared(0))
    let hub = Shared<Broadcast<Int, Never>?>(nil)
    let events = Broadcast<Int, Never>(
      backlog: .size(
        1,
        whenFull: .conflate { (value: Int) -> Int in
          calls.change { $0 += 1 }
          // As another thread might, at any time.
          if value < 10_000, let hub = hub.value {
            sent.value = value + 1
            hub.yield(value + 1)
          }
          return 0
        }))
    hub.value = events
    var loop = events.values.makeAsyncIterator()
    for value in 1...2 { events.yield(value) }
    #expect(calls.value < 300)
    hub.value = nil
    // The loop goes on with the rest.
    events.finish()
    var newest = 0
    while let value = await loop.next() { newest = value }
    #expect(newest == sent.value)
  }

  @Test func `L11: an observer is told nothing of a loop that left while a key was looked up`() {
    let log = ObserverLog()
    let source = PassthroughSubject<Int, Never>()
    let loops = Shared<
      [SharedSequence<Int, Never>.Iterator]
    >([])
    let shared = source.share(
      backlog: .size(
        1,
        whenFull: .conflate { (value: Int) -> Int in
          if value == 3 { loops.value = [] }
          return value
        }), observer: log)
    loops.change { $0.append(shared.values.makeAsyncIterator()) }
    let staying = shared.values.makeAsyncIterator()
    for value in 1...3 { source.send(value) }
    #expect(log.mistakes == [])
    withExtendedLifetime(staying) {}
  }

  @Test func `B2: a loop gets its value before a key is looked up for another one`() {
    let executor = HandRunExecutor()
    let wasResumed = Shared(false)
    let source = PassthroughSubject<Int, Never>()
    let shared = source.share().values
    let slow = shared.joining(
      backlog: .size(
        1,
        whenFull: .conflate { (value: Int) -> Int in
          if value == 3 { wasResumed.value = executor.count > 0 }
          return value
        })
    ).makeAsyncIterator()
    let fast = Task(executorPreference: executor) { for await _ in shared {} }
    executor.runAll()
    for value in 1...3 {
      source.send(value)
      if value < 3 { executor.runAll() }
    }
    #expect(wasResumed.value)
    source.send(completion: .finished)
    executor.runAll()
    withExtendedLifetime((slow, fast)) {}
  }
}
