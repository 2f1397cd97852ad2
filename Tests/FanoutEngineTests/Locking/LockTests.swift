import FanoutEngine
import TestThreads
import Testing

private final class Tally: Sendable {
  let lock = Lock(0)
}

struct LockTests {
  @Test func `hands out what its body returns, also what is not Sendable`() {
    final class Plain { var count = 0 }
    let lock = Lock<[Plain]>([])
    let plain = lock.withLock { list -> Plain in
      list.append(Plain())
      return list[0]
    }
    plain.count += 1
    #expect(lock.withLock { $0.map(\.count) } == [1])
  }
}

struct LockRaceTests {
  @Test func `lets one thread at a time change its state`() {
    let tally = Tally()
    let count: @Sendable () -> Void = { for _ in 0..<5000 { tally.lock.withLock { $0 += 1 } } }
    #expect(race(count, count, count))
    #expect(tally.lock.withLock { $0 } == 15000)
  }
}
