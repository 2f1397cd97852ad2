import Fanout
import FanoutLifetime
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

@TaskLocal private var note = "none"

struct SharedSequenceTests {
  @Test func `L7, D6: two loops share a stream, and the one that comes late gets the last value`()
    async
  {
    let (stream, feed) = AsyncStream.makeStream(of: Int.self)
    let shared = stream.shared(replay: .last(1))
    let hasTwo = AsyncGate()
    let early = Task {
      var values: [Int] = []
      for await value in shared {
        values.append(value)
        if value == 2 { hasTwo.open() }
      }
      return values
    }
    feed.yield(1)
    feed.yield(2)
    await hasTwo.wait()
    var late = shared.makeAsyncIterator()
    feed.yield(3)
    feed.finish()
    var values: [Int] = []
    while let value = await late.next() { values.append(value) }
    #expect(values == [2, 3])
    #expect(await early.value == [1, 2, 3])
  }

  @Test func `B5: a loop behind a value that is not replayed is told, as a subscriber is`() async {
    let source = PassthroughSubject<Int, Never>()
    let shared = source.share()
    let subscriber = TestSubscriber<Delivery<Int>, Never>()
    let place = Join<Int>.after { $0 == 1 }
    shared.joining(place).deliveries().subscribe(subscriber)
    var loop = shared.values.joining(place).deliveries().makeAsyncIterator()
    source.send(2)
    let told: [Delivery<Int>] = [.missed(nil), .caughtUp, .live(2)]
    #expect(subscriber.values == told)
    var looped: [Delivery<Int>?] = []
    for _ in told { looped.append(await loop.next()) }
    #expect(looped == told)
    subscriber.cancel()
  }

