import Fanout
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// Random programs over a store, a stream and loops that join it, in any order of the tasks.
///
/// The order of the tasks is not chosen, so only a search plays them, which asks for more rounds than usual.
struct HistoryRaceTests {
  @Test(.enabled(if: rounds(100) > 100), arguments: 0..<8)
  func `H1, H2, H4, H5: a program loses nothing that it does not tell`(_ part: UInt64) async {
    for seed in part * 60..<(part + 1) * 60 {
      let program = HistoryProgram(seed: seed)
      let faults = await program.run()
      #expect(faults == [], "seed \(seed)")
    }
  }
}

private struct HistoryProgram {
  private final class Client: Sendable {
    let after: Int?
    /// The newest id that was sent, and the newest one that was stored, when it joined.
    let (joined, stored): (Int, Int)
    let loop: NumberLoop
    let isCancelled = Shared(false)

    init(after: Int?, joined: Int, stored: Int, _ loop: NumberLoop) {
      self.after = after
      (self.joined, self.stored) = (joined, stored)
      self.loop = loop
    }
  }

  /// The first id that lies behind all that is ever stored.
  private static let foreign = 1_000_000

  let seed: UInt64

  private func replay(_ chance: inout SeededChance) -> (Replay<Int>, canRejoin: Bool) {
    switch Int.random(in: 0..<8, using: &chance) {
    case 0: (.none, true)
    case 1: (.latest, true)
    case 2: (.last(3), true)
    case 3: (.all, false)
    case 4: (.sinceKeyframe { $0 % 5 == 0 }, true)
    // Newcomers wait for a keyframe.
    case 5: (.sinceKeyframe(limit: .count(4), fromBeginning: false) { $0 % 5 == 0 }, true)
    case 6: (.undelivered(4), true)
    default: (.latest(by: { $0 % 3 }), true)
    }
  }

  private func backlog(_ canRejoin: Bool, _ chance: inout SeededChance) -> Backlog<Int, Never>? {
    let count = Int.random(in: 1...4, using: &chance)
    return switch Int.random(in: 0..<4, using: &chance) {
    case 0: nil
    case 1: .size(count, whenFull: .dropOldest)
    case 2: .size(count, whenFull: .dropNewest)
    default: canRejoin ? .size(count, whenFull: .rejoin) : nil
    }
  }

  /// A store whose reads take some turns of the other tasks, and see what is stored when they begin.
  private func history(_ store: NumberStore, _ pace: Int) -> NumberHistory {
    NumberHistory(by: \.self) { range in
      for _ in 0..<pace { await Task.yield() }
      let rows = Shared(try store.read(range)[...])
      return AsyncStream(unfolding: {
        for _ in 0..<pace { await Task.yield() }
        return rows.change { $0.popFirst() }
      })
    }
  }

  /// Plays the program; returns what is wrong.
  func run() async -> [String] {
    var chance = SeededChance(seed: seed)
    let store = NumberStore(knowsIDs: Bool.random(using: &chance))
    let (replay, canRejoin) = replay(&chance)
    let stream = Broadcast<Int, Never>(replay: replay)
    let history = history(store, Int.random(in: 0...4, using: &chance))
    let hasFaults = Int.random(in: 0..<3, using: &chance) == 0
    var (newest, unsent, sent): (Int, [Int], [Int]) = (0, [], [])
    var clients: [Client] = []
    func send() {
      guard !unsent.isEmpty else { return }
      let id = unsent.removeFirst()
      sent.append(id)
      stream.yield(id)
    }
    for _ in 0..<Int.random(in: 20...80, using: &chance) {
      switch Int.random(in: 0..<20, using: &chance) {
      case 0..<8:
        newest += Int.random(in: 1...3, using: &chance)
        store.commit(newest)
        unsent.append(newest)
        if Bool.random(using: &chance) { send() }
      case 8..<10: send()
      case 10..<13 where clients.count < 6:
        let isNew = Int.random(in: 0..<5, using: &chance) == 0
        // Of a few ids that are none of this stream, so that some loops have the same one.
        let isForeign = Int.random(in: 0..<4, using: &chance) == 0
        let known = isForeign ? Self.foreign...Self.foreign + 2 : 0...newest + 2
        let after = isNew ? nil : Int.random(in: known, using: &chance)
        let spliced = stream.values.joining(
          after: after, from: history, backlog: backlog(canRejoin, &chance))
        let loop = NumberLoop(spliced)
        clients.append(
          Client(after: after, joined: sent.last ?? .min, stored: newest, loop))
      case 13 where hasFaults: store.trim(through: Int.random(in: 0...newest, using: &chance))
      case 14 where hasFaults: store.state.change { $0.isFailing.toggle() }
      case 15:
        guard let client = clients.randomElement(using: &chance) else { continue }
        guard Int.random(in: 0..<4, using: &chance) == 0 else { continue }
        client.isCancelled.value = true
        client.loop.task.cancel()
      default: for _ in 0..<Int.random(in: 1...30, using: &chance) { await Task.yield() }
      }
    }
    while !unsent.isEmpty { send() }
    stream.finish()
    var faults: [String] = []
    for client in clients {
      let events = await client.loop.all()
      let knowsIDs = store.state.value.knowsIDs
      let isForeign = knowsIDs && client.after ?? 0 >= Self.foreign
      let mayBeUnknown = knowsIDs && client.after ?? 0 > client.stored
      let owed = sent.filter { isForeign ? $0 > client.joined : $0 > client.after ?? .min }
      for fault in check(
        events, owed, canMiss: hasFaults || mayBeUnknown, isCancelled: client.isCancelled.value)
        + (isForeign ? untold(events, client) : [])
      {
        faults.append("\(fault); after \(client.after as Any): \(events)")
      }
    }
    return faults
  }

  private func untold(_ events: [Delivery<Int>], _ client: Client) -> [String] {
    events.contains(.missed(nil)) || client.isCancelled.value ? [] : ["an unknown id is untold"]
  }

  private func check(
    _ events: [Delivery<Int>], _ owed: [Int], canMiss: Bool, isCancelled: Bool
  ) -> [String] {
    var faults: [String] = []
    var (rest, last, isTold, hasCaughtUp) = (owed[...], Int.min, false, false)
    /// What was told since the last value; nil if a number was unknown.
    var told: Int? = 0
    func pass(to id: Int) {
      let lost = rest.prefix { $0 < id }
      rest.removeFirst(lost.count)
      if !lost.isEmpty, !isTold { faults.append("\(Array(lost)) untold") }
      // A store that failed may have at a later read what was told as missed.
      if let told, told < lost.count { faults.append("told \(told), lost \(lost.count)") }
      if rest.first == id { rest.removeFirst() }
      (isTold, told) = (false, 0)
    }
    for event in events {
      switch event {
      case .replayed(let id), .live(let id):
        if id <= last { faults.append("\(id) behind \(last)") }
        if case .live = event, !hasCaughtUp { faults.append("live too early") }
        last = id
        pass(to: id)
      case .caughtUp:
        if hasCaughtUp { faults.append("caught up twice") }
        hasCaughtUp = true
      case .missed(let count):
        if !canMiss { faults.append("missed") }
        isTold = true
        told = count.flatMap { count in told.map { $0 + count } }
      }
    }
    if !isCancelled {
      pass(to: .max)
      if !hasCaughtUp { faults.append("never caught up") }
    }
    return faults
  }
}
