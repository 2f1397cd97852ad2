import Fanout
import FanoutTestSupport
import TestFixtures
import Testing

/// A backlog that waits, behind a source that cannot wait: what comes waits beyond the limit.
struct B6SubjectTests {
  typealias Upstream = AnyPublisher<Int, Never>

  enum Chain: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case subject, map, receiveOn, delay, callback, currentValue, share, twice

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
    var loop = shared.deliveries().values.makeAsyncIterator()
    clock.advance(by: .seconds(2))
    #expect(await loop.next(isolation: nil) == .caughtUp)
    sendTen()
    #expect(shared.status.subscribers.map(\.waiting) == [10])
    for number in 1...4 { #expect(await loop.next(isolation: nil) == .live(number)) }
    sendTen(11)
    for number in 5...20 { #expect(await loop.next(isolation: nil) == .live(number)) }
    #expect(shared.status.subscribers.map(\.missed) == [0])
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
    sendTen()
    #expect(fast.values == Array(1...10))
    #expect(slow.values == [])
    #expect(shared.status.subscribers.map(\.waiting) == [0, 10])
    slow.request(.max(3))
    #expect(slow.values == Array(1...3))
    slow.request(.unlimited)
    sendTen(11)
    #expect(slow.values == Array(1...20))
    #expect(slow.violations == [])
    [fast, slow].forEach { $0.cancel() }
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
}
