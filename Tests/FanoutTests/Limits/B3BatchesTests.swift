import Fanout
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// Loops beside a model of what waits for them: what comes between two turns waits in the backlog, under its limits.
struct B3BatchesTests {
  /// A way in which a loop takes what waits for it.
  enum Door: CaseIterable, Sendable {
    case values, selectedValues, deliveries, selectedDeliveries
    case batches, selectedBatches, eventBatches, selectedEventBatches

    /// The greatest number of elements that one call takes.
    var count: Int {
      switch self {
      case .values, .selectedValues, .deliveries, .selectedDeliveries: 1
      case .batches, .selectedBatches, .eventBatches, .selectedEventBatches: 3
      }
    }

    /// Whether what the loop is told beside its values counts as an element of an array.
    var isTold: Bool { self == .eventBatches || self == .selectedEventBatches }

    /// Returns a closure that takes the values of the next element.
    func makeLoop(
      over shared: SharedSequence<Int, Broken>
    ) -> () async throws(Broken) -> [Int]? {
      switch self {
      case .values: taking(shared) { [$0] }
      case .deliveries: taking(shared.deliveries()) { [$0.value].compactMap(\.self) }
      case .batches: taking(shared.batches(upTo: count)) { $0 }
      case .eventBatches:
        taking(shared.deliveries().batches(upTo: count)) { $0.compactMap(\.value) }
      // Such a loop requests its values, whatever the backlog is.
      case .selectedValues: Self.values.makeLoop(over: shared)
      case .selectedDeliveries: Self.deliveries.makeLoop(over: shared)
      case .selectedBatches: Self.batches.makeLoop(over: shared)
      case .selectedEventBatches: Self.eventBatches.makeLoop(over: shared)
      }
    }

    var selects: Bool {
      switch self {
      case .selectedValues, .selectedDeliveries, .selectedBatches, .selectedEventBatches: true
      case .values, .deliveries, .batches, .eventBatches: false
      }
    }

    private func taking<Elements: AsyncSequence>(
      _ elements: Elements, _ values: @escaping (Elements.Element) -> [Int]
    ) -> () async throws(Broken) -> [Int]? where Elements.Failure == Broken {
      var iterator = elements.makeAsyncIterator()
      return { () async throws(Broken) -> [Int]? in
        while let element = try await iterator.next(isolation: nil) {
          let found = values(element)
          if !found.isEmpty { return found }
        }
        return nil
      }
    }
  }

  private static let limits: [LimitModel.Limits] = [
    .init(count: 1), .init(count: 3), .init(cost: 3), .init(cost: 8), .init(age: 2),
    .init(count: 3, cost: 8), .init(count: 4, age: 3), .init(cost: 6, age: 3),
  ]

  @Test(arguments: Door.allCases, LimitModel.Kind.allCases)
  func `B1, B3, B4: what comes between two turns of a loop waits under every limit`(
    _ door: Door, _ kind: LimitModel.Kind
  ) async throws {
    for memory in [LimitModel.Memory.none, .latest, .last, .within, .sinceKeyframe] {
      for limits in Self.limits {
        for seed in 1...UInt64(rounds(1)) {
          for isOwn in [false, true] {
            try await play(door, kind, memory, limits, seed: seed, isOwn: isOwn)
          }
        }
      }
    }
  }

