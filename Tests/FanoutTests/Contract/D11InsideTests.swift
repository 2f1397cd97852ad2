// `@unchecked Sendable` invariant: a test's cache is reached by one thread at a time (D11).

import Fanout
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// The replay that a value's `deinit` or a closure of the policy reads (D11).
struct D11InsideTests {
  enum Memory: CaseIterable, Sendable {
    case latest, last, cost, age, key, keyframe, headed

    func replay(_ clock: TestScheduler) -> Replay<Token> {
      switch self {
      case .latest: .latest
      case .last: .last(2)
      case .cost: .last(.cost(2) { _ in 1 }, .count(9))
      case .age: .last(.max, within: .seconds(10), clock: clock)
      case .key: .latest { $0.id % 2 }
      case .keyframe: .sinceKeyframe { $0.id % 3 == 0 }
      case .headed: .last(2).headed { $0.id == 1 ? 1 : nil }
      }
    }
  }

  @Test(arguments: Memory.allCases)
  func `D11: the deinit of a value that the replay drops reads the replay without it`(
    memory: Memory
  ) {
    let clock = TestScheduler()
    let source = PassthroughSubject<Token, Never>()
    let shared = source.share(replay: memory.replay(clock))
    let sink = shared.sink { _ in }
    let read = Notes<[Int]>()
    let counts = Notes<Int>()
    var expected: [[Int]] = []
    for id in 0..<9 {
      let known = read.count
      source.send(
        Token(id) {
          read.append(shared.replayed.map(\.id))
          counts.append(shared.status.cached ?? -1)
        })
      // What has been dropped has read what a newcomer would get now.
      let now = shared.replayed.map(\.id)
      expected += Array(repeating: now, count: read.count - known)
      clock.advance(by: .seconds(4))
    }
    #expect(read.count > 3)
    #expect(read.all == expected)
    #expect(counts.all == expected.map(\.count))
    sink.cancel()
  }

  @Test func `D11: a closure of the policy reads the replay before its value`() {
    let source = PassthroughSubject<Int, Never>()
    let read = Notes<[Int]>()
    let look = Shared<(@Sendable () -> Void)?>(nil)
    let shared = source.share(
      replay: .sinceKeyframe(
        limit: .cost(100) { _ in
          look.value?()
          return 1
        }
      ) { value in
        look.value?()
        return value % 3 == 0
      })
    let sink = shared.sink { _ in }
    look.value = { read.append(shared.replayed) }
    for value in 0..<5 { source.send(value) }
    look.value = nil
    #expect(read.all == [[], [], [0], [0], [0, 1], [0, 1], [0, 1, 2], [0, 1, 2], [3], [3]])
    sink.cancel()
  }

  @Test func `D11: the closure that knows a key reads the replay before its value`() {
    let source = PassthroughSubject<Int, Never>()
    let read = Notes<[Int]>()
    let look = Shared<(@Sendable () -> Void)?>(nil)
    let shared = source.share(
      replay: .latest { value in
        look.value?()
        return value % 2
      })
    let sink = shared.sink { _ in }
    look.value = {
      read.append(shared.replayed)
      #expect(shared.status.cached == shared.replayed.count)
    }
    for value in 0..<4 { source.send(value) }
    look.value = nil
    #expect(read.all == [[], [0], [0, 1], [1, 2]])
    sink.cancel()
  }

  private final class AskingCache: ReplayCache, @unchecked Sendable {
    private var values: [Int] = []
    private let whenRecorded: @Sendable () -> Void

    init(_ whenRecorded: @escaping @Sendable () -> Void) { self.whenRecorded = whenRecorded }

    func record(_ value: Int) {
      whenRecorded()
      values.append(value)
    }

    var contents: [Int] { values }
  }

  @Test func `D11: inside record of a cache the replay is empty`() {
    let source = PassthroughSubject<Int, Never>()
    let read = Notes<[Int]>()
    let look = Shared<(@Sendable () -> Void)?>(nil)
    let shared = source.share(replay: .custom { AskingCache { look.value?() } })
    let sink = shared.sink { _ in }
    look.value = { read.append(shared.replayed + [shared.status.cached ?? -1]) }
    source.send(1)
    source.send(2)
    look.value = nil
    #expect(read.all == [[0], [0]])
    #expect(shared.replayed == [1, 2])
    sink.cancel()
  }

