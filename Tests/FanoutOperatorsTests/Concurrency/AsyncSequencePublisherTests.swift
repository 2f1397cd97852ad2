import FanoutCore
import FanoutLifetime
import FanoutOperators
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

private func subscriber(
  demand: Subscribers.Demand, arrived: Arrivals, ended: Arrivals
) -> TestSubscriber<Int, Broken> {
  TestSubscriber(
    initialDemand: demand,
    demandFor: { _, _ in
      arrived.arrive()
      return .none
    }, whenCompleted: { _ in ended.arrive() })
}

@Suite(.timeLimit(.minutes(30)))
struct AsyncSequencePublisherTests {
  /// Returns a subscriber that notes the values and the end.
  @Test func `it delivers the elements and finishes, and can be iterated back`() async {
    let (numbers, feed) = AsyncStream.makeStream(of: Int.self)
    for number in 1...3 { feed.yield(number) }
    feed.finish()
    var values: [Int] = []
    for await value in numbers.publisher.values { values.append(value) }
    #expect(values == [1, 2, 3])
  }

  @Test func `D8: an element is asked for when it was asked for here, and nothing ahead`() async {
    let notes = NotedNumbers.Notes()
    let (arrived, ended) = (Arrivals(), Arrivals())
    let subscriber = subscriber(demand: .none, arrived: arrived, ended: ended)
    NotedNumbers(notes, count: 3).publisher.subscribe(subscriber)
    #expect(notes.iterations.count == 0)
    subscriber.request(.max(1))
    await arrived.wait(for: 1)
    #expect(notes.asked.count == 1)
    subscriber.request(.max(2))
    await arrived.wait(for: 3)
    // No more was requested, so the publisher has not looked for the end.
    #expect(notes.asked.count == 3)
    #expect(subscriber.completion == nil)
    subscriber.request(.max(1))
    await ended.wait()
    #expect(notes.asked.count == 4)
    #expect(
      subscriber.events == [
        .subscription, .value(1), .value(2), .value(3), .completion(.finished),
      ])
    #expect(subscriber.violations == [])
  }

  @Test func `D8: demand that receive returns is honoured, and depth is bounded`() async {
    let ended = Arrivals()
    let subscriber = TestSubscriber<Int, Broken>(
      initialDemand: .max(1), demandFor: { _, _ in .max(1) },
      whenCompleted: { _ in ended.arrive() })
    NotedNumbers(NotedNumbers.Notes(), count: 20_000).publisher.subscribe(subscriber)
    await ended.wait()
    #expect(subscriber.values == Array(1...20_000))
    #expect(subscriber.violations == [])
  }

  @Test func `D9: what a sequence throws is the failure, with its type, behind the elements`() async
  {
    let notes = NotedNumbers.Notes { number throws(Broken) in if number == 3 { throw Broken() } }
    let (arrived, ended) = (Arrivals(), Arrivals())
    let subscriber = subscriber(demand: .unlimited, arrived: arrived, ended: ended)
    NotedNumbers(notes).publisher.subscribe(subscriber)
    await ended.wait()
    #expect(subscriber.values == [1, 2])
    #expect(subscriber.completion == .failure(Broken()))
    #expect(subscriber.violations == [])
  }

  @Test func `a sequence that can throw anything makes a publisher that can fail with anything`()
    async
  {
    let (numbers, feed) = AsyncThrowingStream.makeStream(of: Int.self)
    feed.yield(1)
    feed.finish(throwing: Broken())
    var values: [Int] = []
    await #expect(throws: Broken.self) {
      for try await value in numbers.publisher.values { values.append(value) }
    }
    #expect(values == [1])
  }

  @Test func `each subscriber has an iteration of its own`() async {
    let notes = NotedNumbers.Notes()
    let publisher = NotedNumbers(notes, count: 2).publisher
    for _ in 0..<2 {
      let (arrived, ended) = (Arrivals(), Arrivals())
      let subscriber = subscriber(demand: .unlimited, arrived: arrived, ended: ended)
      publisher.subscribe(subscriber)
      await ended.wait()
      #expect(subscriber.values == [1, 2])
    }
    #expect(notes.iterations.count == 2)
  }

  @Test func `D7: a cancel stops the task, and what the sequence still says is ignored`() async {
    let (held, cancelled) = (Arrivals(), Arrivals())
    let notes = NotedNumbers.Notes { _ in
      // Heeds no cancellation, but notices it.
      await withTaskCancellationHandler {
        await held.wait()
      } onCancel: {
        cancelled.arrive()
      }
    }
    let (gone, letGo) = (Arrivals(), Arrivals())
    let (arrived, ended) = (Arrivals(), Arrivals())
    weak var subscription: AnyObject?
    do {
      let subscriber = subscriber(demand: .unlimited, arrived: arrived, ended: ended)
      NotedNumbers(notes, token: Token(whenGone: { gone.arrive() })).publisher
        .map { [token = Token(whenGone: { letGo.arrive() })] value in
          withExtendedLifetime(token) { value }
        }
        .subscribe(subscriber)
      subscription = subscriber.subscription as AnyObject
      await notes.asked.wait()
      subscriber.cancel()
      await cancelled.wait()
      // The subscriber is released at once, whatever the sequence does.
      #expect(letGo.count == 1)
      held.arrive()
      await gone.wait()
      #expect(notes.cancelled.count == 1)
      #expect(subscriber.events == [.subscription])
      #expect(subscriber.violations == [])
    }
    #expect(notes.asked.count == 1)
    let isGone = subscription == nil
    #expect(isGone)
  }

  @Test func `O2: it lets go of the sequence at a cancel, before the first request and after`()
    async
  {
    for demand in [0, 1] {
      let gone = Arrivals()
      let (arrived, ended) = (Arrivals(), Arrivals())
      let subscriber = subscriber(demand: .max(demand), arrived: arrived, ended: ended)
      NotedNumbers(NotedNumbers.Notes(), token: Token(whenGone: { gone.arrive() })).publisher
        .subscribe(subscriber)
      if demand == 1 { await arrived.wait() }
      #expect(gone.count == 0)
      subscriber.cancel()
      await gone.wait()
      subscriber.request(.unlimited)
      #expect(subscriber.values == (demand == 0 ? [] : [1]))
    }
  }

  @Test func `O2: an iteration of which nobody wants more is over when its subscription is`() async
  {
    let (gone, arrived) = (Arrivals(), Arrivals())
    NotedNumbers(NotedNumbers.Notes(), token: Token(whenGone: { gone.arrive() })).publisher
      .subscribe(
        AnySubscriber(
          receiveSubscription: { $0.request(.max(1)) },
          receiveValue: { _ in
            arrived.arrive()
            return .none
          }))
    await arrived.wait()
    await gone.wait()
  }

  @Test func `O2: it lets go of sequence and subscriber at the end`() async {
    let gone = Arrivals()
    let (arrived, ended) = (Arrivals(), Arrivals())
    weak var weakSubscriber: TestSubscriber<Int, Broken>?
    do {
      let subscriber = subscriber(demand: .unlimited, arrived: arrived, ended: ended)
      weakSubscriber = subscriber
      NotedNumbers(NotedNumbers.Notes(), count: 2, token: Token(whenGone: { gone.arrive() }))
        .publisher.subscribe(subscriber)
    }
    await ended.wait()
    await gone.wait()
    while weakSubscriber != nil { await Task.yield() }
  }

  @Test func `the end finds the task not cancelled, for who starts something there`() async {
    let wasCancelled = Shared<Bool?>(nil)
    let ended = Arrivals()
    let subscriber = TestSubscriber<Int, Broken>(whenCompleted: { _ in
      wasCancelled.value = Task.isCancelled
      ended.arrive()
    })
    NotedNumbers(NotedNumbers.Notes(), count: 2).publisher.subscribe(subscriber)
    await ended.wait()
    #expect(wasCancelled.value == false)
  }

  @Test func `its subscription has the name of the publisher`() {
    let subscriber = TestSubscriber<Int, Broken>(initialDemand: .none)
    NotedNumbers(NotedNumbers.Notes()).publisher.subscribe(subscriber)
    #expect("\(subscriber.subscription ?? Subscriptions.empty)" == "Async")
    subscriber.cancel()
  }
}

