import Fanout
import FanoutTestSupport
import TestFixtures
import Testing

/// A backlog that waits, behind operators that ask for themselves: what a source would drop waits in them.
struct B6OperatorTests {
  typealias Upstream = AnyPublisher<Int, Never>

  private let subject = PassthroughSubject<Int, Never>()
  private let none = Empty<Int, Never>(completeImmediately: false)
  private let failing = Fail<Int, Broken>(error: Broken())

  private var callback: Publishers.Callback<Int, Never> {
    Publishers.Callback(add: { [subject] handler in subject.sink { handler($0) } }) { $0.cancel() }
  }

  /// Returns what a subscriber gets that requests nothing until all numbers were sent.
  private func received(
    _ chain: some Publisher<Int, Never>, sending numbers: ClosedRange<Int>, last: Int? = nil
  ) -> [Int] {
    let slow = TestSubscriber<Int, Never>(initialDemand: .none)
    chain.share(backlog: .size(1, whenFull: .wait)).subscribe(slow)
    numbers.forEach { subject.send($0) }
    slow.request(.unlimited)
    if let last { subject.send(last) }
    slow.cancel()
    return slow.values
  }

  @Test func `B6: a callback loses nothing behind an operator that asks for itself`() {
    let callback = callback
    let numbers = (1...100).publisher
    let chains: [Upstream] = [
      callback.merge(with: none).eraseToAnyPublisher(),
      callback.zip(numbers).map { $0.0 }.eraseToAnyPublisher(),
      Just(callback).append(Empty(completeImmediately: false)).switchToLatest()
        .eraseToAnyPublisher(),
      Empty<Int, Never>().append(callback).eraseToAnyPublisher(),
      failing.catch { _ in callback }.eraseToAnyPublisher(),
      Just(0).flatMap { _ in callback }.eraseToAnyPublisher(),
    ]
    for chain in chains { #expect(received(chain, sending: 1...10) == Array(1...10)) }
  }

  @Test func `B6: a source that comes when nothing is outstanding loses nothing`() {
    let subject = subject
    let one = Just(1).setFailureType(to: Broken.self)
    let chains: [Upstream] = [
      Just(1).append(subject).eraseToAnyPublisher(),
      subject.prepend(1).eraseToAnyPublisher(),
      one.append(failing).catch { _ in subject }.eraseToAnyPublisher(),
      one.append(failing).catch { _ in subject.map { $0 } }.eraseToAnyPublisher(),
      Just(1).append(Empty<Int, Never>().append(subject)).eraseToAnyPublisher(),
    ]
    for chain in chains {
      #expect(received(chain, sending: 2...6, last: 7) == Array(1...7))
    }
  }

  @Test func `B6: combineLatest and its kin lose nothing inside another operator`() {
    let combined = subject.combineLatest(Just(0)).map { $0.0 }
    let chains: [Upstream] = [
      combined.merge(with: none).eraseToAnyPublisher(),
      Just(0).flatMap { _ in combined }.eraseToAnyPublisher(),
      subject.withLatestFrom(Just(0)).map { $0.0 }.merge(with: none).eraseToAnyPublisher(),
      subject.prefix(untilOutputFrom: none).merge(with: none).eraseToAnyPublisher(),
    ]
    for chain in chains {
      let shared = chain.multicast(replay: .none, backlog: .size(2, whenFull: .wait))
      let work = AnyCancellable(shared.connect())
      let slow = TestSubscriber<Int, Never>(initialDemand: .none)
      shared.subscribe(slow)
      (1...10).forEach { subject.send($0) }
      slow.request(.unlimited)
      #expect(slow.values == Array(1...10))
      slow.cancel()
      work.cancel()
    }
  }

  @Test func `B6: publishers that drop are asked in the order in which they were merged`() {
    let shares = [0, 10, 20].map { first in
      (first + 1...first + 3).publisher.share(backlog: .size(3, whenFull: .dropOldest))
    }
    let shared = Publishers.MergeMany(shares)
      .multicast(replay: .none, backlog: .size(9, whenFull: .wait))
    let work = AnyCancellable(shared.connect())
    let subscriber = TestSubscriber<Int, Never>()
    shared.subscribe(subscriber)
    #expect(subscriber.values == [1, 11, 21, 2, 3, 12, 13, 22, 23])
    subscriber.cancel()
    work.cancel()
  }

  @Test func `B6: a buffer keeps what its policy says`() {
    let slow = TestSubscriber<Int, Never>(initialDemand: .none)
    let shared = subject.buffer(size: 5, prefetch: .byRequest, whenFull: .dropOldest)
      .share(backlog: .size(2, whenFull: .wait))
    shared.subscribe(slow)
    (1...1000).forEach { subject.send($0) }
    #expect(shared.status.subscribers.map(\.waiting) == [2])
    slow.request(.unlimited)
    #expect(slow.values == [1, 2] + Array(996...1000))
    slow.cancel()
  }

  @Test func `B6: behind a share that waits for a time a sequence is not asked for everything`() {
    let asked = Shared(0)
    let numbers = (1...1000).publisher.handleEvents(receiveOutput: { _ in asked.increment() })
    let patience = Backlog<Int, Never>.WhenFull.wait(
      atMost: .seconds(1), scheduler: TestScheduler(), then: .dropOldest)
    let slow = TestSubscriber<Int, Never>(initialDemand: .none)
    numbers.share(backlog: .size(2, whenFull: patience))
      .share(backlog: .size(2, whenFull: .wait)).subscribe(slow)
    slow.request(.max(1))
    #expect(asked.value <= 10)
    slow.cancel()
  }
}
