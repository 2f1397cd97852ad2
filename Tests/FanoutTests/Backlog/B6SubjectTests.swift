import Fanout
import FanoutTestSupport
import TestFixtures
import Testing

/// A backlog that waits, behind a source that cannot wait: what comes waits beyond the limit.
struct B6SubjectTests {
  typealias Upstream = AnyPublisher<Int, Never>

  enum Chain: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case subject, map, receiveOn, delay, callback, currentValue, share, twice
    case latest, dropping, joining, replaySubject, broadcast
    case retry, retryTwice, append, appended, prepended, caught, subscribeOn
    case merge, merged, mergeMany, flatMap, flatMapFirst, switchToLatest
    case combineLatest, zip, withLatestFrom, prefixUntil, dropUntil

    /// The chain, behind which the numbers come that are sent.
    func publisher(from subject: PassthroughSubject<Int, Never>, _ clock: TestScheduler) -> Upstream
    {
      switch self {
      case .subject: subject.eraseToAnyPublisher()
      case .map: subject.map { $0 }.filter { _ in true }.eraseToAnyPublisher()
      case .receiveOn: subject.receive(on: clock).eraseToAnyPublisher()
      case .delay: subject.delay(for: .seconds(1), scheduler: clock).eraseToAnyPublisher()
      case .callback:
        Publishers.Callback<Int, Never>(
          add: { handler in subject.sink { handler($0) } }, remove: { $0.cancel() }
        ).eraseToAnyPublisher()
      case .currentValue:
        {
          let current = CurrentValueSubject<Int, Never>(0)
          let link = subject.sink { current.send($0) }
          return current.dropFirst().handleEvents(receiveCancel: { link.cancel() })
            .eraseToAnyPublisher()
        }()
      case .share: subject.share().eraseToAnyPublisher()
      case .twice: subject.share().map { $0 }.share().eraseToAnyPublisher()
      case .latest: subject.share(replay: .latest).eraseToAnyPublisher()
      case .dropping:
        subject.share(backlog: .size(1, whenFull: .dropOldest)).eraseToAnyPublisher()
      case .joining:
        subject.share().joining(backlog: .size(1, whenFull: .rejoin)).eraseToAnyPublisher()
      case .replaySubject:
        Self.relay(subject) {
          ReplaySubject<Int, Never>(.latest)
        } into: {
          $0.send($1)
        } publisher: {
          $0
        }
      case .broadcast:
        Self.relay(subject) {
          Broadcast<Int, Never>(backlog: .size(1, whenFull: .dropNewest))
        } into: {
          $0.yield($1)
        } publisher: {
          $0.publisher
        }
      default: combined(subject, clock)
      }
    }

    /// Returns a publisher of another source, to which the subject's numbers are sent.
    private static func relay<Source: AnyObject, Values: Publisher<Int, Never>>(
      _ subject: PassthroughSubject<Int, Never>, to make: () -> Source,
      into send: @escaping @Sendable (Source, Int) -> Void,
      publisher: (Source) -> Values
    ) -> Upstream where Source: Sendable {
      let source = make()
      let link = subject.sink { send(source, $0) }
      return publisher(source).handleEvents(receiveCancel: { link.cancel() }).eraseToAnyPublisher()
    }

    private func combined(_ subject: PassthroughSubject<Int, Never>, _ clock: TestScheduler)
      -> Upstream
    {
      let none = Empty<Int, Never>(completeImmediately: false)
      let failing = Fail<Int, Broken>(error: Broken())
      return switch self {
      case .retry:
        failing.append(Empty()).catch { _ in subject }.retry(1).eraseToAnyPublisher()
      case .retryTwice:
        Deferred { () -> AnyPublisher<Int, Broken> in failing.eraseToAnyPublisher() }
          .retry(2).catch { _ in subject }.eraseToAnyPublisher()
      case .append: subject.append(0).eraseToAnyPublisher()
      case .appended: Empty<Int, Never>().append(subject).eraseToAnyPublisher()
      case .prepended: subject.prepend([Int]()).eraseToAnyPublisher()
      case .caught: failing.catch { _ in subject.map { $0 } }.eraseToAnyPublisher()
      case .subscribeOn: subject.subscribe(on: clock).eraseToAnyPublisher()
      case .merge: subject.merge(with: none).eraseToAnyPublisher()
      case .merged: none.merge(with: subject, none).eraseToAnyPublisher()
      case .mergeMany:
        Publishers.MergeMany([none.eraseToAnyPublisher(), subject.eraseToAnyPublisher()])
          .eraseToAnyPublisher()
      case .flatMap: Just(0).flatMap { _ in subject }.eraseToAnyPublisher()
      case .flatMapFirst: Just(0).flatMapFirst { _ in subject }.eraseToAnyPublisher()
      case .switchToLatest:
        Just(subject).append(none.map { _ in subject }).switchToLatest().eraseToAnyPublisher()
      case .combineLatest:
        subject.combineLatest(Just(0)).map { $0.0 }.eraseToAnyPublisher()
      case .zip: subject.zip((0...100).publisher).map { $0.0 }.eraseToAnyPublisher()
      case .withLatestFrom: subject.withLatestFrom(Just(0)).map { $0.0 }.eraseToAnyPublisher()
      case .prefixUntil: subject.prefix(untilOutputFrom: none).eraseToAnyPublisher()
      case .dropUntil: subject.drop(untilOutputFrom: Just(0)).eraseToAnyPublisher()
      default: subject.eraseToAnyPublisher()
      }
    }

