import Fanout
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// Backlogs that are limited by their number, their cost and their age: each against a model.
struct B3LimitTests {
  private static let limits: [LimitModel.Limits] = [
    .init(count: 1), .init(count: 3), .init(cost: 3), .init(cost: 8), .init(age: 2),
    .init(count: 3, cost: 8), .init(count: 4, age: 3), .init(cost: 6, age: 3),
    .init(count: 3, cost: 7, age: 2),
  ]

  @Test(arguments: LimitModel.Kind.allCases, LimitModel.Memory.allCases)
  func `B1, B3, B4: what a subscriber gets and misses, under every limit`(
    _ kind: LimitModel.Kind, _ memory: LimitModel.Memory
  ) throws {
    for limits in Self.limits {
      for (isOwn, isTold) in [(false, false), (true, false), (false, true), (true, true)] {
        for seed in 0..<rounds(1) {
          try play(kind, memory, limits, seed: UInt64(seed), isOwn: isOwn, isTold: isTold)
        }
      }
    }
  }

  private func play(
    _ kind: LimitModel.Kind, _ memory: LimitModel.Memory, _ limits: LimitModel.Limits,
    seed: UInt64, isOwn: Bool, isTold: Bool
  ) throws {
    var chance = SeededChance(seed: seed)
    let clock = TestScheduler()
    let source = PassthroughSubject<Int, Broken>()
    let backlog = Backlog<Int, Broken>.limit(all: limits.fanout(clock), whenFull: kind.whenFull)
    let shared = source.share(replay: memory.replay, backlog: isOwn ? nil : backlog)
    let keeping = shared.sink(receiveCompletion: { _ in }, receiveValue: { _ in })
    defer { keeping.cancel() }
    var next = Int.random(in: 1...20, using: &chance)
    var before: [Int] = []
    for _ in 0..<Int.random(in: 0...7, using: &chance) {
      source.send(next)
      before.append(next)
      next += Int.random(in: 1...4, using: &chance)
    }
    var model = LimitModel(kind, memory, limits, before: before)
    let slow = TestSubscriber<Int, Broken>(initialDemand: .none)
    // What it is told beside its values takes none of the demand for these.
    let told = TestSubscriber<Delivery<Int>, Broken>(
      initialDemand: .none, demandFor: { _, event in event.value == nil ? .max(1) : .none })
    defer {
      slow.cancel()
      told.cancel()
    }
    let joined = shared.joining(backlog: isOwn ? backlog : nil)
    switch (isOwn, isTold) {
    case (true, true): joined.deliveries().subscribe(told)
    case (true, false): joined.subscribe(slow)
    case (false, true): shared.deliveries().subscribe(told)
    case (false, false): shared.subscribe(slow)
    }
    var (time, steps) = (0, ["before \(before)"])
    for _ in 0..<30 {
      switch Int.random(in: 0..<10, using: &chance) {
      case 0...5:
        steps.append("send \(next)")
        source.send(next)
        model.accept(next, at: time)
        next += Int.random(in: 1...4, using: &chance)
      case 6, 7:
        let count = Int.random(in: 1...3, using: &chance)
        steps.append("request \(count)")
        if isTold { told.request(.max(count)) } else { slow.request(.max(count)) }
        model.request(count, at: time)
      default:
        steps.append("advance")
        clock.advance(by: .seconds(1))
        time += 1
      }
      // Made only for a failure.
      var place: Comment {
        "seed \(seed), \(limits), own \(isOwn), told \(isTold): \(steps.joined(separator: ", "))"
      }
      let values = isTold ? told.values.compactMap(\.value) : slow.values
      try #require(values == model.delivered, place)
      guard !model.hasFailed else {
        let completion = isTold ? told.completion : slow.completion
        // What it has missed is told before the failure, and that needs demand.
        if !isTold { try #require(completion == .failure(Broken()), place) }
        return
      }
      let account = try #require(shared.status.subscribers.last)
      try #require(account.waiting == model.waitingCount, place)
      try #require(account.missed == model.missed, place)
      try #require(account.conflated == model.conflated, place)
    }
  }
}