@Suite(.timeLimit(.minutes(30)))
struct AsyncSequencePublisherRaceTests {
  @Test func `D1, D8: requests from many threads ask for as many elements in all`() async {
    let (arrived, ended) = (Arrivals(), Arrivals())
    let notes = NotedNumbers.Notes()
    let subscriber = subscriber(demand: .none, arrived: arrived, ended: ended)
    NotedNumbers(notes).publisher.subscribe(subscriber)
    let raced = race(
      (0..<4).map { _ in { for _ in 0..<500 { subscriber.request(.max(1)) } } })
    #expect(raced)
    await arrived.wait(for: 2000)
    #expect(subscriber.values == Array(1...2000))
    #expect(notes.asked.count == 2000)
    #expect(subscriber.violations == [])
    subscriber.cancel()
  }

  @Test func `D7: a cancel at any moment leaves nothing`() async {
    for _ in 0..<200 {
      let gone = Arrivals()
      let (arrived, ended) = (Arrivals(), Arrivals())
      let subscriber = subscriber(demand: .none, arrived: arrived, ended: ended)
      NotedNumbers(NotedNumbers.Notes(), token: Token(whenGone: { gone.arrive() })).publisher
        .subscribe(subscriber)
      let raced = race({ subscriber.request(.max(50)) }, { subscriber.cancel() })
      #expect(raced)
      await gone.wait()
      #expect(subscriber.violations == [])
    }
  }
}
