import Dispatch
import Fanout
import FanoutCore
import FanoutLifetime
import FanoutOpenCombine
import FanoutTestSupport
import OpenCombine
import Testing

/// `publisher.fanout`: from OpenCombine to Fanout.
@Suite(.timeLimit(.minutes(30)))
struct FromCombineTests {
  private typealias Subscriber = TestSubscriber<Int, Broken>

  @Test func `D8: requests go up as they are, and what the subscriber returns goes back`() {
    let source = Driven<Int, Broken>()
    let subscriber = Subscriber(
      initialDemand: .max(2), demandFor: { _, value in value == 1 ? .max(3) : .none })
    source.fanout.subscribe(subscriber)
    #expect(source.notes == ["max(2)"])
    #expect(source.send(1) == .max(3))
    #expect(source.send(2) == .none)
    subscriber.request(.unlimited)
    subscriber.request(.none)
    #expect(source.notes == ["max(2)", "unlimited", "max(0)"])
    #expect(subscriber.values == [1, 2])
    #expect(subscriber.violations == [])
    subscriber.cancel()
  }

  @Test func `D9: a completion comes once, and nothing after it`() {
    for (sent, expected):
      (CombineSubscribers.Completion<Broken>, FanoutCore.Subscribers.Completion<Broken>) in [
        (.finished, .finished), (.failure(Broken()), .failure(Broken())),
      ]
    {
      let source = OpenCombine.PassthroughSubject<Int, Broken>()
      let subscriber = Subscriber(initialDemand: .unlimited)
      source.fanout.subscribe(subscriber)
      source.send(1)
      source.send(completion: sent)
      source.send(2)
      source.send(completion: .finished)
      #expect(subscriber.events == [.subscription, .value(1), .completion(expected)])
      #expect(subscriber.violations == [])
    }
  }

  @Test func `D9: a publisher that ends at once ends here`() {
    let failed = Subscriber()
    OpenCombine.Fail<Int, Broken>(error: Broken()).fanout.subscribe(failed)
    #expect(failed.completion == .failure(Broken()))
    let one = TestSubscriber<Int, Never>(initialDemand: .none)
    OpenCombine.Just(1).fanout.subscribe(one)
    #expect(one.values == [])
    one.request(.max(1))
    #expect(one.values == [1])
    #expect(one.completion == .finished)
  }

  @Test func `D9: an end before its subscription counts, and what comes behind it does not`() {
    let subscriber = Subscriber(initialDemand: .unlimited)
    let source = EarlyEnd()
    source.fanout.subscribe(subscriber)
    #expect(subscriber.events == [.subscription, .completion(.failure(Broken()))])
    #expect(subscriber.violations == [])
    #expect(source.cancels.value == 1)
  }

  @Test
  func `D7: a cancel is final, cancels the upstream once, and leaves requests without effect`() {
    let source = Driven<Int, Broken>()
    let subscriber = Subscriber(initialDemand: .unlimited)
    source.fanout.subscribe(subscriber)
    let subscription = subscriber.subscription
    subscription?.cancel()
    subscription?.cancel()
    subscription?.request(.max(1))
    source.send(1)
    #expect(source.notes == ["unlimited", "cancel"])
    #expect(subscriber.values == [])
  }

  @Test func `D7: a cancel inside a value drops those that wait`() {
    let source = Driven<Int, Broken>()
    let subscriber = Subscriber(
      initialDemand: .unlimited,
      demandFor: { subscriber, value in
        source.send(2)
        source.send(completion: .finished)
        subscriber.cancel()
        return .none
      })
    source.fanout.subscribe(subscriber)
    source.send(1)
    #expect(subscriber.values == [1])
    #expect(subscriber.completion == nil)
  }

