import Fanout
import FanoutEngine
import FanoutLifetime
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

struct BroadcastTests {
  @Test func `D6, D10: a late loop gets the replay, then live values, then the end`() async {
    let source = Broadcast<Int, Never>(replay: .last(2))
    for value in 1...3 { source.yield(value) }
    var early = source.values.makeAsyncIterator()
    source.yield(4)
    source.finish()
    var late = source.values.makeAsyncIterator()
    for value in [2, 3, 4] { #expect(await early.next() == value) }
    #expect(await early.next() == nil)
    for value in [3, 4] { #expect(await late.next() == value) }
    #expect(await late.next() == nil)
  }

  @Test func `a sender is told how many are attached, and that the end was before`() async {
    let source = Broadcast<Int, Never>()
    #expect(source.yield(1) == source.yield(1))
    #expect(source.yield(1).subscribers == 0)
    let sink = source.publisher.sink { _ in }
    var loop: SharedSequence<Int, Never>.AsyncIterator? = source.values.makeAsyncIterator()
    #expect(source.yield(2).subscribers == 2)
    #expect(await source.send(3).subscribers == 2)
    #expect(await loop?.next() == 2)
    loop = nil
    #expect(source.yield(4).subscribers == 1)
    sink.cancel()
    #expect(source.yield(5).subscribers == 0)
    source.finish()
    let late = source.yield(6)
    #expect(late.isTerminated && !late.isAccepted && !late.isCancelled && late.subscribers == 0)
    #expect(await source.send(6) == late)
  }

  @Test func `D9: an end is the last, and only the first one counts`() async {
    let source = Broadcast<Int, Broken>(replay: .all)
    source.yield(1)
    source.fail(Broken())
    source.finish()
    #expect(source.yield(2).isTerminated)
    var loop = LoopForm.values.makeLoop(over: source.values)
    #expect(await loop.takeAll() == ([1], true))
  }

  @Test func `D3: a value and an end that are sent inside a sink wait their turn`() async {
    let source = Broadcast<Int, Never>()
    let received = Notes<Int>()
    let first = source.publisher.sink { value in
      if value == 1 {
        #expect(source.yield(2).isAccepted)
        source.finish()
        #expect(source.yield(3).isTerminated)
      }
      received.append(value)
    }
    let second = source.publisher.sink(
      receiveCompletion: { _ in received.append(-1) }, receiveValue: { received.append($0 * 10) })
    source.yield(1)
    #expect(received.all == [1, 10, 2, 20, -1])
    first.cancel()
    second.cancel()
  }

  @Test func `a source that is released finishes its loops`() async {
    var source: Broadcast<Int, Never>? = Broadcast()
    let core = WeakReference(source?.core)
    let watch = WeakReference(source)
    var loop: SharedSequence<Int, Never>.AsyncIterator? = source?.values.makeAsyncIterator()
    source?.yield(1)
    source = nil
    #expect(!watch.isAlive)
    #expect(await loop?.next() == 1)
    #expect(await loop?.next() == nil)
    loop = nil
    #expect(!core.isAlive)
  }

  @Test func `O3: without loops nothing is alive when the source is released`() {
    let mint = TokenMint()
    var core: WeakReference?
    do {
      let source = Broadcast<Token, Never>(replay: .all)
      core = WeakReference(source.core)
      let sink = source.publisher.sink { _ in }
      for id in 1...3 { source.yield(mint.make(id)) }
      #expect(mint.alive == [1, 2, 3])
      sink.cancel()
    }
    #expect(mint.alive == [])
    #expect(core?.isAlive == false)
  }

  @Test func `B4: a backlog that rejoins lets a slow loop go on at a keyframe`() async {
    let source = Broadcast<Int, Never>(
      replay: .sinceKeyframe { $0 % 4 == 0 }, backlog: .size(2, whenFull: .rejoin))
    var slow = source.values.makeAsyncIterator()
    for value in 1...9 { source.yield(value) }
    #expect(await slow.next() == 8)
    #expect(await slow.next() == 9)
  }
}

/// A backlog that waits: `send` waits for room.
struct BroadcastWaitTests {
  private typealias Loop = SharedSequence<Int, Never>.AsyncIterator

  /// Begins to send; returns when the call waits, or has returned.
  private func begin(_ value: Int, on source: Broadcast<Int, Never>) async -> Task<Sent, Never> {
    let sent = Shared(false)
    let before = source.waitingSenders
    let task = Task {
      let result = await source.send(value)
      sent.change { $0 = true }
      return result
    }
    while source.waitingSenders == before, !sent.value { await Task.yield() }
    return task
  }

  @Test func `B6: a send waits until the slowest has room`() async {
    let source = Broadcast<Int, Never>(backlog: .size(2, whenFull: .wait))
    var slow = source.values.makeAsyncIterator()
    let fast = source.publisher.sink { _ in }
    #expect(await source.send(1).subscribers == 2)
    #expect(await source.send(2).subscribers == 2)
    let third = await begin(3, on: source)
    #expect(source.waitingSenders == 1)
    #expect(await slow.next() == 1)
    #expect(await slow.next() == 2)
    #expect(await third.value.isAccepted)
    #expect(await slow.next() == 3)
    fast.cancel()
  }

  @Test func `sends that wait have their turn in order, and each value comes once`() async {
    let source = Broadcast<Int, Never>(backlog: .size(1, whenFull: .wait))
    var loop = source.values.makeAsyncIterator()
    await source.send(0)
    var sends: [Task<Sent, Never>] = []
    for value in 1...5 { sends.append(await begin(value, on: source)) }
    #expect(source.waitingSenders == 5)
    for value in 0...5 { #expect(await loop.next() == value) }
    for send in sends { #expect(await send.value.isAccepted) }
  }

  @Test func `nobody listens: a send does not wait, whatever the backlog`() async {
    let source = Broadcast<Int, Never>(replay: .all, backlog: .size(1, whenFull: .wait))
    for value in 1...5 { #expect(await source.send(value).subscribers == 0) }
    source.finish()
    var values: [Int] = []
    for await value in source.values { values.append(value) }
    #expect(values == [1, 2, 3, 4, 5])
  }

  @Test func `B6: a send that waits for a loop that leaves goes on`() async {
    let source = Broadcast<Int, Never>(backlog: .size(1, whenFull: .wait))
    var loop: Loop? = source.values.makeAsyncIterator()
    await source.send(1)
    let second = await begin(2, on: source)
    let third = await begin(3, on: source)
    #expect(source.waitingSenders == 2)
    withExtendedLifetime(loop) {}
    loop = nil
    #expect(await second.value.subscribers == 0)
    #expect(await third.value.isAccepted)
    // What was requested for that loop does not let a new one get too much.
    var next = source.values.makeAsyncIterator()
    await source.send(4)
    let fifth = await begin(5, on: source)
    #expect(source.waitingSenders == 1)
    #expect(await next.next() == 4)
    #expect(await fifth.value.isAccepted)
    #expect(await next.next() == 5)
  }

  @Test func `a cancelled send that waits is not sent, and says so`() async {
    let source = Broadcast<Int, Never>(backlog: .size(1, whenFull: .wait))
    var loop = source.values.makeAsyncIterator()
    await source.send(1)
    let second = await begin(2, on: source)
    let third = await begin(3, on: source)
    second.cancel()
    #expect(await second.value.isCancelled)
    #expect(await loop.next() == 1)
    #expect(await third.value.isAccepted)
    #expect(await loop.next() == 3)
  }

  @Test func `a send in a cancelled task does not wait, and is sent where there is room`() async {
    let source = Broadcast<Int, Never>(backlog: .size(1, whenFull: .wait))
    let loop = source.values.makeAsyncIterator()
    let results = await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return [await source.send(1), await source.send(2)]
    }.value
    #expect(results.map(\.isAccepted) == [true, false])
    #expect(results.map(\.isCancelled) == [false, true])
    withExtendedLifetime(loop) {}
  }

  @Test func `a send that waits at the end is not sent, and says so`() async {
    let source = Broadcast<Int, Never>(backlog: .size(1, whenFull: .wait))
    var loop = source.values.makeAsyncIterator()
    await source.send(1)
    let second = await begin(2, on: source)
    source.finish()
    #expect(await second.value.isTerminated)
    #expect(await loop.next() == 1)
    #expect(await loop.next() == nil)
  }

  @Test func `B6: a yield does not wait, and loses nothing`() async {
    let source = Broadcast<Int, Never>(backlog: .size(1, whenFull: .wait))
    var loop = source.values.makeAsyncIterator()
    for value in 1...5 { #expect(source.yield(value).isAccepted) }
    let sixth = await begin(6, on: source)
    #expect(source.waitingSenders == 1)
    for value in 1...5 { #expect(await loop.next() == value) }
    #expect(await sixth.value.isAccepted)
    #expect(await loop.next() == 6)
  }
}

extension Broadcast {
  /// The number of calls of `send` that wait for room.
  var waitingSenders: Int { core.room.state.withLock { $0.turns.count } }
}