  @Test func `L7: a single-pass sequence goes on without loops`() async {
    let (stream, feed) = AsyncStream.makeStream(of: Int.self)
    let shared = stream.shared(replay: .last(1))
    feed.yield(1)
    for await value in shared.prefix(1) { #expect(value == 1) }
    feed.yield(2)
    while shared.replayed != [2] { await Task.yield() }
    feed.yield(3)
    feed.finish()
    var values: [Int] = []
    for await value in shared { values.append(value) }
    #expect(values.last == 3)
  }

  @Test func `L1: whenIdle cancels the iteration with the last loop, and the next begins anew`()
    async
  {
    let starts = Shared(0)
    let counting = Counting(starts: starts)
    let shared = counting.shared(disconnect: .whenIdle)
    for await value in shared.prefix(2) { #expect(value >= 0) }
    for await value in shared.prefix(2) { #expect(value >= 0) }
    #expect(starts.value == 2)
  }

  @Test func `L7, O4: the iteration is cancelled when the sequence and its loops are released`()
    async
  {
    let (stream, feed) = AsyncStream.makeStream(of: Int.self)
    let isTerminated = AsyncGate()
    feed.onTermination = { _ in isTerminated.open() }
    do {
      let shared = stream.shared(replay: .all)
      feed.yield(1)
      for await value in shared.prefix(1) { #expect(value == 1) }
    }
    await isTerminated.wait()
    guard case .terminated = feed.yield(2) else {
      Issue.record("the stream goes on")
      return
    }
  }

  @Test func `D9: a failure keeps its type, and is thrown in each loop`() async {
    let shared = Failing().shared(replay: .all)
    for _ in 0..<2 {
      var values: [Int] = []
      do throws(Broken) {
        for try await value in shared { values.append(value) }
        Issue.record("no failure")
      } catch {
        #expect(error == Broken())
      }
      #expect(values == [1, 2])
    }
  }

  @Test func `L3, L8: an end stays, and restart begins again`() async {
    let starts = Shared(0)
    let finite = Counting(starts: starts, count: 2)
    let ended = finite.shared(replay: .all)
    for _ in 0..<2 {
      var values: [Int] = []
      for await value in ended { values.append(value) }
      #expect(values == [0, 1])
    }
    #expect(starts.value == 1)
    let again = finite.shared(replay: .all, restart: .afterFinish)
    for _ in 0..<2 {
      var values: [Int] = []
      for await value in again { values.append(value) }
      #expect(values == [0, 1])
    }
    #expect(starts.value == 3)
  }

  @Test func `the iteration has a task of its own: its priority, and nothing of the first loop`()
    async
  {
    let seen = Notes<String>()
    let noting = Noting(notes: seen)
    await $note.withValue("of the first loop") {
      await Task(priority: .high) {
        for await _ in noting.shared(priority: .background) {}
        for await _ in noting.publisher.share().values {}
      }.value
    }
    #expect(seen.all.count == 2)
    #expect(seen.all.first == "none true")
    #expect(seen.all.last?.hasPrefix("of the first loop") == true)
  }

  @Test func `B6: the sequence is taken no faster than the slowest loop`() async {
    let starts = Shared(0)
    let taken = Shared(0)
    let counting = Counting(starts: starts, count: 200, taken: taken)
    let shared = counting.shared(backlog: .size(4, whenFull: .wait))
    var received = 0
    for await value in shared {
      #expect(value == received)
      received += 1
      #expect(taken.value <= received + 4)
    }
    #expect(received == 200)
  }

  @Test func `status, count, replay and connection are those of the shared publisher`() async {
    let source = ReplaySubject<Int, Never>(.last(2))
    let shared = source.values
    for value in 1...3 { source.send(value) }
    #expect(shared.replayed == [2, 3])
    let counts = Notes<Int>()
    let watching = shared.subscriberCount.sink { counts.append($0) }
    var loop: SharedSequence<Int, Never>.AsyncIterator? = shared.makeAsyncIterator()
    #expect(await loop?.next() == 2)
    loop = nil
    #expect(counts.all == [0, 1, 0])
    #expect(shared.status.isConnected)
    #expect(shared.status.cached == 2)
    shared.clearReplay()
    #expect(shared.replayed == [])
    watching.cancel()
  }

  @Test func `L9: reconnect iterates the sequence again, and the loops stay`() async {
    let starts = Shared(0)
    let shared = Counting(starts: starts).shared()
    var loop = shared.makeAsyncIterator()
    #expect(await loop.next() == 0)
    shared.reconnect()
    while starts.value < 2 { _ = await loop.next() }
    #expect(shared.status.isConnected)
  }

  @Test func `D16: a loop over a current value gets the newest on each turn`() async {
    let state = CurrentValueSubject<Int, Never>(1)
    var loop = state.values.makeAsyncIterator()
    #expect(await loop.next() == 1)
    for value in 2...5 { state.value = value }
    #expect(state.value == 5)
    #expect(await loop.next() == 5)
    state.send(completion: .finished)
    #expect(await loop.next() == nil)
  }

  @Test func `an actor stores a shared sequence and hands it out`() async {
    actor Model {
      let numbers: SharedSequence<Int, Never>
      init(_ numbers: SharedSequence<Int, Never>) { self.numbers = numbers }
      func first() async -> Int? { await numbers.first { _ in true } }
    }
    let broadcast = Broadcast<Int, Never>(replay: .latest)
    broadcast.yield(7)
    let model = Model(broadcast.values)
    #expect(await model.first() == 7)
    #expect(await model.numbers.first { _ in true } == 7)
  }
}

/// Numbers from 0, in an iteration of its own for each iterator.
private struct Counting: AsyncSequence, Sendable {
  let starts: Shared<Int>
  var count = Int.max
  var taken: Shared<Int>?

  func makeAsyncIterator() -> Iterator {
    starts.change { $0 += 1 }
    return Iterator(count: count, taken: taken)
  }

  struct Iterator: AsyncIteratorProtocol {
    var next = 0
    let count: Int
    let taken: Shared<Int>?

    init(count: Int, taken: Shared<Int>?) {
      self.count = count
      self.taken = taken
    }

    mutating func next() async -> Int? { await next(isolation: nil) }

    mutating func next(isolation actor: isolated (any Actor)?) async -> Int? {
      await Task.yield()
      guard next < count, !Task.isCancelled else { return nil }
      defer { next += 1 }
      taken?.change { $0 += 1 }
      return next
    }
  }
}

/// 1, 2, and a failure.
private struct Failing: AsyncSequence, Sendable {
  func makeAsyncIterator() -> Iterator { Iterator() }

  struct Iterator: AsyncIteratorProtocol {
    var next = 0

    mutating func next() async throws(Broken) -> Int? { try await next(isolation: nil) }

    mutating func next(isolation actor: isolated (any Actor)?) async throws(Broken) -> Int? {
      next += 1
      if next > 2 { throw Broken() }
      return next
    }
  }
}

/// Notes what the task of its iteration has of others.
private struct Noting: AsyncSequence, Sendable {
  let notes: Notes<String>

  func makeAsyncIterator() -> Iterator { Iterator(notes: notes) }

  struct Iterator: AsyncIteratorProtocol {
    let notes: Notes<String>

    mutating func next() async -> Int? { await next(isolation: nil) }

    mutating func next(isolation actor: isolated (any Actor)?) async -> Int? {
      notes.append("\(note) \(Task.basePriority == .background)")
      return nil
    }
  }
}
