import FanoutCore
import FanoutLifetime
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

struct CollectTests {
  @Test func `delivers one array when the upstream has finished`() {
    let upstream = TestPublisher<Int, Broken>()
    let subscriber = TestSubscriber<[Int], Broken>()
    upstream.collect().subscribe(subscriber)
    #expect(upstream.requests == [.unlimited])
    (1...3).forEach(upstream.send)
    #expect(subscriber.events.count == 1)
    upstream.send(completion: .finished)
    #expect(subscriber.events == [.subscription, .value([1, 2, 3]), .completion(.finished)])
    #expect(subscriber.violations == [])
    let none = TestSubscriber<[Int], Never>()
    Empty<Int, Never>().collect().subscribe(none)
    #expect(none.events == [.subscription, .value([]), .completion(.finished)])
  }

  @Test func `D8: the array waits until it is asked for, and so does the end`() {
    let subscriber = TestSubscriber<[Int], Never>(initialDemand: .none)
    (1...3).publisher.unspecialized.collect().subscribe(subscriber)
    #expect(subscriber.events == [.subscription])
    subscriber.request(.none)
    #expect(subscriber.events == [.subscription])
    subscriber.request(.max(1))
    #expect(subscriber.events == [.subscription, .value([1, 2, 3]), .completion(.finished)])
    #expect(subscriber.violations == [])
  }

  @Test func `D9: a failure passes at once, without the array`() {
    let upstream = TestPublisher<Int, Broken>()
    let subscriber = TestSubscriber<[Int], Broken>(initialDemand: .none)
    upstream.collect().subscribe(subscriber)
    upstream.send(1)
    upstream.send(completion: .failure(Broken()))
    #expect(subscriber.events == [.subscription, .completion(.failure(Broken()))])
  }

  @Test(arguments: [Ending.finish, .fail])
  func `O2: what was collected is let go of at the end`(ending: Ending) {
    let gone = Shared(0)
    let upstream = TestPublisher<Token, Broken>()
    let count = Shared(0)
    let subscriber = AnySubscriber<[Token], Broken>(
      receiveSubscription: { $0.request(.unlimited) },
      receiveValue: { values in
        count.value = values.count
        return .none
      })
    upstream.collect().subscribe(subscriber)
    for _ in 0..<3 { upstream.send(Token { gone.increment() }) }
    #expect(gone.value == 0)
    if let terminal = ending.terminal { upstream.send(completion: terminal) }
    #expect(gone.value == 3)
    #expect(count.value == (ending == .finish ? 3 : 0))
  }

  @Test func `O2: values are let go of at cancel, also an array that waits`() {
    for finishes in [true, false] {
      let gone = Shared(0)
      let upstream = TestPublisher<Token, Never>()
      let subscriber = TestSubscriber<[Token], Never>(initialDemand: .none)
      upstream.collect().subscribe(subscriber)
      for _ in 0..<3 { upstream.send(Token { gone.increment() }) }
      if finishes { upstream.send(completion: .finished) }
      #expect(gone.value == 0)
      subscriber.cancel()
      #expect(gone.value == 3)
      subscriber.request(.unlimited)
      #expect(subscriber.events.count == 1)
    }
  }

  @Test func `D15: the release of a million collected values does not grow the stack`() async {
    await #expect(processExitsWith: .success) {
      let isOver = finishes(stackSize: 1 << 18) {
        let count = Shared(0)
        let sink = (1...million).publisher.unspecialized.map { Token($0) }.collect()
          .sink { count.value = $0.count }
        #expect(count.value == million)
        sink.cancel()
      }
      #expect(isOver)
    }
  }
}

struct CollectRaceTests {
  @Test func `D8: the end and requests that race deliver the array once`() {
    for _ in 0..<500 {
      let upstream = TestPublisher<Int, Never>()
      let subscriber = TestSubscriber<[Int], Never>(initialDemand: .none)
      upstream.collect().subscribe(subscriber)
      upstream.send(1)
      let isOver = race(
        { upstream.send(completion: .finished) }, { subscriber.request(.max(1)) },
        { subscriber.request(.max(1)) })
      #expect(isOver)
      #expect(subscriber.events == [.subscription, .value([1]), .completion(.finished)])
      #expect(subscriber.violations == [])
    }
  }
}
