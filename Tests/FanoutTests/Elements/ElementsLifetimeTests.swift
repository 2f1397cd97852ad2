import Fanout
import FanoutLifetime
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

struct ElementsLifetimeTests {
  @Test func `O6: what a loop skips is released before the next value is delivered`() {
    let source = PassthroughSubject<Kept, Never>()
    let shared = source.share()
    let loop = shared.values.joining(backlog: .size(1, whenFull: .dropOldest)).makeAsyncIterator()
    let first = Shared<WeakReference?>(nil)
    let alive = Shared<[Bool?]>([])
    let sink = shared.sink { _ in alive.value.append(first.value?.isAlive) }
    do {
      let value = Kept()
      first.value = WeakReference(value)
      source.send(value)
    }
    source.send(Kept())
    #expect(alive.value == [true, false])
    sink.cancel()
    withExtendedLifetime(loop) {}
  }

  @Test(arguments: Policy.allCases)
  func `O1: an iterator that is dropped leaves, and nothing is alive`(_ policy: Policy) async {
    let upstream = TestPublisher<Int, Never>()
    var share: WeakReference?
    do {
      let shared = upstream.share(replay: policy.replay)
      share = WeakReference(shared)
      var iterator = shared.values.makeAsyncIterator()
      upstream.send(1)
      #expect(await iterator.next() == 1)
      upstream.send(2)
    }
    #expect(upstream.cancelCount == 1)
    upstream.forgetSubscriptions()
    #expect(share?.isAlive == false)
  }

  @Test(arguments: Policy.allCases)
  func `L1: breaking out of the loop cancels the upstream`(_ policy: Policy) async {
    let isSubscribed = AsyncGate()
    let upstream = TestPublisher<Int, Never>()
    let signalling = Deferred {
      isSubscribed.open()
      return upstream
    }
    let shared = signalling.share(replay: policy.replay)
    let loop = Task {
      for await value in shared.values where value > 1 { return value }
      return 0
    }
    await isSubscribed.wait()
    while upstream.subscriptionCount == 0 { await Task.yield() }
    upstream.send(1)
    upstream.send(2)
    #expect(await loop.value == 2)
    #expect(upstream.cancelCount == 1)
  }

  @Test(arguments: Policy.allCases)
  func `D7: cancelling the task ends the loop and cancels the upstream`(_ policy: Policy) async {
    let isSubscribed = AsyncGate()
    let upstream = TestPublisher<Int, Never>()
    let signalling = Deferred {
      isSubscribed.open()
      return upstream
    }
    let shared = signalling.share(replay: policy.replay)
    let loop = Task {
      var count = 0
      for await _ in shared.values { count += 1 }
      return count
    }
    await isSubscribed.wait()
    while upstream.subscriptionCount == 0 { await Task.yield() }
    upstream.send(1)
    loop.cancel()
    #expect(await loop.value <= 1)
    #expect(upstream.cancelCount == 1)
  }

  @Test func `D7: next after the task was cancelled is nil, also where values wait`() async {
    let subject = ReplaySubject<Int, Never>(.all)
    subject.send(1)
    let loop = Task {
      var iterator = subject.values.makeAsyncIterator()
      while !Task.isCancelled { await Task.yield() }
      return [await iterator.next(), await iterator.next()]
    }
    loop.cancel()
    #expect(await loop.value == [nil, nil])
  }

