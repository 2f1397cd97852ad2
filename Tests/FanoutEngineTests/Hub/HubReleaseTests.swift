import FanoutEngine
import FanoutLifetime
import TestFixtures
import TestThreads
import Testing

struct HubReleaseTests {
  @Test(arguments: [1, 2, 5, 20])
  func `O6: the last few are all that is kept, and what is evicted is released at once`(
    count: Int
  ) {
    let gone = Notes<Int>()
    let owner = Owner<Token>(.last(count))
    for id in 0..<100 {
      owner.send(Token(id, gone))
      #expect(gone.all == Array(0..<max(0, id + 1 - count)))
    }
  }

  @Test func `O6: a keyframe releases what lies before it, at once`() {
    let gone = Notes<Int>()
    let owner = Owner<Token>(.sinceKeyframe(KeyframeRules { $0.id % 10 == 0 }))
    for id in 0..<100 {
      owner.send(Token(id, gone))
      #expect(gone.all == Array(0..<(id / 10 * 10)))
    }
  }

  @Test func `O6: what a lagging receiver is owed is kept, and released as it takes it`() {
    let gone = Notes<Int>()
    let owner = Owner<Token>(.last(1))
    let taken = Notes<Int>()
    let lagging = Attached(to: owner, asking: credit(1)) { taken.append($0.id) }
    for id in 0..<30 { owner.send(Token(id, gone)) }
    #expect(gone.all == [0])
    for count in 1..<30 {
      lagging.cursor.request(credit(1))
      #expect(taken.count == count + 1)
      // The newest is kept for later receivers.
      #expect(gone.all == Array(0...min(count, 28)))
    }
    for id in 30..<40 { owner.send(Token(id, gone)) }
    lagging.cursor.cancel()
    #expect(gone.all == Array(0..<39))
  }

  @Test func `O6: of two that lag, the slower one decides`() {
    let gone = Notes<Int>()
    let owner = Owner<Token>(.last(1))
    let slow = Attached(to: owner, asking: .none) { _ in }
    let slower = Attached(to: owner, asking: .none) { _ in }
    for id in 0..<2000 { owner.send(Token(id, gone)) }
    #expect(gone.all == [])
    slow.cursor.request(credit(1500))
    #expect(gone.all == [])
    slower.cursor.request(credit(1000))
    #expect(gone.all == Array(0..<1000))
    slower.cursor.cancel()
    #expect(gone.all == Array(0..<1500))
    slow.cursor.request(.unlimited)
    #expect(gone.all == Array(0..<1999))
    slow.cursor.cancel()
  }

  @Test func `O6: a cache of somebody's keeps what it keeps, the hub nothing beside`() {
    let gone = Notes<Int>()
    let owner = Owner<Token>(
      .custom { CustomCache(record: { _ in }, contents: { [] }) })
    let sink = Attached(to: owner) { _ in }
    let lagging = Attached(to: owner, asking: .none) { _ in }
    for id in 0..<10 { owner.send(Token(id, gone)) }
    #expect(gone.all == [])
    lagging.cursor.request(credit(4))
    #expect(gone.all == Array(0..<4))
    lagging.cursor.cancel()
    #expect(gone.all == Array(0..<10))
    sink.cursor.cancel()
  }

  @Test func `a hub that dies releases all that it remembers`() {
    let gone = Notes<Int>()
    do {
      let owner = Owner<Token>(.everything)
      for id in 0..<3000 { owner.send(Token(id, gone)) }
      #expect(gone.all == [])
    }
    #expect(gone.all == Array(0..<3000))
  }

  @Test func `O2: a cursor retains its owner until it is cancelled or has got the end`() {
    for cancels in [true, false] {
      let tracker = LifetimeTracker()
      let receiver: Receiver<Int>
      do {
        let owner = tracker.track(Owner<Int>(.everything))
        receiver = .attached(to: owner, asking: .none)
        owner.send(1)
        if !cancels { owner.hub.finish("end") }
      }
      #expect(tracker.survivors().count == 1)
      if cancels { receiver.cancel() } else { receiver.ask(1) }
      #expect(tracker.survivors() == [])
    }
  }

  @Test func `D11: what is released may use the hub again`() {
    let released = Notes<Int>()
    let held = Shared<Owner<Revenant>?>(nil)
    let isOver = finishes {
      let owner = Owner<Revenant>(.last(2))
      held.value = owner
      let sink = Attached(to: owner) { _ in }
      let lagging = Attached(to: owner, asking: credit(3)) { _ in }
      for id in 0..<10 { owner.send(Revenant(id, released, held)) }
      lagging.cursor.cancel()
      sink.cursor.cancel()
      held.value = nil
    }
    #expect(isOver)
    #expect(Set(released.all).isSuperset(of: Set(0..<10)))
  }
}

/// A value that, when it dies, sends another one to the hub in which it was.
private final class Revenant: @unchecked Sendable {
  // Invariant: immutable.
  let id: Int
  let released: Notes<Int>
  let held: Shared<Owner<Revenant>?>

  init(_ id: Int, _ released: Notes<Int>, _ held: Shared<Owner<Revenant>?>) {
    self.id = id
    self.released = released
    self.held = held
  }

  deinit {
    released.append(id)
    guard id < 1000, let owner = held.value else { return }
    owner.send(Revenant(id + 1000, released, held))
    let visitor = Attached(to: owner) { _ in }
    visitor.cursor.cancel()
  }
}
