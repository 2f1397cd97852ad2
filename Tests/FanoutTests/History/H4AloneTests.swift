import Fanout
import FanoutLifetime
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

struct H4AloneTests {
  @Test func `H3: what waits during a read is the backlog, and comes from the store then`() async {
    let store = HandStore()
    let stream = Broadcast<Int, Never>()
    let spliced = stream.values.joining(
      after: 0, from: store.history, backlog: .size(4, whenFull: .dropOldest), label: "late")
    let loop = NumberLoop(spliced)
    let first = await store.read(0)
    for number in 2...100 { stream.yield(number) }
    #expect(stream.values.status.subscribers.first?.waiting == 4)
    first.finish([1])
    let second = await store.read(1)
    #expect(second.range.after == 1)
    stream.finish()
    second.finish(2...96)
    let events = await loop.all()
    #expect(events.compactMap(\.value) == Array(1...100))
    #expect(events.allSatisfy { if case .missed = $0 { false } else { true } })
  }

  @Test func `H3: a store is read no further ahead than a loop needs`() async {
    let given = Shared(0)
    let history = NumberHistory(by: \.self) { _ in
      AsyncStream(unfolding: { given.increment() as Int? })
    }
    let stream = Broadcast<Int, Never>()
    var loop = stream.values.joining(after: 0, from: history).makeAsyncIterator()
    for number in 1...1000 {
      #expect(await loop.next() == .replayed(number))
      #expect(given.value <= number + 33)
    }
  }

  @Test func `H4: a slow store holds back no other loop, and no sender`() async {
    let store = HandStore()
    let stream = Broadcast<Int, Never>()
    let late = NumberLoop(stream.values.joining(after: 0, from: store.history))
    let read = await store.read(0)
    var other = stream.values.makeAsyncIterator()
    for number in 2...50 {
      #expect(await stream.send(number).isTerminated == false)
      #expect(await other.next() == number)
    }
    stream.finish()
    read.finish([1])
    #expect(await late.all() == [.replayed(1), .caughtUp] + live(2...50))
  }

  @Test func `H4: a slow loop of a shared read holds back no other one`() async {
    let store = NumberStore(1...2000)
    let stream = Broadcast<Int, Never>(replay: .last(1))
    stream.yield(2000)
    stream.finish()
    let spliced = stream.values.joining(after: 0, from: store.history)
    var slow = spliced.makeAsyncIterator()
    let fast = NumberLoop(spliced)
    #expect(await slow.next() == .replayed(1))
    #expect(await fast.all() == replayed(1...2000) + [.caughtUp])
    var rest: [Delivery<Int>] = []
    while let event = await slow.next() { rest.append(event) }
    #expect(rest == replayed(2...2000) + [.caughtUp])
    // It was left behind, and has asked again.
    #expect(store.ranges.count >= 2)
  }
}