  private func play(
    _ door: Door, _ kind: LimitModel.Kind, _ memory: LimitModel.Memory,
    _ limits: LimitModel.Limits, seed: UInt64, isOwn: Bool
  ) async throws {
    var chance = SeededChance(seed: seed)
    let clock = TestScheduler()
    let backlog = Backlog<Int, Broken>.limit(all: limits.fanout(clock), whenFull: kind.whenFull)
    let source = Broadcast<Int, Broken>(replay: memory.replay, backlog: isOwn ? nil : backlog)
    var next = Int.random(in: 1...20, using: &chance)
    var before: [Int] = []
    for _ in 0..<Int.random(in: 0...4, using: &chance) {
      source.yield(next)
      before.append(next)
      next += Int.random(in: 1...4, using: &chance)
    }
    var model = LimitModel(kind, memory, limits, before: before)
    let own: Backlog<Int, Broken>? = isOwn ? backlog : nil
    let joined =
      door.selects
      ? source.values.joining(where: { $0 > 0 }, backlog: own)
      : source.values.joining(backlog: own)
    let take = door.makeLoop(over: joined)
    var (time, steps) = (0, ["before \(before)"])
    for _ in 0..<30 {
      // Made only for a failure.
      var place: Comment {
        "seed \(seed), \(memory), \(limits), own \(isOwn): \(steps.joined(separator: ", "))"
      }
      switch Int.random(in: 0..<10, using: &chance) {
      case 0...4:
        steps.append("send \(next)")
        source.yield(next)
        model.accept(next, at: time)
        next += Int.random(in: 1...4, using: &chance)
      case 5...7:
        model.dropTooOld(at: time)
        guard model.waitingCount > 0 else { continue }
        steps.append("take")
        let taken = try await take() ?? []
        try #require(taken.count <= door.count, place)
        // Of an array of events the model does not know how many are values.
        let count = door.isTold ? taken.count : door.count
        try #require(taken == model.takeArray(upTo: count, at: time), place)
      default:
        steps.append("advance")
        clock.advance(by: .seconds(1))
        time += 1
      }
    }
    model.dropTooOld(at: time)
    while model.waitingCount > 0 {
      let taken = try await take() ?? []
      try #require(taken == model.takeArray(upTo: taken.count, at: time), "seed \(seed)")
    }
    source.finish()
    do throws(Broken) {
      let last = try await take()
      #expect(last == nil && !model.hasFailed, "seed \(seed)")
    } catch {
      #expect(model.hasFailed, "seed \(seed)")
    }
  }

  @Test func `B3: a value that came long before the next array is too old for it`() async {
    let clock = TestScheduler()
    let calls = Broadcast<String, Never>()
    let station = calls.values.joining(
      backlog: .limit(.age(.seconds(30), clock: clock), whenFull: .dropOldest))
    var batches = station.batches(upTo: 10).makeAsyncIterator()
    var events = station.deliveries().batches(upTo: 10).makeAsyncIterator()
    var loop = station.makeAsyncIterator()
    calls.yield("first")
    #expect(await batches.next() == ["first"])
    #expect(await events.next() == [.caughtUp, .live("first")])
    #expect(await loop.next() == "first")
    calls.yield("reset")
    clock.advance(by: .seconds(240))
    calls.yield("fresh")
    #expect(await batches.next() == ["fresh"])
    #expect(await events.next() == [.missed(1), .live("fresh")])
    #expect(await loop.next() == "fresh")
  }

  @Test func `B3, B7: of a backlog of the newest value an array has one`() async {
    let numbers = Broadcast<Int, Never>()
    let newest = numbers.values.joining(
      where: { $0 > 0 }, backlog: .size(1, whenFull: .dropOldest))
    var batches = newest.batches(upTo: 10).makeAsyncIterator()
    numbers.yield(1)
    #expect(await batches.next() == [1])
    for number in 2...1_000 { numbers.yield(number) }
    #expect(await batches.next() == [1_000])
  }

  @Test func `D16: between two arrays a loop over a current value gets the newest`() async {
    let value = CurrentValueSubject<Int, Never>(0)
    var batches = value.values.batches(upTo: 10).makeAsyncIterator()
    #expect(await batches.next() == [0])
    for number in 1...9 { value.send(number) }
    #expect(await batches.next() == [9])
  }

  @Test func `B6: between two arrays a loop has room for what its backlog holds, and no more`()
    async
  {
    let source = TestPublisher<Int, Never>()
    let shared = source.share(backlog: .size(2, whenFull: .wait)).values.joining(where: { $0 > 0 })
    var batches = shared.batches(upTo: 2).makeAsyncIterator()
    source.send(1)
    source.send(2)
    #expect(await batches.next() == [1, 2])
    #expect(source.requests.reduce(.none, +) == .max(4))
    source.send(3)
    source.send(4)
    #expect(source.requests.reduce(.none, +) == .max(4))
    #expect(await batches.next() == [3, 4])
  }

  @Test func `O6: what comes between two arrays is released when its backlog drops it`() async {
    let mint = TokenMint()
    let source = Broadcast<Token, Never>()
    let newest = source.values.joining(
      where: { _ in true }, backlog: .size(1, whenFull: .dropOldest))
    var batches = newest.batches(upTo: 10).makeAsyncIterator()
    source.yield(mint.make(1))
    #expect(await batches.next()?.map(\.id) == [1])
    for id in 2...9 { source.yield(mint.make(id)) }
    #expect(mint.alive == [9])
    #expect(await batches.next()?.map(\.id) == [9])
    #expect(mint.alive == [])
  }
}
