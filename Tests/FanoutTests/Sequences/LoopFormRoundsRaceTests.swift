import Fanout
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// Rounds in which loops of every form join, break, are cancelled and get the end.
///
/// In the first test the seed decides the order of the tasks too, because one thread runs them. In the second the
/// system does, so a search plays 10,000 rounds of it.
struct LoopFormRoundsRaceTests {
  @Test func `Q5, B1, B5: rounds of join, break, cancel and end, in an order of the seed`() async {
    for seed in seeds(300) {
      let faults = await LoopRound(seed: seed, executor: HandRunExecutor()).run()
      #expect(faults == [], "seed \(seed)")
    }
  }

  @Test(.enabled(if: rounds(100) > 100), arguments: 0..<10)
  func `Q5, B1, B5: 10,000 rounds of join, break, cancel and end, in any order`(
    _ part: UInt64
  ) async {
    for seed in part * 1_000..<(part + 1) * 1_000 {
      let faults = await LoopRound(seed: seed).run()
      #expect(faults == [], "seed \(seed)")
    }
  }
}

/// A stream with loops, each of which stays to the end, breaks after some events, or is cancelled.
private struct LoopRound {
  private enum Form: CaseIterable {
    case values, batches, joining, joiningBatches, deliveries, deliveriesBatches

    /// Whether a loop learns of what it misses.
    var isTold: Bool { self == .deliveries || self == .deliveriesBatches }

    /// Whether a loop has a backlog of its own.
    var joins: Bool { self == .joining || self == .joiningBatches }
  }

  private final class Client: Sendable {
    let form: Form
    /// The number of elements after which the loop breaks.
    let most: Int
    /// Whether the loop is owed every value, and is not told of any that it misses.
    let isExact: Bool
    let isCancelled = Shared(false)
    let events = Notes<Delivery<Int>>()
    /// The end that the loop was told of; nil if it has broken before.
    let end = Shared<String?>(nil)
    let elements = Shared(0)
    let isOver = Shared(false)
    let task = Shared<Task<Void, Never>?>(nil)

    init(_ form: Form, most: Int, isExact: Bool) {
      self.form = form
      self.most = most
      self.isExact = isExact
    }

    func take<Elements: AsyncSequence>(
      _ elements: Elements, events: (Elements.Element) -> [Delivery<Int>]
    ) async where Elements.Failure == Broken {
      defer { isOver.value = true }
      var iterator = elements.makeAsyncIterator()
      do throws(Broken) {
        while self.elements.value < most {
          guard let element = try await iterator.next(isolation: nil) else {
            return end.value = "finished"
          }
          for event in events(element) { self.events.append(event) }
          self.elements.increment()
        }
      } catch {
        end.value = "failed"
      }
    }
  }

  let seed: UInt64
  /// The executor that runs the tasks when the round says so; nil for the system's.
  var executor: HandRunExecutor?

  /// Lets the tasks run for a while.
  private func pause(_ turns: Int) async {
    guard executor == nil else { return executor?.runAll() ?? () }
    for _ in 0..<turns { await Task.yield() }
  }

  private typealias Terms = (backlog: Backlog<Int, Broken>?, isExact: Bool)

  /// Returns what may be in force for what waits for a loop, and whether a loop is owed every value then.
  private func terms(_ chance: inout SeededChance) -> Terms {
    let count = Int.random(in: 1...4, using: &chance)
    return switch Int.random(in: 0..<6, using: &chance) {
    case 0: (nil, true)
    case 1: (.unbounded, true)
    case 2: (.size(count, whenFull: .dropOldest), false)
    case 3: (.size(count, whenFull: .dropNewest), false)
    case 4: (.size(count, whenFull: .rejoin), false)
    default: (.limit(.cost(count) { _ in 1 }, whenFull: .dropOldest), false)
    }
  }

  private func replay(_ chance: inout SeededChance) -> Replay<Int> {
    switch Int.random(in: 0..<5, using: &chance) {
    case 0: .none
    case 1: .latest
    case 2: .last(3)
    case 3: .sinceKeyframe { $0 % 5 == 0 }
    default: .undelivered(4)
    }
  }