struct H5OneReadTests {
  @Test func `H5: loops that ask at the same time share one read`() async {
    let store = HandStore()
    let history = store.history
    let stream = Broadcast<Int, Never>()
    let spliced = stream.values.joining(after: 3, from: history)
    let executor = HandRunExecutor()
    let loops = (1...20).map { _ in NumberLoop(spliced, on: executor) }
    // Each of them has asked, and waits for the read.
    executor.runAll()
    await store.read(0).finish([4, 5])
    for loop in loops { #expect(await loop.first(3) == replayed([4, 5]) + [.caughtUp]) }
    stream.finish()
    for loop in loops { #expect(await loop.all().count == 3) }
    #expect(store.count == 1)
  }

  @Test func `H1, H5: a loop that comes during a read asks for what that may not have`() async {
    let store = HandStore()
    let history = store.history
    let stream = Broadcast<Int, Never>()
    let first = NumberLoop(stream.values.joining(after: 3, from: history))
    let read = await store.read(0)
    read.rows.yield(4)
    _ = await first.first(1)
    // The store has begun its read already, so it need not have 6, which was live before the second loop came.
    stream.yield(6)
    let executor = HandRunExecutor()
    let second = NumberLoop(stream.values.joining(after: 4, from: history), on: executor)
    executor.runAll()
    #expect(store.count == 1)
    read.finish([5])
    let rest = await store.read(1, running: executor)
    #expect(rest.range.after == 5)
    rest.finish([6])
    stream.finish()
    #expect(await second.all() == replayed(5...6) + [.caughtUp])
    #expect(await first.all() == replayed(4...5) + [.caughtUp, .live(6)])
    #expect(store.count == 2)
  }

  @Test func `H1, H5: what a store gives behind the range of a shared read is dropped`() async {
    let store = HandStore()
    let history = store.history
    let stream = Broadcast<Int, Never>()
    let executor = HandRunExecutor()
    let first = NumberLoop(stream.values.joining(after: 0, from: history), on: executor)
    stream.yield(3)
    let read = await store.read(0, running: executor)
    #expect(read.range == HistoryRange(after: 0, before: 3))
    stream.yield(4)
    stream.yield(5)
    let second = NumberLoop(stream.values.joining(after: 0, from: history), on: executor)
    executor.runAll()
    // The store was not asked for 3 and what follows, so it may leave something out there.
    read.finish([1, 2, 3, 5])
    let rest = await store.read(1, running: executor)
    #expect(rest.range == HistoryRange(after: 2))
    rest.finish(3...5)
    stream.finish()
    #expect(await first.all() == replayed(1...2) + [.caughtUp] + live(3...5))
    #expect(await second.all() == replayed(1...5) + [.caughtUp])
  }

  @Test func `H5: a read goes on as long as one loop needs it`() async {
    let store = HandStore()
    let stream = Broadcast<Int, Never>()
    let spliced = stream.values.joining(after: 3, from: store.history)
    let executor = HandRunExecutor()
    let one = NumberLoop(spliced, on: executor)
    let two = NumberLoop(spliced, on: executor)
    // Both ask before the read has given anything.
    let read = await store.read(0, running: executor)
    read.rows.yield(4)
    _ = await one.first(1)
    _ = await two.first(1)
    one.task.cancel()
    #expect(await one.all() == replayed([4]))
    #expect(store.cancelled.value == 0)
    read.rows.yield(5)
    #expect(await two.first(2) == replayed([4, 5]))
    two.task.cancel()
    #expect(await two.all() == replayed([4, 5]))
    #expect(store.count == 1)
    while store.cancelled.value == 0 { await Task.yield() }
  }

  @Test func `H5: a read that fails for one id is tried again for another`() async {
    let store = HandStore()
    let stream = Broadcast<Int, Never>()
    let history = store.history
    let one = NumberLoop(stream.values.joining(after: 3, from: history))
    let read = await store.read(0)
    let executor = HandRunExecutor()
    let two = NumberLoop(stream.values.joining(after: 7, from: history), on: executor)
    executor.runAll()
    read.rows.finish(throwing: HistoryGap<Int>())
    let second = await store.read(1, running: executor)
    #expect(second.range == HistoryRange(after: 7))
    second.finish([8])
    stream.finish()
    #expect(await one.all() == [.missed(nil), .caughtUp])
    #expect(await two.all() == [.replayed(8), .caughtUp])
  }
}

struct HistoryLifetimeTests {
  private final class Row: Sendable {
    let id: Int
    init(_ id: Int) { self.id = id }
  }

  @Test(arguments: ["end", "break", "cancel"])
  func `H3, O2: a loop that leaves releases everything`(_ way: String) async {
    let tracker = Shared<[WeakReference]>([])
    let isCancelled = AsyncGate()
    func note(_ object: AnyObject) { tracker.change { $0.append(WeakReference(object)) } }
    do {
      let stream = Broadcast<Row, Never>()
      let history = History(by: \Row.id) { _ in
        let (rows, feed) = AsyncStream.makeStream(of: Row.self)
        let row = Row(1)
        tracker.change { $0.append(WeakReference(row)) }
        feed.yield(row)
        if way == "end" { feed.finish() }
        feed.onTermination = { _ in isCancelled.open() }
        return rows
      }
      note(history)
      note(stream)
      let loop = stream.values.joining(after: 0, from: history).makeAsyncIterator()
      let hasOne = AsyncGate()
      let task = Task {
        var loop = loop
        _ = await loop.next()
        hasOne.open()
        if way == "break" { return }
        while await loop.next() != nil {}
      }
      await hasOne.wait()
      let late = Row(2)
      note(late)
      stream.yield(late)
      if way == "end" { stream.finish() }
      if way == "cancel" { task.cancel() }
      await task.value
      await isCancelled.wait()
    }
    #expect(tracker.value.count == 4)
    // The task of the read ends on its own thread.
    for _ in 1...100_000 where tracker.value.contains(where: \.isAlive) { await Task.yield() }
    #expect(!tracker.value.contains { $0.isAlive })
  }

  @Test func `O2: a loop that is cancelled between two turns keeps no value that waits`() async {
    let task = Task {
      let stream = Broadcast<Row, Never>()
      let history = History(by: \Row.id) { _ in [Row(1), Row(2)] }
      var loop = stream.values.joining(after: 0, from: history).makeAsyncIterator()
      let late = weakly { row in stream.yield(row) }
      // The loop has looked at the late one, which bounds the read.
      #expect(await loop.next()?.value?.id == 1)
      withUnsafeCurrentTask { $0?.cancel() }
      #expect(await loop.next() == nil)
      #expect(!late.isAlive)
      withExtendedLifetime(loop) {}
    }
    await task.value
  }

  private func weakly(_ send: (Row) -> Void) -> WeakReference {
    let row = Row(3)
    send(row)
    return WeakReference(row)
  }
}