  @Test func `D1, D3: a send inside a value waits its turn, also the end`() {
    let source = Driven<Int, Broken>()
    let subscriber = Subscriber(
      initialDemand: .max(1),
      demandFor: { _, value in
        if value == 1 {
          #expect(source.send(2) == .none)
          #expect(source.send(3) == .none)
        }
        if value == 3 { source.send(completion: .failure(Broken())) }
        return .max(value)
      })
    source.fanout.subscribe(subscriber)
    #expect(source.send(1) == .max(1))
    #expect(
      subscriber.events == [
        .subscription, .value(1), .value(2), .value(3), .completion(.failure(Broken())),
      ])
    // What is returned for a value that waited goes up as a request.
    #expect(source.notes == ["max(1)", "max(2)", "max(3)"])
  }

  @Test func `D1: a publisher that delivers inside a request does not nest`() {
    let source = Driven<Int, Broken>()
    let next = Shared(0)
    source.whenRequested.value = { source in
      if next.value < 10_000 { source.send(next.increment()) }
    }
    let isInside = Shared(false)
    let nested = Shared(0)
    let subscriber = Subscriber(
      initialDemand: .max(1),
      demandFor: { subscriber, _ in
        if isInside.value { nested.increment() }
        isInside.value = true
        subscriber.request(.max(1))
        isInside.value = false
        return .none
      })
    source.fanout.subscribe(subscriber)
    #expect(subscriber.values == Array(1...10_000))
    #expect(nested.value == 0)
    source.whenRequested.value = { _ in }
    subscriber.cancel()
  }

  @Test func `D1, D4: values of four threads come one after another, and none is lost`() {
    let source = Driven<Int, Broken>()
    let subscriber = Subscriber(initialDemand: .unlimited)
    source.fanout.subscribe(subscriber)
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for number in 0..<500 { source.send(thread * 1000 + number) }
    }
    // The last one to leave may have delivered for all, but nobody delivers any more.
    #expect(subscriber.values.count == 2000)
    for thread in 0..<4 {
      let own = subscriber.values.filter { $0 / 1000 == thread }
      #expect(own == own.sorted())
    }
    #expect(subscriber.violations == [])
    subscriber.cancel()
  }

  @Test func `D7: a cancel races values and the end`() {
    for _ in 0..<200 {
      let source = Driven<Int, Broken>()
      let subscriber = Subscriber(initialDemand: .unlimited)
      source.fanout.subscribe(subscriber)
      DispatchQueue.concurrentPerform(iterations: 3) { thread in
        switch thread {
        case 0: for number in 0..<20 { source.send(number) }
        case 1: source.send(completion: .finished)
        default: subscriber.cancel()
        }
      }
      #expect(subscriber.violations == [])
    }
  }

  @Test func `O2: a cancel and a completion release both sides`() {
    for isCancelled in [true, false] {
      let source = OpenCombine.PassthroughSubject<Int, Broken>()
      let watch: FanoutLifetime.WeakReference
      var subscription: (any FanoutCore.Subscription)?
      do {
        let subscriber = Subscriber(initialDemand: .unlimited)
        watch = WeakReference(subscriber)
        source.fanout.subscribe(subscriber)
        subscription = subscriber.subscription
        if isCancelled { subscriber.cancel() } else { source.send(completion: .finished) }
      }
      #expect(!watch.isAlive)
      withExtendedLifetime(subscription) {}
      subscription = nil
    }
  }
}

/// A publisher that fails before it hands out its subscription.
private struct EarlyEnd: CombinePublisher {
  typealias Output = Int
  typealias Failure = Broken

  private struct Late: CombineSubscription {
    let combineIdentifier = OpenCombine.CombineIdentifier()
    let cancels: Shared<Int>

    func request(_ demand: CombineSubscribers.Demand) {}
    func cancel() { cancels.change { $0 += 1 } }
  }

  let cancels = Shared(0)

  func receive<S: CombineSubscriber>(subscriber: S) where S.Input == Int, S.Failure == Broken {
    subscriber.receive(completion: .failure(Broken()))
    subscriber.receive(subscription: Late(cancels: cancels))
    _ = subscriber.receive(1)
  }
}
