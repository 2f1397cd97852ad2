import FanoutCore
import FanoutLifetime
import FanoutOperators
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// Work that a test lets finish, value by value.
final class HeldWork: Sendable {
  private let started = Shared<Set<Int>>([])
  private let gates: [Arrivals]
  let arrivals = Arrivals()
  let cancelled = Arrivals()
  let returned = Arrivals()

  init(count: Int = 9) { gates = (0..<count).map { _ in Arrivals() } }

  /// The values that are or were worked on.
  var all: [Int] { started.value.sorted() }

  func finish(_ value: Int) { gates[value].arrive() }

  /// Waits for `finish`, heeding no cancellation but for the note of it.
  func work(_ value: Int) async -> Int {
    started.change { _ = $0.insert(value) }
    await withTaskCancellationHandler {
      // Here, so that a cancel behind this arrival finds the handler.
      arrivals.arrive()
      await gates[value].wait()
    } onCancel: {
      cancelled.arrive()
    }
    returned.arrive()
    return value * 10
  }
}

@Suite(.timeLimit(.minutes(30)))
struct AsyncMapTests {
  @Test func `D8: a hundred thousand values, in order, four at a time at most`() async {
    let count = rounds(100_000)
    let occupancy = Occupancy()
    var next = 1
    var isInOrder = true
    let results = (1...count).publisher.asyncMap(maxConcurrent: 4) { value in
      occupancy.enter()
      if value % 7 == 0 { await Task.yield() }
      occupancy.leave()
      return value * 2
    }
    for await result in results.values {
      isInOrder = isInOrder && result == next * 2
      next += 1
    }
    #expect(isInOrder)
    #expect(next == count + 1)
    #expect((1...4).contains(occupancy.most))
  }

  @Test func `as many run at one time as may, and results wait for those in front`() async {
    let work = HeldWork()
    let (arrived, ended) = (Arrivals(), Arrivals())
    let subscriber = TestSubscriber<Int, Never>(
      demandFor: { _, _ in
        arrived.arrive()
        return .none
      }, whenCompleted: { _ in ended.arrive() })
    let upstream = (1...6).publisher.asyncMap(maxConcurrent: 3) { await work.work($0) }
    upstream.subscribe(subscriber)
    await work.arrivals.wait(for: 3)
    #expect(work.all == [1, 2, 3])
    work.finish(2)
    work.finish(3)
    await work.returned.wait(for: 2)
    // They wait for the first one, and their places are taken until then.
    #expect(subscriber.values == [])
    #expect(work.all == [1, 2, 3])
    work.finish(1)
    await arrived.wait(for: 3)
    #expect(subscriber.values == [10, 20, 30])
    await work.arrivals.wait(for: 6)
    (4...6).forEach(work.finish)
    await ended.wait()
    #expect(subscriber.values == [10, 20, 30, 40, 50, 60])
    #expect(subscriber.violations == [])
  }

  @Test func `D8: it asks for as many as may run when it is asked, and one more with each result`()
    async
  {
    let arrived = Arrivals()
    let upstream = TestPublisher<Int, Never>()
    let subscriber = TestSubscriber<Int, Never>(
      initialDemand: .none,
      demandFor: { _, _ in
        arrived.arrive()
        return .none
      })
    upstream.asyncMap(maxConcurrent: 2) { $0 }.subscribe(subscriber)
    #expect(upstream.requests == [])
    subscriber.request(.max(1))
    #expect(upstream.requests == [.max(2)])
    upstream.send(1)
    await arrived.wait(for: 1)
    // A request inside the delivery takes effect directly after it.
    while upstream.requests.count < 2 { await Task.yield() }
    #expect(upstream.requests == [.max(2), .max(1)])
    upstream.send(2)
    upstream.send(3)
    // Both are waiting for demand; a value that was not requested finds no place.
    upstream.send(4)
    subscriber.request(.unlimited)
    await arrived.wait(for: 3)
    upstream.send(completion: .finished)
    #expect(subscriber.values == [1, 2, 3])
    #expect(subscriber.completion == .finished)
    #expect(subscriber.violations == [])
  }

  @Test(arguments: [true, false])
  func `D9: the upstream's end comes behind the results of what came before it`(fails: Bool) async {
    let work = HeldWork()
    let ended = Arrivals()
    let upstream = TestPublisher<Int, Broken>()
    let subscriber = TestSubscriber<Int, Broken>(whenCompleted: { _ in ended.arrive() })
    upstream.asyncMap(maxConcurrent: 4) { await work.work($0) }.subscribe(subscriber)
    upstream.send(1)
    upstream.send(2)
    upstream.send(completion: fails ? .failure(Broken()) : .finished)
    upstream.send(3)
    await work.arrivals.wait(for: 2)
    #expect(subscriber.events == [.subscription])
    work.finish(2)
    work.finish(1)
    await ended.wait()
    #expect(work.all == [1, 2])
    #expect(subscriber.values == [10, 20])
    #expect(subscriber.completion == (fails ? .failure(Broken()) : .finished))
    #expect(subscriber.violations == [])
  }

