import Fanout
import FanoutTestSupport
import TestFixtures
import Testing

/// What headers cost that wait, and how old they are.
struct B3HeaderTests {
  enum Memory: CaseIterable, Sendable {
    case none, last, undelivered

    var replay: Replay<Int> {
      switch self {
      case .none: .none
      case .last: .last(1)
      case .undelivered: .undelivered(1)
      }
    }
  }

  private func values(
    _ replay: Replay<Int>, _ sent: [Int], cost: @escaping @Sendable (Int) -> Int
  ) -> [[Int]] {
    let source = PassthroughSubject<Int, Never>()
    let shared = source.share(
      replay: replay.headed { $0 < 10 ? $0 : nil },
      backlog: .limit(.cost(4, of: cost), whenFull: .rejoin))
    let slow = TestSubscriber<Int, Never>(initialDemand: .none)
    shared.subscribe(slow)
    let selecting = TestSubscriber<Int, Never>(initialDemand: .none)
    shared.joining(where: { $0 > 0 }).subscribe(selecting)
    for value in sent { source.send(value) }
    for subscriber in [slow, selecting] {
      subscriber.request(.unlimited)
      subscriber.cancel()
    }
    return [slow.values, selecting.values]
  }

  @Test(arguments: Memory.allCases)
  func `B3, B4: a header with which a subscriber goes on costs what it costs`(memory: Memory) {
    // Under `.last` a newcomer starts with the newest value, whatever that costs.
    let dear = values(memory.replay, [1, 12, 13]) { $0 < 10 ? 3 : 2 }
    let left = memory == .last ? [1, 13] : [1]
    #expect(dear == [left, left])
    let cheap = values(memory.replay, [1, 12, 13, 14]) { $0 < 10 ? 1 : 3 }
    #expect(cheap == [[1, 14], [1, 14]])
  }

  @Test func `B3, T1: a header with which a subscriber goes on is as old as it is`() {
    let clock = TestScheduler()
    let source = PassthroughSubject<Int, Never>()
    let shared = source.share(
      replay: .none.headed { $0 < 10 ? 0 : nil },
      backlog: .limit(.count(2), .age(.seconds(5), clock: clock), whenFull: .rejoin))
    let slow = TestSubscriber<Int, Never>(initialDemand: .none)
    shared.subscribe(slow)
    source.send(1)
    clock.advance(by: .seconds(4))
    for value in [12, 13] { source.send(value) }
    clock.advance(by: .seconds(2))
    source.send(14)
    slow.request(.unlimited)
    #expect(slow.values == [1])
    slow.cancel()
  }

  @Test func `B3, L9: headers behind values of an earlier connection cost what they cost`() {
    let source = PassthroughSubject<Int, Never>()
    let shared = source.share(
      replay: .sinceKeyframe(fromBeginning: false) { $0 >= 20 }.headed { $0 < 10 ? $0 : nil },
      backlog: .limit(.cost(10) { $0 < 10 ? 5 : 2 }, whenFull: .dropOldest))
    let slow = TestSubscriber<Int, Never>(initialDemand: .none)
    shared.subscribe(slow)
    let selecting = TestSubscriber<Int, Never>(initialDemand: .none)
    shared.joining(where: { $0 > 0 }).subscribe(selecting)
    for value in [20, 21] { source.send(value) }
    shared.reconnect()
    for value in [1, 2, 22] { source.send(value) }
    for subscriber in [slow, selecting] {
      subscriber.request(.unlimited)
      #expect(subscriber.values == [2, 22])
      subscriber.cancel()
    }
  }

  @Test func `B3, L9: headers that are conflated leave no measure behind`() {
    let source = PassthroughSubject<Int, Never>()
    let shared = source.share(
      replay: .sinceKeyframe(fromBeginning: false) { $0 >= 20 }.headed { $0 < 10 ? $0 : nil },
      backlog: .limit(
        .cost(10) { $0 < 10 ? 9 : $0 < 40 ? 6 : 1 }, whenFull: .conflate { $0 < 10 ? 0 : $0 }))
    let slow = TestSubscriber<Int, Never>(initialDemand: .none)
    shared.subscribe(slow)
    for value in [20, 21] { source.send(value) }
    slow.request(.max(1))
    shared.reconnect()
    for value in [1, 2, 3, 4, 5, 20] { source.send(value) }
    slow.request(.max(3))
    #expect(slow.values == [20, 21, 5, 20])
    for value in [40, 40] { source.send(value) }
    slow.request(.unlimited)
    #expect(slow.values == [20, 21, 5, 20, 40, 40])
    slow.cancel()
  }

  @Test func `B3, B6: headers that come when a wait is over find no room`() {
    let clock = TestScheduler()
    let source = PassthroughSubject<Int, NumberedError>()
    let shared = source.share(
      replay: .sinceKeyframe(fromBeginning: false) { $0 >= 20 }.headed { $0 < 10 ? $0 : nil },
      backlog: .size(
        2,
        whenFull: .wait(
          atMost: .seconds(1), scheduler: clock, then: .customError { NumberedError(7) })))
    let slow = TestSubscriber<Int, NumberedError>(initialDemand: .none)
    shared.subscribe(slow)
    for value in [20, 21] { source.send(value) }
    clock.advance(by: .seconds(1))
    shared.reconnect()
    for value in [1, 2, 22] { source.send(value) }
    slow.request(.unlimited)
    #expect(slow.values == [20, 21])
    #expect(slow.completion == .failure(NumberedError(7)))
    slow.cancel()
    clock.advance(by: .seconds(2))
  }

  @Test func `B3, L9: headers that wait behind such headers count too`() {
    let source = PassthroughSubject<Int, Never>()
    let shared = source.share(
      replay: .sinceKeyframe(fromBeginning: false) { $0 >= 20 }.headed { $0 < 10 ? $0 : nil },
      backlog: .size(1, whenFull: .conflate { $0 < 10 ? 0 : 1 }))
    let slow = TestSubscriber<Int, Never>(initialDemand: .none)
    shared.subscribe(slow)
    source.send(20)
    shared.reconnect()
    source.send(1)
    shared.clearReplay()
    slow.request(.max(1))
    source.send(2)
    shared.clearReplay()
    slow.request(.unlimited)
    #expect(slow.values == [20, 2])
    slow.cancel()
  }
}
