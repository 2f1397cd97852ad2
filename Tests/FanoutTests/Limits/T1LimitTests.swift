import Fanout
import FanoutTestSupport
import TestFixtures
import Testing

/// Replays with limits of the cost and the age, together and alone.
struct T1LimitTests {
  private let clock = TestScheduler()
  private let source = PassthroughSubject<Int, Never>()

  private func late(_ shared: some Publisher<Int, Never>) -> [Int] {
    let subscriber = TestSubscriber<Int, Never>()
    shared.subscribe(subscriber)
    defer { subscriber.cancel() }
    return subscriber.values
  }

  @Test func `L9: the last values within a cost, a number and an age`() {
    let shared = source.share(
      replay: .last(.count(3), .cost(10) { $0 }, .age(.seconds(5), clock: clock)))
    let keeping = shared.sink { _ in }
    for value in [1, 2, 3, 4] { source.send(value) }
    #expect(late(shared) == [2, 3, 4])
    source.send(5)
    #expect(late(shared) == [4, 5])
    source.send(11)
    #expect(late(shared) == [])
    source.send(7)
    clock.advance(by: .seconds(5))
    #expect(late(shared) == [7])
    clock.advance(by: .seconds(1))
    #expect(late(shared) == [])
    keeping.cancel()
  }

  @Test
  func `T1: a keyframe that is too old is replayed to nobody, and a newcomer waits for the next`() {
    let shared = source.share(
      replay: .sinceKeyframe(limit: .age(.seconds(5), clock: clock)) { $0 % 10 == 0 })
    let keeping = shared.sink { _ in }
    for value in [10, 11] { source.send(value) }
    clock.advance(by: .seconds(5))
    #expect(late(shared) == [10, 11])
    #expect(shared.replayed == [10, 11])
    clock.advance(by: .seconds(1))
    #expect(shared.status.cached == 0)
    #expect(shared.replayed == [])
    let newcomer = TestSubscriber<Int, Never>()
    shared.subscribe(newcomer)
    let loop = TestSubscriber<Int, Never>()
    shared.joining(.after { $0 == 10 }, backlog: .unbounded).subscribe(loop)
    source.send(12)
    #expect(newcomer.values == [])
    source.send(20)
    source.send(21)
    #expect(newcomer.values == [20, 21])
    // The value behind which it wanted to join is not known any more.
    #expect(loop.values == [12, 20, 21])
    for subscriber in [newcomer, loop] { subscriber.cancel() }
    keeping.cancel()
  }

  @Test func `T1, O6: a replay that is too old is released with the next value`() {
    let source = PassthroughSubject<Token, Never>()
    let shared = source.share(
      replay: .sinceKeyframe(limit: .age(.seconds(1), clock: clock)) { $0.id == 0 })
    let keeping = shared.sink { _ in }
    func send(_ id: Int) -> WeakReference {
      let token = Token(id)
      source.send(token)
      return WeakReference(token)
    }
    let first = send(0)
    clock.advance(by: .seconds(2))
    #expect(first.isAlive)
    let second = send(1)
    #expect(!first.isAlive)
    #expect(!second.isAlive)
    keeping.cancel()
  }

  @Test
  func
    `B3: what is too old is dropped when the subscriber asks, with the value that comes, and is told`()
  {
    let shared = source.share(
      backlog: .limit(.age(.seconds(5), clock: clock), whenFull: .dropOldest))
    let slow = TestSubscriber<Delivery<Int>, Never>(initialDemand: .none)
    shared.deliveries().subscribe(slow)
    for value in 1...3 {
      source.send(value)
      clock.advance(by: .seconds(3))
    }
    // The first is nine seconds old, the second six.
    slow.request(.max(3))
    #expect(slow.values == [.caughtUp, .missed(2), .live(3)])
    source.send(4)
    clock.advance(by: .seconds(6))
    source.send(5)
    slow.request(.max(2))
    #expect(slow.values.suffix(2) == [.missed(1), .live(5)])
    slow.cancel()
  }
}