  @Test func `an upstream without values ends at once, without demand`() {
    let subscriber = TestSubscriber<Int, Never>(initialDemand: .none)
    Empty<Int, Never>().asyncMap(maxConcurrent: 1) { $0 }.subscribe(subscriber)
    #expect(subscriber.events == [.subscription, .completion(.finished)])
  }

  @Test func `D7: a cancel in the middle cancels all tasks and ignores what they return`() async {
    let work = HeldWork()
    let gone = Arrivals()
    let tracker = LifetimeTracker()
    let upstream = TestPublisher<Int, Never>()
    do {
      let subscriber = TestSubscriber<Int, Never>()
      upstream.asyncMap(maxConcurrent: 4) { [token = Token(whenGone: { gone.arrive() })] value in
        let result = await work.work(value)
        return withExtendedLifetime(token) { result }
      }.subscribe(subscriber)
      tracker.track(subscriber, "subscriber")
      tracker.track(upstream.subscriptions[0], "upstream")
      if let own = subscriber.subscription as AnyObject? { tracker.track(own, "subscription") }
      (1...3).forEach(upstream.send)
      await work.arrivals.wait(for: 3)
      subscriber.cancel()
      #expect(upstream.cancelCount == 1)
      #expect(work.cancelled.count == 3)
      upstream.send(4)
      #expect(subscriber.events == [.subscription])
      #expect(subscriber.violations == [])
    }
    upstream.forgetSubscriptions()
    // Tasks are still running that heed no cancellation: all that they keep is their closure.
    #expect(tracker.survivors() == [])
    #expect(gone.count == 0)
    (1...3).forEach(work.finish)
    await gone.wait()
    #expect(work.all == [1, 2, 3])
  }

  @Test func `O2: everything is let go of at the end`() async {
    let (gone, ended) = (Arrivals(), Arrivals())
    let upstream = TestPublisher<Token, Never>()
    let subscriber = TestSubscriber<Int, Never>(whenCompleted: { _ in ended.arrive() })
    upstream.asyncMap(maxConcurrent: 2) { [token = Token(whenGone: { gone.arrive() })] value in
      withExtendedLifetime(token) { value.id }
    }.subscribe(subscriber)
    upstream.send(Token(1, whenGone: { gone.arrive() }))
    upstream.send(completion: .finished)
    await ended.wait()
    await gone.wait(for: 2)
    #expect(subscriber.values == [1])
  }

  @Test func `O6: results that wait are let go of at a cancel, outside of any lock`() async {
    let (gone, returned, made) = (Arrivals(), Arrivals(), Arrivals())
    let upstream = TestPublisher<Int, Never>()
    let subscriber = TestSubscriber<Token, Never>(
      initialDemand: .max(1),
      demandFor: { subscriber, _ in
        returned.arrive()
        return .none
      })
    upstream.asyncMap(maxConcurrent: 2) { value in
      made.arrive()
      return Token(value) {
        // User code, which may do what it likes.
        upstream.send(9)
        gone.arrive()
      }
    }.subscribe(subscriber)
    upstream.send(1)
    await returned.wait()
    upstream.send(2)
    await made.wait(for: 2)
    #expect(gone.count == 0)
    subscriber.cancel()
    await gone.wait()
    #expect(subscriber.violations == [])
  }

  private typealias Made = AsyncMapSubscription<Int, Never, Int, Never>

  private func madeWorkers(of subscriber: TestSubscriber<Int, Never>) -> Made.Workers? {
    (subscriber.subscription as? Made)?.workers
  }

  @Test func `a worker takes the next value itself, and ends when there is none`() async throws {
    let work = HeldWork()
    let ended = Arrivals()
    let subscriber = TestSubscriber<Int, Never>(whenCompleted: { _ in ended.arrive() })
    (1...4).publisher.asyncMap(maxConcurrent: 2) { await work.work($0) }.subscribe(subscriber)
    let workers = try #require(madeWorkers(of: subscriber))
    await work.arrivals.wait(for: 2)
    work.finish(1)
    await work.arrivals.wait(for: 3)
    work.finish(2)
    await work.arrivals.wait(for: 4)
    #expect(workers.counts.started == 2)
    #expect(workers.counts.running == 2)
    work.finish(4)
    work.finish(3)
    await ended.wait()
    #expect(subscriber.values == [10, 20, 30, 40])
    #expect(workers.counts.started == 2)
    while workers.counts.running > 0 { await Task.yield() }
  }

