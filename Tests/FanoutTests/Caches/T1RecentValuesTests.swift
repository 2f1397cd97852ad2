import Fanout
import FanoutTestSupport
import TestFixtures
import Testing

struct T1RecentValuesTests {
  private let clock = TestScheduler()
  private let source = PassthroughSubject<Int, Never>()

  private func late(_ shared: some Publisher<Int, Never>) -> [Int] {
    let subscriber = TestSubscriber<Int, Never>()
    shared.subscribe(subscriber)
    defer { subscriber.cancel() }
    return subscriber.values
  }

  @Test func `T1: a newcomer gets what is not too old when it joins`() async {
    let shared = source.share(replay: .last(within: .seconds(10), clock: clock))
    let keeping = shared.sink { _ in }
    for second in 0..<30 {
      source.send(second)
      let oldest = max(0, second - 10)
      #expect(late(shared) == Array(oldest...second))
      clock.advance(by: .seconds(1))
    }
    // The newest value was sent a second ago, and the oldest that counts nine seconds before it.
    clock.advance(by: .seconds(8))
    #expect(late(shared) == [28, 29])
    clock.advance(by: .seconds(1))
    var loop = shared.values.makeAsyncIterator()
    #expect(await loop.next() == 29)
    #expect(late(shared) == [29])
    clock.advance(by: .nanoseconds(1))
    #expect(late(shared) == [])
    source.send(30)
    #expect(late(shared) == [30])
    keeping.cancel()
  }

  @Test func `T1: the count limits it too`() {
    let shared = source.share(replay: .last(3, within: .seconds(10), clock: clock))
    let keeping = shared.sink { _ in }
    for value in 1...100 { source.send(value) }
    #expect(late(shared) == [98, 99, 100])
    clock.advance(by: .seconds(11))
    #expect(late(shared) == [])
    keeping.cancel()
  }

  @Test func `T1, O6: an old value is released at the next record and at the next join`() {
    let source = PassthroughSubject<Token, Never>()
    let shared = source.share(replay: .last(within: .seconds(1), clock: clock))
    let keeping = shared.sink { _ in }
    func send() -> WeakReference {
      let token = Token()
      source.send(token)
      return WeakReference(token)
    }
    let first = send()
    clock.advance(by: .seconds(2))
    #expect(first.isAlive)
    let second = send()
    #expect(!first.isAlive && second.isAlive)
    clock.advance(by: .seconds(2))
    shared.sink { _ in }.cancel()
    #expect(!second.isAlive)
    keeping.cancel()
  }

  @Test(arguments: [true, false])
  func `T1: a count below 1 and a negative time trap`(isCount: Bool) async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [isCount] in
      let clock = TestScheduler()
      _ =
        isCount
        ? Replay<Int>.last(0, within: .seconds(1), clock: clock)
        : Replay<Int>.last(within: .seconds(-1), clock: clock)
    }
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(text.contains("pass a count of 1 or more and a time of 0 or more"))
  }
}
