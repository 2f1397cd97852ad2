import Fanout
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// What a publisher can share, and a sequence too: an initial value, a reduced state, keys.
struct SequenceDoorTests {
  @Test func `L1, D6: a sequence with an initial value is iterated at once, and can be read`() async
  {
    let (stream, feed) = AsyncStream.makeStream(of: Int.self)
    let current = stream.shared(replay: .latest, initial: 0)
    var loop = current.values.makeAsyncIterator()
    #expect(current.value == 0)
    #expect(await loop.next() == 0)
    feed.yield(1)
    #expect(await loop.next() == 1)
    #expect(current.value == 1 && current.map { -$0 }.value == -1)
    feed.finish()
    #expect(await loop.next() == nil)
    #expect(await current.values.firstValue() == 1)
  }

  @Test func `O4, L7: the iteration ends when the current value and its loops are released`() async
  {
    let (stream, feed) = AsyncStream.makeStream(of: Int.self)
    let isTerminated = AsyncGate()
    feed.onTermination = { _ in isTerminated.open() }
    do {
      let current = stream.shared(replay: .latest, initial: 0)
      feed.yield(1)
      var loop = current.values.makeAsyncIterator()
      while await loop.next() != 1 {}
    }
    await isTerminated.wait()
  }

  @Test func `D6, L1: a state that a sequence changes goes on without loops`() async {
    let (stream, feed) = AsyncStream.makeStream(of: Int.self)
    let lists = stream.shared(reducingInto: [Int]()) { $0.append($1) }
    var early = lists.makeAsyncIterator()
    feed.yield(1)
    #expect(await early.next() == .snapshot([]))
    #expect(await early.next() == .change(1))
    for number in 2...3 {
      for await event in lists {
        guard case .snapshot(let list) = event else { continue }
        #expect(list == Array(1..<number))
        break
      }
      feed.yield(number)
      #expect(await early.next() == .change(number))
    }
    feed.finish()
    #expect(await early.next() == nil)
    #expect(await lists.firstValue() == .snapshot([1, 2, 3]))
  }

  @Test func `B4: a loop over a reduced sequence that lags gets a new snapshot`() async {
    let (stream, feed) = AsyncStream.makeStream(of: Int.self)
    let lists = stream.shared(
      reducingInto: [Int](), backlog: .size(2, whenFull: .rejoin)
    ) { $0.append($1) }
    var (slow, fast) = (lists.makeAsyncIterator(), lists.makeAsyncIterator())
    #expect(await slow.next() == .snapshot([]))
    #expect(await fast.next() == .snapshot([]))
    for number in 1...9 {
      feed.yield(number)
      #expect(await fast.next() == .change(number))
    }
    feed.finish()
    #expect(await fast.next() == nil)
    var (list, count): ([Int], Int) = ([], 0)
    while let event = await slow.next() {
      switch event {
      case .snapshot(let whole): list = whole
      case .change(let number): list.append(number)
      }
      count += 1
    }
    #expect(list == Array(1...9) && count < 9)
  }

  @Test func `L10, D12: the loops of a key share one iteration, and the next ones begin anew`()
    async
  {
    let made = Shared(0)
    let keys = SharedByKey(replay: .all) { (key: Int) in
      made.increment()
      return AsyncStream<Int> { feed in
        for number in 1...3 { feed.yield(key * number) }
        feed.finish()
      }
    }
    var first = keys[10].values.makeAsyncIterator()
    var second = keys[10].values.makeAsyncIterator()
    for number in [10, 20, 30] {
      #expect(await first.next() == number)
      #expect(await second.next() == number)
    }
    #expect(made.value == 1)
    #expect(await first.next() == nil)
    #expect(await second.next() == nil)
    #expect(keys.keys == [])
    #expect(await keys[10].values.firstValue() == 10)
    #expect(made.value == 2)
  }

  @Test func `the iterations of keys and states have a priority of their own`() async {
    let priorities = Notes<Bool>()
    let keys = SharedByKey(priority: .background) { (_: Int) in Priority(notes: priorities) }
    await Task(priority: .high) { _ = await keys[1].values.firstValue() }.value
    let lists = Priority(notes: priorities).shared(reducingInto: 0, priority: .background) {
      $0 += $1
    }
    await Task(priority: .high) { for await _ in lists {} }.value
    let current = Priority(notes: priorities).shared(
      replay: .latest, initial: 0, priority: .background)
    await Task(priority: .high) { for await _ in current.values {} }.value
    #expect(priorities.all == [true, true, true])
  }
}

/// A sequence of one number that notes whether the task that iterates is one of the background.
private struct Priority: AsyncSequence, Sendable {
  typealias Element = Int
  let notes: Notes<Bool>

  struct AsyncIterator: AsyncIteratorProtocol {
    let notes: Notes<Bool>
    var isOver = false

    mutating func next() async throws(Never) -> Int? { await next(isolation: nil) }

    mutating func next(isolation actor: isolated (any Actor)?) async throws(Never) -> Int? {
      guard !isOver else { return nil }
      isOver = true
      notes.append(Task.basePriority == .background)
      return 1
    }
  }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(notes: notes) }
}
