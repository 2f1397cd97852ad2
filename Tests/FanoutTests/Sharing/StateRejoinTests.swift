import Fanout
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// A shared state with subscribers that are too slow, and start again from a snapshot.
struct StateRejoinTests {
  private let source = PassthroughSubject<Int, Broken>()
  private let slow = ListSubscriber(initialDemand: .none)

  @Test func `B4: a laggard gets one new snapshot, and then later changes`() {
    let shared = source.shareList(backlog: .size(2, whenFull: .rejoin))
    shared.subscribe(slow)
    // Two changes wait behind the first snapshot, which is owed and does not count. The next change is too much:
    // it is part of the new snapshot, which counts.
    (1...2).forEach(source.send)
    source.send(3)
    source.send(4)
    slow.request(.max(1))
    #expect(slow.values == [.snapshot([1, 2, 3])])
    slow.request(.max(1))
    #expect(slow.values == [.snapshot([1, 2, 3]), .change(4)])
    // Three wait, without a snapshot among them.
    (5...7).forEach(source.send)
    source.send(8)
    slow.request(.unlimited)
    #expect(slow.values.suffix(2) == [.snapshot([1, 2, 3, 4, 5, 6, 7]), .change(8)])
    #expect(slow.follows(Array(1...8)))
    #expect(slow.violations == [])
    slow.cancel()
  }

  @Test func `B3, B4: as long as nobody reads, one snapshot and later changes wait`() {
    let taken = Notes<Int>()
    let shared = source.share(
      reducingInto: Snapshots(taken), backlog: .size(4, whenFull: .rejoin)
    ) { $0.add($1) }
    let slow = TestSubscriber<StateUpdate<Snapshots, Int>, Broken>(initialDemand: .none)
    shared.subscribe(slow)
    for number in 1...41 { source.send(number) }
    // The storage is copied after a snapshot only: once after the first one, which does not count among the four
    // that wait, and then every fourth time.
    #expect(taken.all == [1] + stride(from: 6, through: 38, by: 4))
    slow.request(.unlimited)
    #expect(slow.values.count == 1)
    slow.cancel()
  }

  @Test func `B4, D9: the end comes behind the snapshot and the changes that wait`() {
    let shared = source.shareList(backlog: .size(2, whenFull: .rejoin))
    shared.subscribe(slow)
    (1...4).forEach(source.send)
    source.send(completion: .failure(Broken()))
    #expect(slow.events == [.subscription])
    slow.request(.max(1))
    #expect(slow.values == [.snapshot([1, 2, 3])])
    #expect(slow.completion == nil)
    slow.request(.max(1))
    #expect(slow.values == [.snapshot([1, 2, 3]), .change(4)])
    #expect(slow.completion == .failure(Broken()))
  }

  @Test func `B2: a laggard changes nothing for the others`() {
    let shared = source.shareList(backlog: .size(1, whenFull: .rejoin))
    let fast = ListSubscriber()
    shared.subscribe(slow)
    shared.subscribe(fast)
    (1...9).forEach(source.send)
    #expect(fast.values == [.snapshot([])] + (1...9).map { .change($0) })
    slow.request(.unlimited)
    #expect(slow.values == [.snapshot(Array(1...9))])
    fast.cancel()
    slow.cancel()
  }

  @Test func `B4: who is still being told of its subscription starts again as well`() {
    let source = source
    let shared = source.shareList(backlog: .size(2, whenFull: .rejoin))
    let keeping = ListSubscriber()
    shared.subscribe(keeping)
    source.send(1)
    let told = ListSubscriber(
      initialDemand: .none, whenSubscribed: { _ in (2...6).forEach(source.send) })
    shared.subscribe(told)
    source.send(7)
    told.request(.unlimited)
    #expect(told.values == [.snapshot(Array(1...6)), .change(7)])
    keeping.cancel()
    told.cancel()
  }

  @Test func `D3, B4: a laggard that asks and sends inside receive`() {
    let source = source
    let shared = source.shareList(backlog: .size(1, whenFull: .rejoin))
    // The first subscriber connects: what is sent before that reaches nobody.
    let keeping = ListSubscriber()
    shared.subscribe(keeping)
    let subscriber = ListSubscriber(
      initialDemand: .max(1),
      demandFor: { subscriber, event in
        guard case .snapshot(let list) = event, list.count < 8 else { return .none }
        // Three changes are one too many, twice.
        for number in 1...3 { source.send(list.count + number) }
        return .max(1)
      })
    shared.subscribe(subscriber)
    #expect(subscriber.values == [.snapshot([]), .change(1)])
    subscriber.request(.unlimited)
    #expect(
      subscriber.values.dropFirst(2)
        == [.snapshot([1, 2, 3]), .change(4), .change(5), .change(6)])
    #expect(subscriber.violations == [])
    keeping.cancel()
    subscriber.cancel()
  }

  @Test func `O6: what a snapshot replaces is released, and a cancel releases the rest`() {
    let gone = Notes<Int>()
    let source = PassthroughSubject<Token, Never>()
    let shared = source.share(reducingInto: 0, backlog: .size(2, whenFull: .rejoin)) { sum, _ in
      sum += 1
    }
    let slow = TestSubscriber<StateUpdate<Int, Token>, Never>(initialDemand: .none)
    shared.subscribe(slow)
    for number in 1...6 { source.send(Token(number, gone)) }
    #expect(gone.all == [1, 2, 3, 4, 5])
    slow.cancel()
    #expect(gone.all == [1, 2, 3, 4, 5, 6])
  }

  @Test func `D7, O6: a value that cancels its laggard as it is released`() {
    let source = PassthroughSubject<Token, Never>()
    let shared = source.share(reducingInto: 0, backlog: .size(2, whenFull: .rejoin)) { sum, _ in
      sum += 1
    }
    let slow = TestSubscriber<StateUpdate<Int, Token>, Never>(initialDemand: .none)
    let other = TestSubscriber<StateUpdate<Int, Token>, Never>(initialDemand: .none)
    shared.subscribe(slow)
    shared.subscribe(other)
    for _ in 1...6 { source.send(Token(0) { slow.cancel() }) }
    slow.request(.unlimited)
    #expect(slow.values.isEmpty)
    other.request(.unlimited)
    #expect(other.values.count == 2)
    other.cancel()
  }
}

/// A state whose storage is copied if it changes while a snapshot refers to it.
private struct Snapshots: Sendable {
  private final class Storage: Sendable {}

  private var storage = Storage()
  private let copied: Notes<Int>

  init(_ copied: Notes<Int>) { self.copied = copied }

  /// Notes the change before which the storage had to be copied.
  mutating func add(_ change: Int) {
    guard !isKnownUniquelyReferenced(&storage) else { return }
    storage = Storage()
    copied.append(change)
  }
}
