import FanoutCore
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

struct D14SynchronousTests {
  /// An upstream that delivers 1 to 5 and ends as soon as it is asked, whatever for.
  private func immediate() -> TestPublisher<Int, Never> {
    TestPublisher { subscription, demand in
      guard demand != .none, subscription.requests.count == 1 else { return }
      for value in 1...5 where !subscription.isCancelled { subscription.send(value) }
      subscription.send(completion: .finished)
    }
  }

  @Test func `D14: an upstream that delivers while it is asked is an ordinary one`() {
    let received = Notes<String>()
    func watch(_ publisher: some Publisher<Int, Never>) -> [String] {
      let before = received.count
      let sink = publisher.sink(
        receiveCompletion: { received.append("\($0)") }, receiveValue: { received.append("\($0)") })
      defer { sink.cancel() }
      return Array(received.all.dropFirst(before))
    }
    let all = ["1", "2", "3", "4", "5", "finished"]
    #expect(watch(immediate()) == all)
    #expect(watch(immediate().map { $0 }) == all)
    #expect(watch(immediate().filter { $0 > 0 }) == all)
    #expect(watch(immediate().scan(0) { $1 }) == all)
    #expect(watch(immediate().prefix(9)) == all)
    #expect(watch(immediate().prefix(2)) == ["1", "2", "finished"])
    #expect(watch(immediate().first()) == ["1", "finished"])
    #expect(watch(immediate().eraseToAnyPublisher()) == all)
  }

  @Test func `D14: prefix and first cancel such an upstream, once`() {
    let upstream = immediate()
    upstream.prefix(2).sink { _ in }.cancel()
    #expect(upstream.cancelCount == 1)
    let other = immediate()
    other.first().sink { _ in }.cancel()
    #expect(other.cancelCount == 1)
    #expect(other.requests == [.unlimited])
  }

  @Test func `D14: first cancels its upstream once, also if its value is never asked for`() {
    let upstream = TestPublisher<Int, Never>()
    let subscriber = TestSubscriber<Int, Never>(initialDemand: .none)
    upstream.first().subscribe(subscriber)
    upstream.send(1)
    upstream.send(2)
    #expect(upstream.cancelCount == 1)
    subscriber.cancel()
    #expect(upstream.cancelCount == 1)
    #expect(subscriber.events == [.subscription])
  }

  @Test func `D14: a cancel in the middle of such a delivery stops it`() {
    let upstream = immediate()
    let subscriber = TestSubscriber<Int, Never> { subscriber, value in
      if value == 2 { subscriber.cancel() }
      return .none
    }
    upstream.filter { $0 > 0 }.map { $0 }.subscribe(subscriber)
    #expect(subscriber.values == [1, 2])
    #expect(upstream.cancelCount == 1)
    // The values come nested in `receive(subscription:)`: this upstream delivers that way, and
    // operators do not correct it.
  }

  @Test(arguments: SubjectKind.allCases)
  func `D14: such an upstream feeds a subject`(kind: SubjectKind) {
    let subject = kind.make()
    let subscriber = TestSubscriber<Int, Broken>()
    subject.subscribe(subscriber)
    let upstream = TestPublisher<Int, Broken>(whenAsked: { subscription, _ in
      (1...3).forEach { subscription.send($0) }
      subscription.send(completion: .finished)
    })
    let feed = upstream.subscribe(subject)
    #expect(subscriber.values == kind.replay + [1, 2, 3])
    #expect(subscriber.completion == .finished)
    #expect(upstream.requests == [.unlimited])
    #expect(subscriber.violations == [])
    feed.cancel()
  }

  @Test func `D14: what has no end ends with prefix and first`() {
    let numbers = sequence(first: 1) { $0 + 1 }.publisher
    let prefix = TestSubscriber<Int, Never>()
    numbers.prefix(3).subscribe(prefix)
    #expect(prefix.events.map(\.description) == ["subscription", "1", "2", "3", "finished"])
    let first = TestSubscriber<Int, Never>()
    numbers.first().subscribe(first)
    #expect(first.events.map(\.description) == ["subscription", "1", "finished"])
    #expect(prefix.violations + first.violations == [])
  }

  @Test func `D14: an upstream that ends while it tells of the subscription`() {
    struct Hasty: Publisher {
      typealias Output = Int
      typealias Failure = Never
      func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
        subscriber.receive(subscription: Subscriptions.empty)
        _ = subscriber.receive(1)
        subscriber.receive(completion: .finished)
      }
    }
    let received = Notes<String>()
    let sink = Hasty().filter { _ in true }.prefix(5).sink(
      receiveCompletion: { received.append("\($0)") }, receiveValue: { received.append("\($0)") })
    #expect(received.all == ["1", "finished"])
    sink.cancel()
  }
}