  @Test func `O6: a bounded cache keeps for a loop what it has not fetched, and no more`() async {
    let mint = TokenMint()
    let subject = ReplaySubject<Token, Never>(.last(2))
    for id in 1...4 { subject.send(mint.make(id)) }
    #expect(mint.alive == [3, 4])
    var iterator = subject.values.makeAsyncIterator()
    for id in 5...7 { subject.send(mint.make(id)) }
    #expect(mint.alive == [3, 4, 5, 6, 7])
    #expect(await iterator.next()?.id == 3)
    #expect(mint.alive == [4, 5, 6, 7])
    #expect(await iterator.next()?.id == 4)
    #expect(await iterator.next()?.id == 5)
    #expect(mint.alive == [6, 7])
    subject.send(mint.make(8))
    #expect(mint.alive == [6, 7, 8])
    for id in 6...8 { #expect(await iterator.next()?.id == id) }
    #expect(mint.alive == [7, 8])
  }

  @Test func `O6: a loop that wants the newest only keeps its replay and those, and no others`() {
    let mint = TokenMint()
    let subject = ReplaySubject<Token, Never>(.last(2))
    for id in 1...2 { subject.send(mint.make(id)) }
    let iterator = subject.values.joining(backlog: .size(1, whenFull: .dropOldest))
      .makeAsyncIterator()
    for id in 3...50 { subject.send(mint.make(id)) }
    #expect(mint.alive == [1, 2, 49, 50])
    withExtendedLifetime(iterator) {}
  }

  @Test(arguments: ["dropOldest", "dropNewest", "conflate"])
  func `O6, B3: behind a replay that was not taken, a loop keeps what its backlog holds`(
    treatment: String
  ) async {
    let mint = TokenMint()
    let subject = ReplaySubject<Token, Never>(.last(2))
    for id in 1...2 { subject.send(mint.make(id)) }
    let whenFull: Backlog<Token, Never>.WhenFull =
      switch treatment {
      case "dropOldest": .dropOldest
      case "dropNewest": .dropNewest
      default: .conflate { _ in 0 }
      }
    var iterator = subject.joining(backlog: .size(1, whenFull: whenFull)).values
      .makeAsyncIterator()
    for id in 3...50 { subject.send(mint.make(id)) }
    let kept = treatment == "dropNewest" ? 3 : 50
    #expect(mint.alive == Array(Set([1, 2, 49, 50, kept])).sorted())
    for id in [1, 2, kept] { #expect(await iterator.next()?.id == id) }
    #expect(mint.alive == [49, 50])
  }

  @Test func `O6: where nothing is remembered a value lives until every loop has it`() async {
    let mint = TokenMint()
    let subject = ReplaySubject<Token, Never>(.none)
    var slow = subject.values.makeAsyncIterator()
    var fast: SharedSequence<Token, Never>.Iterator? =
      subject.values.makeAsyncIterator()
    var newest = subject.values.joining(backlog: .size(1, whenFull: .dropOldest))
      .makeAsyncIterator()
    for id in 1...3 { subject.send(mint.make(id)) }
    for id in 1...3 { #expect(await fast?.next()?.id == id) }
    #expect(mint.alive == [1, 2, 3])
    #expect(await slow.next()?.id == 1)
    #expect(mint.alive == [2, 3])
    #expect(await newest.next()?.id == 3)
    #expect(await slow.next()?.id == 2)
    #expect(mint.alive == [3])
    fast = nil
    #expect(await slow.next()?.id == 3)
    #expect(mint.alive == [])
  }

  @Test
  func `O6, L5: a replay outlives its connection until the loop that joined in a delivery has it`()
    async
  {
    let mint = TokenMint()
    let upstream = PassthroughSubject<Token, Never>()
    let shared = upstream.multicast(replay: .last(3))
    typealias Loop = SharedSequence<Token, Never>.Iterator
    // Used on this thread only.
    nonisolated(unsafe) var loop: Loop?
    let connection = shared.connect()
    // The loop begins while a value is delivered, so it looks its replay up beside the holder of the drain.
    let sink = shared.sink { token in
      if token.id == 3 {
        loop = shared.values.joining(backlog: .size(1, whenFull: .dropOldest)).makeAsyncIterator()
      }
    }
    for id in 1...3 { upstream.send(mint.make(id)) }
    connection.cancel()
    #expect(mint.alive == [1, 2, 3])
    for id in 1...3 { #expect(await loop?.next()?.id == id) }
    #expect(mint.alive == [])
    sink.cancel()
  }

  @Test func `O2: values that wait for a dropped iterator are released at once`() async {
    let mint = TokenMint()
    let subject = ReplaySubject<Token, Never>(.none)
    do {
      var iterator = subject.values.makeAsyncIterator()
      for id in 1...3 { subject.send(mint.make(id)) }
      #expect(await iterator.next()?.id == 1)
    }
    #expect(mint.alive == [])
  }

  @Test func `O2: at the end the publisher is let go, before the iterator is`() async {
    let subject = PassthroughSubject<Int, Never>()
    var share: WeakReference?
    var iterator: SharedSequence<Int, Never>.Iterator
    do {
      let shared = subject.share()
      share = WeakReference(shared)
      iterator = shared.values.makeAsyncIterator()
    }
    #expect(share?.isAlive == true)
    subject.send(1)
    subject.send(completion: .finished)
    #expect(await iterator.next() == 1)
    #expect(share?.isAlive == true)
    #expect(await iterator.next() == nil)
    #expect(share?.isAlive == false)
    #expect(await iterator.next() == nil)
  }
}

private final class Kept: Sendable {}
