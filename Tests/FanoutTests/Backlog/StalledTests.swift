import Fanout
import FanoutTestSupport
import TestFixtures
import Testing

/// A subscriber that has requested nothing, while values go by.
struct StalledTests {
  enum Kind: CaseIterable, Sendable {
    case unbounded, dropOldest, dropNewest, rejoin

    func backlog<Value>() -> Backlog<Value, Never> {
      switch self {
      case .unbounded: .unbounded
      case .dropOldest: .size(2, whenFull: .dropOldest)
      case .dropNewest: .size(2, whenFull: .dropNewest)
      case .rejoin: .size(2, whenFull: .rejoin)
      }
    }
  }

  private let source = PassthroughSubject<Int, Never>()

  private func slow() -> TestSubscriber<Int, Never> { TestSubscriber(initialDemand: .none) }

  @Test(arguments: [
    (Kind.unbounded, [1, 2, 3, 4, 5, 6]), (.dropOldest, [3, 5, 6]), (.dropNewest, [1, 2, 5]),
    (.rejoin, [4, 5, 6]),
  ])
  func `B1, B2: a request that comes in front of its turn counts for the value`(
    kind: Kind, expected: [Int]
  ) {
    let shared = source.share(backlog: kind.backlog())
    let slow = slow()
    let fast = shared.sink { if $0 == 5 { slow.request(.max(1)) } }
    shared.subscribe(slow)
    for value in 1...6 { source.send(value) }
    slow.request(.unlimited)
    #expect(slow.values == expected)
    #expect(slow.violations == [])
    fast.cancel()
    slow.cancel()
  }

  @Test(arguments: [
    (Kind.unbounded, [1, 2, 3, 4, 5, 6]), (.dropOldest, [4, 5, 6]), (.dropNewest, [1, 2, 6]),
    (.rejoin, [4, 5, 6]),
  ])
  func `B1, B2: a request that comes behind its turn does not`(kind: Kind, expected: [Int]) {
    let shared = source.share(backlog: kind.backlog())
    let slow = slow()
    shared.subscribe(slow)
    let fast = shared.sink { if $0 == 5 { slow.request(.max(1)) } }
    for value in 1...6 { source.send(value) }
    slow.request(.unlimited)
    #expect(slow.values == expected)
    #expect(slow.violations == [])
    fast.cancel()
    slow.cancel()
  }

  @Test func `B1, B2: several that request in front of their turn each have their own window`() {
    let shared = source.share(backlog: .size(2, whenFull: .dropOldest))
    let slow = (0..<3).map { _ in self.slow() }
    let fast = shared.sink { if $0 == 5 { slow.forEach { $0.request(.max(1)) } } }
    slow.forEach { shared.subscribe($0) }
    for value in 1...6 { source.send(value) }
    slow.forEach { $0.request(.unlimited) }
    #expect(slow.map(\.values) == Array(repeating: [3, 5, 6], count: 3))
    #expect(slow.flatMap(\.violations) == [])
    fast.cancel()
    slow.forEach { $0.cancel() }
  }

  @Test(arguments: [false, true])
  func `B3: as much is kept as the largest backlog of those that lag, and no more`(
    isBesidePaced: Bool
  ) {
    let live = Shared(0)
    let source = PassthroughSubject<Token, Never>()
    let shared = source.share(replay: .last(1))
    func lagging(_ size: Int) -> TestSubscriber<Int, Never> {
      let slow = self.slow()
      shared.joining(backlog: .size(size, whenFull: .dropOldest)).map(\.id).subscribe(slow)
      return slow
    }
    var next = 0
    func send(_ count: Int) {
      for _ in 0..<count {
        next += 1
        live.change { $0 += 1 }
        source.send(Token(next) { live.change { $0 -= 1 } })
      }
    }
    // One that has credit left is never stalled, and lets each value go the careful way.
    let paced = Subscribers.Sink<Token, Never>(receiveCompletion: { _ in }, receiveValue: { _ in })
    let limited = TestSubscriber<Int, Never>(initialDemand: .max(1000))
    if isBesidePaced {
      shared.map(\.id).subscribe(limited)
    } else {
      shared.subscribe(paced)
    }
    let (small, large) = (lagging(2), lagging(5))
    send(20)
    #expect(live.value == 5)
    small.request(.max(1))
    send(1)
    #expect(small.values == [19])
    #expect(live.value == 5)
    large.cancel()
    #expect(live.value == 2)
    let late = lagging(3)
    send(10)
    // The replay of the late one is owed to it beside its window.
    #expect(live.value == 4)
    late.request(.unlimited)
    small.request(.unlimited)
    #expect(late.values == [21, 29, 30, 31])
    #expect(small.values == [19, 30, 31])
    #expect(live.value == 1)
    #expect(small.violations + late.violations == [])
    [small, late, limited].forEach { $0.cancel() }
    paced.cancel()
  }

  @Test(arguments: Kind.allCases)
  func `B1: the accounts are exact at each value, from the first look on`(kind: Kind) {
    let shared = source.share(backlog: kind.backlog())
    let (fast, slow) = (shared.sink { _ in }, slow())
    shared.joining(backlog: kind.backlog(), label: "slow").subscribe(slow)
    for value in 1...9 { source.send(value) }
    for accepted in 9...14 {
      let account = shared.status.subscribers.first { $0.label == "slow" }
      #expect((account?.waiting ?? 0) + (account?.missed ?? 0) == accepted)
      source.send(accepted + 1)
    }
    fast.cancel()
    slow.cancel()
  }

  @Test(arguments: Kind.allCases)
  func `D9, B1: the end comes behind what waits`(kind: Kind) {
    let shared = source.share(backlog: kind.backlog())
    let (fast, slow) = (shared.sink { _ in }, slow())
    shared.subscribe(slow)
    for value in 1...9 { source.send(value) }
    source.send(completion: .finished)
    #expect(slow.completion == nil || kind == .rejoin)
    slow.request(.unlimited)
    let expected: [Int] =
      switch kind {
      case .unbounded: Array(1...9)
      case .dropOldest: [8, 9]
      case .dropNewest: [1, 2]
      case .rejoin: []
      }
    #expect(slow.values == expected)
    #expect(slow.completion == .finished)
    fast.cancel()
    slow.cancel()
  }

  @Test(arguments: Kind.allCases)
  func `D7: a cancel while values go by releases what waits`(kind: Kind) {
    let live = Shared(0)
    let source = PassthroughSubject<Token, Never>()
    let shared = source.share(backlog: kind.backlog())
    let slow = TestSubscriber<Int, Never>(initialDemand: .none)
    let fast = shared.sink { if $0.id == 5 { slow.cancel() } }
    shared.map(\.id).subscribe(slow)
    for number in 1...7 {
      live.change { $0 += 1 }
      source.send(Token(number) { live.change { $0 -= 1 } })
    }
    #expect(live.value == 0)
    #expect(slow.values == [])
    fast.cancel()
  }
}