  private func begin(_ client: Client, _ values: SharedSequence<Int, Broken>) {
    let body: @Sendable () async -> Void = {
      switch client.form {
      case .values, .joining: await client.take(values) { [.live($0)] }
      case .batches, .joiningBatches:
        await client.take(values.batches(upTo: 3)) { $0.map { .live($0) } }
      case .deliveries: await client.take(values.deliveries()) { [$0] }
      case .deliveriesBatches: await client.take(values.deliveries().batches(upTo: 3)) { $0 }
      }
    }
    client.task.value =
      executor.map { Task(executorPreference: $0, operation: body) } ?? Task(operation: body)
  }

  /// Plays the round; returns what is wrong.
  func run() async -> [String] {
    var chance = SeededChance(seed: seed)
    let (replay, terms) = (replay(&chance), terms(&chance))
    let stream = Broadcast<Int, Broken>(replay: replay, backlog: terms.backlog)
    let isShared = Bool.random(using: &chance)
    let values =
      isShared
      ? stream.values.publisher.share(replay: replay, backlog: terms.backlog).values : stream.values
    let fails = Bool.random(using: &chance)
    var clients: [Client] = []
    var sent = 0
    for _ in 0..<Int.random(in: 10...40, using: &chance) {
      switch Int.random(in: 0..<12, using: &chance) {
      case 0..<5:
        stream.yield(sent)
        sent += 1
      case 5..<8 where clients.count < 6:
        let form = Form.allCases.randomElement(using: &chance) ?? .values
        let own = form.joins ? self.terms(&chance) : terms
        let isExact = own.isExact && (own.backlog != nil || terms.isExact)
        let client = Client(form, most: Int.random(in: 1...12, using: &chance), isExact: isExact)
        clients.append(client)
        begin(client, form.joins ? values.joining(backlog: own.backlog) : values)
      case 8:
        guard let client = clients.randomElement(using: &chance) else { continue }
        client.isCancelled.value = true
        client.task.value?.cancel()
      default: await pause(Int.random(in: 1...20, using: &chance))
      }
    }
    if fails { stream.fail(Broken()) } else { stream.finish() }
    var faults: [String] = []
    for client in clients {
      executor?.runAll()
      // What a call has left to a task of the system may have to come first.
      while executor != nil, !client.isOver.value {
        await Task.yield()
        executor?.runAll()
      }
      await client.task.value?.value
      faults += check(client, sent: sent, end: fails ? "failed" : "finished")
    }
    var turns = 0
    while !stream.values.status.subscribers.isEmpty, turns < 10_000 {
      turns += 1
      await Task.yield()
    }
    if !stream.values.status.subscribers.isEmpty { faults.append("a loop is held") }
    return faults
  }

  private func check(_ client: Client, sent: Int, end: String) -> [String] {
    var faults: [String] = []
    var (next, gap, hasCaughtUp) = (Int?.none, 0, !client.form.isTold)
    /// Notes a problem unless the loop may get a value, or the end, at a place.
    func pass(to place: Int) {
      guard let expected = next.map({ $0 + gap }) else { return }
      let isRight = client.isExact || client.form.isTold ? place == expected : place >= expected
      if !isRight { faults.append("\(place) in place of \(expected)") }
    }
    for event in client.events.all {
      switch event {
      case .replayed(let value), .live(let value):
        if case .live = event, !hasCaughtUp { faults.append("live too early") }
        if case .replayed = event, hasCaughtUp { faults.append("replayed too late") }
        pass(to: value)
        (next, gap) = (value + 1, 0)
      case .caughtUp:
        if hasCaughtUp { faults.append("caught up twice") }
        hasCaughtUp = true
      case .missed(let count): gap += count ?? 0
      }
    }
    if !client.isCancelled.value {
      if let told = client.end.value {
        if told != end { faults.append("\(told) in place of \(end)") }
        pass(to: sent)
      } else if client.elements.value < client.most {
        faults.append("over without an end")
      }
    }
    return faults.map { "\($0): \(client.form), \(client.events.all)" }
  }
}
