import Fanout
import FanoutTestSupport
import TestFixtures
import Testing

struct LatestByKeyTests {
  @Test(arguments: [1, 2, 7, 40])
  func `a newcomer gets the newest of each key, in the order of their arrival`(keys: Int) {
    let source = PassthroughSubject<Int, Never>()
    let shared = source.share(replay: .latest { $0 % keys })
    let early = TestSubscriber<Int, Never>()
    shared.subscribe(early)
    var chance = SeededChance(seed: UInt64(keys))
    var sent: [Int] = []
    for _ in 0..<400 {
      sent.append(Int.random(in: 0..<1_000, using: &chance))
      source.send(sent[sent.count - 1])
      let late = TestSubscriber<Int, Never>()
      shared.subscribe(late)
      let expected = sent.enumerated().filter { place, value in
        !sent[(place + 1)...].contains { $0 % keys == value % keys }
      }
      #expect(late.values == expected.map(\.element))
      late.cancel()
    }
    #expect(early.values == sent)
    early.cancel()
  }

  @Test func `O6: a value that was replaced is released at once`() {
    let source = PassthroughSubject<Token, Never>()
    let shared = source.share(replay: .latest { $0.id })
    let keeping = shared.sink { _ in }
    let watches = [1, 2, 1, 1, 3].map { id -> WeakReference in
      let token = Token(id)
      source.send(token)
      return WeakReference(token)
    }
    #expect(watches.map { $0.isAlive } == [false, true, false, true, true])
    keeping.cancel()
    #expect(!watches.contains { $0.isAlive })
  }

  @Test func `L2: the next connection knows no key of the last one`() {
    let source = PassthroughSubject<Int, Never>()
    let shared = source.share(replay: .latest { $0 % 2 })
    let first = shared.sink { _ in }
    source.send(1)
    first.cancel()
    let second = TestSubscriber<Int, Never>()
    shared.subscribe(second)
    #expect(second.values == [])
    second.cancel()
  }
}
