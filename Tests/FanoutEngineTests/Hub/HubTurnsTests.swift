import TestThreads
import Testing

@testable import FanoutEngine

/// Receivers that leave one after the other: the release of each cancels the next.
private final class Leavers {
  private let owner: Owner<Int>
  private var all: [Cursor<Int, String>] = []
  private(set) var gone = 0

  /// Attaches receivers.
  init(_ count: Int, of owner: Owner<Int>, asking credit: Credit = .none) {
    self.owner = owner
    for _ in 0..<count {
      let releases = Releases { [unowned self] in leave() }
      let cursor = InletCursor(
        owner,
        Inlet { _ in
          withExtendedLifetime(releases) {}
          return .none
        })
      owner.hub.join(cursor)
      cursor.request(credit)
      cursor.begin()
      all.append(cursor)
    }
  }

  /// Cancels the first one.
  func begin() { all.popLast()?.cancel() }

  private func leave() {
    gone += 1
    all.popLast()?.cancel()
  }
}

/// Calls a closure when it is released.
private final class Releases {
  private let whenReleased: () -> Void

  init(_ whenReleased: @escaping () -> Void) { self.whenReleased = whenReleased }

  deinit { whenReleased() }
}

struct HubTurnsTests {
  private let owner = Owner<Int>(.everything)

  private var waitingWork: Int { owner.hub.withInbox { $0.work.count } }
  private var waitingNotes: Int { owner.hub.withInbox { $0.controls.count } }

  /// Runs a closure inside a receiver.
  private func inside(_ body: @escaping () -> Void) {
    let receiver = Attached(to: owner) { if $0 == 0 { body() } }
    owner.send(0)
    receiver.cursor.cancel()
  }

  @Test func `D4, D18: a request is served while others leave without a pause`() {
    let leavers = Leavers(5000, of: owner)
    var whenServed: Int?
    let waiting = Attached(to: owner, asking: .none) { _ in whenServed = leavers.gone }
    inside {
      waiting.cursor.request(credit(1))
      leavers.begin()
    }
    #expect(leavers.gone == 5000)
    #expect((whenServed ?? .max) <= 128)
    waiting.cursor.cancel()
  }

  @Test func `D4, D18: a value is delivered while others leave without a pause`() {
    let leavers = Leavers(5000, of: owner)
    var whenServed: Int?
    let waiting = Attached(to: owner) { if $0 == 1 { whenServed = leavers.gone } }
    inside {
      owner.send(1)
      leavers.begin()
    }
    #expect(leavers.gone == 5000)
    #expect((whenServed ?? .max) <= 128)
    waiting.cursor.cancel()
  }

  @Test func `B6, D18: the upstream is asked for more while others leave without a pause`() {
    var leavers: Leavers?
    var whenAsked: [Int] = []
    let owner = Owner<Int>(.nothing, limits: BacklogLimits(.waiting(1)))
    owner.hub.admitUpstream(AskedSource { _ in whenAsked.append(leavers?.gone ?? 0) })
    let waiting = Attached(to: owner, asking: .none) { _ in }
    let first = Attached(to: owner) { _ in
      waiting.cursor.request(credit(1))
      leavers?.begin()
    }
    leavers = Leavers(600, of: owner, asking: .unlimited)
    owner.send(0)
    #expect(leavers?.gone == 600)
    // Once at the beginning, and once when the receiver has taken the value.
    #expect(whenAsked.count == 2)
    #expect((whenAsked.last ?? .max) <= 2 * 128)
    [waiting, first].forEach { $0.cursor.cancel() }
    // The owner's upstream holds this variable.
    leavers = nil
  }

  @Test func `D4: the requests of one receiver are one message`() {
    let waiting = Attached(to: owner, asking: .none) { _ in }
    var count = 0
    inside {
      for _ in 0..<1000 { waiting.cursor.request(credit(1)) }
      count = waitingNotes
    }
    #expect(count == 1)
    waiting.cursor.cancel()
  }

  @Test func `D4: a join that is cancelled before its turn costs nothing`() {
    var released = 0
    var counts: [Int] = []
    inside {
      for _ in 0..<1000 {
        let releases = Releases { released += 1 }
        let receiver = Attached(to: owner) { _ in withExtendedLifetime(releases) {} }
        receiver.cursor.cancel()
      }
      counts = [released, waitingWork, waitingNotes]
    }
    #expect(counts == [1000, 0, 0])
  }

  @Test func `D4: joins that are cancelled among values take no room`() {
    var most = 0
    let witness = Attached(to: owner) { _ in }
    inside {
      for number in 1...1000 {
        let receivers = (0..<4).map { _ in Attached(to: owner) { _ in } }
        owner.send(number)
        receivers.forEach { $0.cursor.cancel() }
        most = max(most, waitingWork - number)
      }
    }
    // As many gaps as values, and a few.
    #expect(most <= 1000 + 20)
    witness.cursor.cancel()
  }

  @Test func `D6: who stays among joins that are cancelled has the place at which it came`() {
    let owner = Owner<Int>(.nothing)
    var received: [[Int]] = Array(repeating: [], count: 100)
    var staying: [Attached<Int>] = []
    let first = Attached(to: owner) { value in
      guard value == 0 else { return }
      for number in 1...100 {
        let before = (0..<5).map { _ in Attached(to: owner) { _ in } }
        staying.append(Attached(to: owner) { received[number - 1].append($0) })
        let behind = (0..<5).map { _ in Attached(to: owner) { _ in } }
        owner.send(number)
        (before + behind).forEach { $0.cursor.cancel() }
      }
    }
    owner.send(0)
    #expect(received == (1...100).map { Array($0...100) })
    (staying + [first]).forEach { $0.cursor.cancel() }
  }

  @Test func `O2: a receiver that is cancelled before its turn to join is released once`() {
    for kind in [RetentionPolicy<Int>.nothing, .newest(overtakenByEnd: false), .everything] {
      let owner = Owner(kind)
      let joined = Shared(0)
      let released = Shared(0)
      let isOver = race(
        { for number in 0..<2000 { owner.send(number) } },
        {
          for _ in 0..<500 {
            let releases = Counted { released.increment() }
            let receiver = Attached(to: owner) { _ in withExtendedLifetime(releases) {} }
            joined.increment()
            receiver.cursor.cancel()
          }
        },
        {
          for _ in 0..<500 {
            let releases = Counted { released.increment() }
            let receiver = Receiver<Int>(asking: credit(1)) { _, _ in
              withExtendedLifetime(releases) {}
              return .none
            }
            let canceller = TestThread {
              while receiver.cursor == nil {}
              receiver.cancel()
            }
            receiver.attach(to: owner)
            _ = canceller.join()
            joined.increment()
          }
        })
      #expect(isOver)
      owner.send(-1)
      #expect(released.value == joined.value)
    }
  }
}

/// Calls a closure, on any thread, when it is released.
private final class Counted: Sendable {
  private let whenReleased: @Sendable () -> Void

  init(_ whenReleased: @escaping @Sendable () -> Void) { self.whenReleased = whenReleased }

  deinit { whenReleased() }
}