  @Test func `a value does not wait for a worker that delivers`() async throws {
    let work = HeldWork()
    let ended = Arrivals()
    let started = Shared<[Int]>([])
    let made = Shared<Made.Workers?>(nil)
    let subscriber = TestSubscriber<Int, Never>(
      demandFor: { _, _ in
        let count = made.value?.counts.started
        started.change { $0.append(count ?? 0) }
        return .none
      }, whenCompleted: { _ in ended.arrive() })
    (1...4).publisher.asyncMap(maxConcurrent: 3) { await work.work($0) }.subscribe(subscriber)
    let workers = try #require(madeWorkers(of: subscriber))
    made.value = workers
    await work.arrivals.wait(for: 3)
    work.finish(3)
    work.finish(2)
    // Their workers have nothing more to do, and end.
    while workers.counts.running > 1 { await Task.yield() }
    work.finish(1)
    await work.arrivals.wait(for: 4)
    work.finish(4)
    await ended.wait()
    made.value = nil
    #expect(subscriber.values == [10, 20, 30, 40])
    // The fourth value comes with the delivery of the first result; during that of the second one it
    // has a worker.
    #expect(started.value.prefix(3) == [3, 4, 4])
  }

  @TaskLocal private static var token: Token?

  @Test(arguments: [false, true])
  func `D7: no task is left, neither at the end nor after a cancel`(cancels: Bool) async {
    let (gone, ended) = (Arrivals(), Arrivals())
    let subscriber = TestSubscriber<Int, Never>(
      demandFor: { subscriber, value in
        if cancels, value == 500 { subscriber.cancel() }
        return .none
      }, whenCompleted: { _ in ended.arrive() })
    // Every task that is started from here on has the token, as long as it runs.
    Self.$token.withValue(Token(whenGone: { gone.arrive() })) {
      (1...1000).publisher.asyncMap(maxConcurrent: 4) { value in
        if value % 3 == 0 { await Task.yield() }
        return value
      }.subscribe(subscriber)
    }
    await gone.wait()
    if !cancels { await ended.wait() }
    #expect(subscriber.values.count == (cancels ? 500 : 1000))
    #expect(subscriber.values == Array(1...1000).prefix(subscriber.values.count).map { $0 })
    #expect(subscriber.violations == [])
  }

  @Test func `a task is cancelled during its closure, and not while it delivers`() async {
    let work = HeldWork()
    let returned = Arrivals()
    let wasCancelled = Shared<[Bool]>([])
    let subscriber = TestSubscriber<Int, Never>(
      demandFor: { subscriber, _ in
        subscriber.cancel()
        wasCancelled.change { $0.append(Task.isCancelled) }
        return .none
      })
    (1...9).publisher.asyncMap(maxConcurrent: 2) { value in
      let result = await work.work(value)
      if value == 2 {
        wasCancelled.change { $0.append(Task.isCancelled) }
        returned.arrive()
      }
      return result
    }.subscribe(subscriber)
    await work.arrivals.wait(for: 2)
    work.finish(1)
    await work.cancelled.wait()
    work.finish(2)
    await returned.wait()
    #expect(wasCancelled.value == [false, true])
    #expect(work.all == [1, 2])
  }

  @Test func `its subscription has the name of the publisher`() {
    for publisher in [
      TestPublisher<Int, any Error>().asyncMap(maxConcurrent: 1) { $0 }.eraseToAnyPublisher(),
      TestPublisher<Int, any Error>().asyncMap(maxConcurrent: 1) { $0 }.eraseToAnyPublisher(),
    ] {
      let subscriber = TestSubscriber<Int, any Error>(initialDemand: .none)
      publisher.subscribe(subscriber)
      #expect("\(subscriber.subscription ?? Subscriptions.empty)".hasSuffix("AsyncMap"))
      subscriber.cancel()
    }
  }
}

@Suite(.timeLimit(.minutes(30)))
struct AsyncMapRaceTests {
  @Test func `D1, D7: a cancel at any moment is heeded`() async {
    for _ in 0..<200 {
      let gone = Arrivals()
      let subscriber = TestSubscriber<Int, Never>(initialDemand: .none)
      (1...50).publisher.asyncMap(maxConcurrent: 3) {
        [token = Token(whenGone: { gone.arrive() })] value in
        withExtendedLifetime(token) { value }
      }.subscribe(subscriber)
      let raced = race({ subscriber.request(.unlimited) }, { subscriber.cancel() })
      #expect(raced)
      await gone.wait()
      #expect(subscriber.violations == [])
      #expect(subscriber.values == Array(1...50).prefix(subscriber.values.count).map { $0 })
    }
  }
}