    /// Whether it has several upstreams, and keeps itself what is not requested.
    var keepsValues: Bool {
      switch self {
      case .merge, .merged, .mergeMany, .flatMap, .flatMapFirst, .switchToLatest, .zip: true
      default: false
      }
    }

    var testDescription: String { rawValue }
  }

  private let subject = PassthroughSubject<Int, Never>()
  private let clock = TestScheduler()

  /// Sends ten numbers, and lets them come through the chain.
  private func sendTen(_ first: Int = 1) {
    for number in first..<first + 10 { subject.send(number) }
    clock.advance(by: .seconds(2))
  }

  @Test(arguments: Chain.allCases)
  func `B6, B5: a slow loop loses nothing that a subject sends, and is told so`(
    _ chain: Chain
  ) async {
    let shared = chain.publisher(from: subject, clock)
      .share(backlog: .size(2, whenFull: .wait))
    do {
      var loop = shared.deliveries().values.makeAsyncIterator()
      clock.advance(by: .seconds(2))
      #expect(await loop.next(isolation: nil) == .caughtUp)
      sendTen()
      if !chain.keepsValues { #expect(shared.status.subscribers.map(\.waiting) == [10]) }
      for number in 1...4 { #expect(await loop.next(isolation: nil) == .live(number)) }
      sendTen(11)
      for number in 5...20 { #expect(await loop.next(isolation: nil) == .live(number)) }
      #expect(shared.status.subscribers.map(\.missed) == [0])
    }
    // `subscribe(on:)` cancels in an action.
    clock.advance(by: .seconds(1))
  }

  @Test(arguments: Chain.allCases, [Replay<Int>.none, .latest, .all])
  func `B6: a slow subscriber loses nothing that a subject sends, and a fast one waits for none`(
    _ chain: Chain, replay: Replay<Int>
  ) {
    let shared = chain.publisher(from: subject, clock)
      .share(replay: replay, backlog: .size(2, whenFull: .wait))
    let fast = TestSubscriber<Int, Never>()
    let slow = TestSubscriber<Int, Never>(initialDemand: .none)
    shared.subscribe(fast)
    shared.subscribe(slow)
    clock.advance(by: .seconds(2))
    sendTen()
    #expect(slow.values == [])
    if !chain.keepsValues {
      #expect(fast.values == Array(1...10))
      #expect(shared.status.subscribers.map(\.waiting) == [0, 10])
    }
    slow.request(.max(3))
    #expect(slow.values == Array(1...3))
    slow.request(.unlimited)
    sendTen(11)
    #expect(slow.values == Array(1...20) && fast.values == slow.values)
    #expect(slow.violations == [])
    [fast, slow].forEach { $0.cancel() }
    clock.advance(by: .seconds(1))
  }

  @Test func `B6: a subscriber that joins with a wait of its own loses nothing either`() {
    let shared = subject.share(backlog: .size(2, whenFull: .wait))
    let slow = TestSubscriber<Int, Never>(initialDemand: .none)
    shared.joining(backlog: .size(1, whenFull: .wait)).subscribe(slow)
    sendTen()
    slow.request(.unlimited)
    #expect(slow.values == Array(1...10))
    slow.cancel()
  }

  @Test(arguments: [false, true])
  func `B6: a sequence is still asked only for what there is room for`(isMapped: Bool) {
    let source = TestPublisher<Int, Never>()
    let upstream =
      isMapped ? source.map { $0 }.eraseToAnyPublisher() : source.eraseToAnyPublisher()
    let shared = upstream.share(backlog: .size(2, whenFull: .wait))
    let slow = TestSubscriber<Int, Never>(initialDemand: .none)
    shared.subscribe(slow)
    #expect(source.requests == [.max(2)])
    let asked = Shared(0)
    let numbers = (1...20).publisher.handleEvents(receiveOutput: { _ in asked.increment() })
      .share(backlog: .size(2, whenFull: .wait))
    let slower = TestSubscriber<Int, Never>(initialDemand: .none)
    numbers.subscribe(slower)
    #expect(asked.value == 2)
    slower.request(.max(2))
    #expect(slower.values == [1, 2])
    #expect(asked.value == 4)
    [slow, slower].forEach { $0.cancel() }
  }

  @Test func `B6: beside a subject a sequence is still asked only for what there is room for`() {
    let asked = Shared(0)
    let numbers = (1...100).publisher.handleEvents(receiveOutput: { _ in asked.increment() })
    let chains: [(Upstream, most: Int)] = [
      (numbers.merge(with: subject).eraseToAnyPublisher(), 6),
      (numbers.zip(subject).map { $0.1 }.eraseToAnyPublisher(), 2),
      (Just(0).flatMap { [subject] _ in numbers.merge(with: subject) }.eraseToAnyPublisher(), 6),
    ]
    for (chain, most) in chains {
      asked.value = 0
      let slow = TestSubscriber<Int, Never>(initialDemand: .none)
      chain.share(backlog: .size(2, whenFull: .wait)).subscribe(slow)
      sendTen(101)
      #expect(asked.value <= most)
      slow.request(.unlimited)
      #expect(slow.values.filter { $0 > 100 } == Array(101...110))
      slow.cancel()
    }
  }
}