  /// How a value comes to the receiver that reads the replay.
  enum Way: CaseIterable, Sendable {
    case straight, besideOneThatLags, onRequest, nested
  }

  @Test(arguments: Way.allCases)
  func `D11: a receiver reads the contents of a cache on the thread that delivers`(way: Way) {
    let subject = ReplaySubject<Int, Never>(.latest { $0 % 10 })
    let read = Notes<[Int]>()
    let reader = TestSubscriber<Int, Never>(initialDemand: way == .onRequest ? .none : .unlimited)
    let lagging = TestSubscriber<Int, Never>(initialDemand: .none)
    if way == .besideOneThatLags { subject.subscribe(lagging) }
    let sink = subject.handleEvents(receiveOutput: { value in
      read.append(subject.replayed)
      #expect(subject.status.cached == read.all.last?.count)
      if way == .nested, value == 1 { subject.send(2) }
    })
    sink.subscribe(reader)
    subject.send(1)
    if way != .nested { subject.send(2) }
    if way == .onRequest { reader.request(.unlimited) }
    #expect(read.all == (way == .onRequest ? [[1, 2], [1, 2]] : [[1], [1, 2]]))
    reader.cancel()
    lagging.cancel()
  }

  @Test(arguments: [true, false])
  func `D11: the deinit of a value that is dropped for a loop reads the replay`(
    isCache: Bool
  ) {
    let source = PassthroughSubject<Token, Never>()
    let shared = source.share(
      replay: isCache ? .latest { _ in 0 } : .last(1),
      backlog: .limit(.cost(2) { _ in 1 }, whenFull: .dropOldest))
    let read = Notes<[Int]>()
    let loop = shared.values.makeAsyncIterator()
    for id in 0..<5 {
      source.send(Token(id) { read.append(shared.replayed.map(\.id)) })
    }
    // Each is dropped when the second one behind it comes, before that is recorded.
    #expect(read.all == [[1], [2], [3]])
    withExtendedLifetime(loop) {}
  }

  /// A backlog under which a loop drops or misses values.
  enum Dropping: CaseIterable, Sendable {
    case oldest, newest, error, rejoin, await, conflate, wait

    func backlog(_ clock: TestScheduler) -> Backlog<Token, Failure> {
      switch self {
      case .oldest: .size(2, whenFull: .dropOldest)
      case .newest: .size(2, whenFull: .dropNewest)
      case .error: .size(2, whenFull: .customError { Failure() })
      case .rejoin, .await: .size(2, whenFull: .rejoin)
      case .conflate: .size(2, whenFull: .conflate { $0.id % 2 })
      case .wait:
        .size(2, whenFull: .wait(atMost: .seconds(1), scheduler: clock, then: .dropOldest))
      }
    }
  }

  struct Failure: Error {}

  @Test(arguments: Dropping.allCases, [true, false])
  func `D11: whatever a loop drops or misses is released with no lock held`(
    dropping: Dropping, isTold: Bool
  ) {
    let clock = TestScheduler()
    let source = PassthroughSubject<Token, Failure>()
    let shared = source.share(
      replay: dropping == .await ? .sinceKeyframe { $0.id % 50 == 0 } : .last(1),
      backlog: dropping == .wait ? dropping.backlog(clock) : nil)
    let values = shared.values.joining(
      backlog: dropping == .wait ? nil : dropping.backlog(clock))
    let loop = isTold ? nil : values.makeAsyncIterator()
    let told = isTold ? values.deliveries().makeAsyncIterator() : nil
    let released = Notes<Int>()
    for id in 1..<9 {
      // Asks for the lock under which loops are served.
      source.send(
        Token(id) {
          _ = shared.status
          released.append(id)
        })
      clock.advance(by: .seconds(2))
      if id == 4 { shared.clearReplay() }
    }
    #expect(released.count > 2)
    withExtendedLifetime((loop, told)) {}
  }

  @Test func `D11: without a replay no value is cached, whoever reads`() {
    let source = PassthroughSubject<Int, Never>()
    let shared = source.share(backlog: .size(2, whenFull: .dropOldest))
    let counts = Notes<Int?>()
    let sink = shared.sink { _ in counts.append(shared.status.cached) }
    source.send(1)
    #expect(counts.all == [0])
    sink.cancel()
  }
}
