internal import Fanout
internal import FanoutTestSupport

/// A check of a cache under each backlog: what a slow subscriber gets and what it is told that it
/// has missed add up to its replay and everything that came later, each in its place (B1, B5).
struct BacklogBench<Cache: ReplayCache & SendableMetatype>: Sendable {
  private typealias Target = TestSubscriber<Delivery<Cache.Value>, ModelFailure>

  private enum Kind: CaseIterable, Sendable {
    case unbounded, dropOldest, dropNewest, customError, rejoin, wait
    /// No value has room, so that a subscriber gets only what it has requested.
    case noRoom

    func backlog(_ size: Int) -> Backlog<Cache.Value, ModelFailure> {
      switch self {
      case .unbounded: .unbounded
      case .dropOldest: .size(size, whenFull: .dropOldest)
      case .dropNewest: .size(size, whenFull: .dropNewest)
      case .customError: .size(size, whenFull: .customError { ModelFailure() })
      case .rejoin: .size(size, whenFull: .rejoin)
      case .wait: .size(size, whenFull: .wait)
      case .noRoom: .limit(.cost(size) { _ in size + 1 }, whenFull: .customError { ModelFailure() })
      }
    }
  }

  let cache: CacheBench<Cache>

  /// Throws a violation if an account does not add up.
  func check(seed: UInt64) throws(DeliveryContract.Violation) {
    for kind in Kind.allCases {
      for round in 0..<20 {
        var chance = SeededChance(seed: seed &+ UInt64(round))
        try check(kind, &chance)
      }
    }
  }

  private func check(
    _ kind: Kind, _ chance: inout SeededChance
  ) throws(DeliveryContract.Violation) {
    // With a gate the upstream must respect demand, so a sequence is the source then.
    let (before, after) = (
      Int.random(in: 0...6, using: &chance), Int.random(in: 1...12, using: &chance)
    )
    let size = Int.random(in: 1...3, using: &chance)
    let makeCache = cache.makeCache
    let target = Target(initialDemand: .none)
    let numbers = Array(1...before + after)
    let joinedAt = kind == .wait ? 0 : before
    // It has requested everything.
    let keeping = Target()
    if kind == .wait {
      numbers.map(cache.value).publisher.setFailureType(to: ModelFailure.self)
        .share(replay: .custom { makeCache() }, backlog: kind.backlog(size))
        .deliveries().receive(subscriber: target)
      for _ in numbers { target.request(.max(.random(in: 0...2, using: &chance))) }
    } else {
      let source = PassthroughSubject<Cache.Value, ModelFailure>()
      let shared = source.share(replay: .custom { makeCache() }, backlog: kind.backlog(size))
      shared.deliveries().receive(subscriber: keeping)
      for number in numbers.prefix(before) { source.send(cache.value(number)) }
      shared.deliveries().receive(subscriber: target)
      for number in numbers.dropFirst(before) {
        target.request(.max(.random(in: 0...1, using: &chance)))
        source.send(cache.value(number))
      }
      source.send(completion: .finished)
    }
    target.request(.unlimited)
    let replay = cache.contents(after: Array(numbers.prefix(joinedAt)))
    let expected = replay + numbers.dropFirst(joinedAt)
    let told = target.values
    let isWhole = kind != .customError && kind != .noRoom
    guard adds(told, to: expected, replayed: replay.count, isWhole: isWhole),
      kind == .wait || keeping.values.compactMap(\.value).map(cache.number) == numbers
    else {
      throw DeliveryContract.Violation(
        summary: "what a slow subscriber got and missed does not add up under .\(kind)",
        rules: "B1, B5",
        seed: nil, program: nil,
        details: "Its replay and what came later: \(expected). It was told: \(told.map(describe)).",
        test: "")
    }
  }

  /// Returns whether each value and each gap lies in its place.
  private func adds(
    _ told: [Delivery<Cache.Value>], to expected: [Int], replayed: Int, isWhole: Bool
  ) -> Bool {
    var place = 0
    var isCaughtUp = false
    for delivery in told {
      switch delivery {
      case .caughtUp:
        guard !isCaughtUp, place >= replayed else { return false }
        isCaughtUp = true
      case .missed(let count):
        guard let count, count > 0 else { return false }
        place += count
      case .replayed(let value), .live(let value):
        guard place < expected.count, cache.number(value) == expected[place] else { return false }
        if case .live = delivery { guard isCaughtUp else { return false } }
        place += 1
      }
    }
    return place == expected.count || !isWhole
  }

  private func describe(_ delivery: Delivery<Cache.Value>) -> String {
    switch delivery {
    case .replayed(let value): "replayed \(cache.number(value))"
    case .caughtUp: "caught up"
    case .live(let value): "live \(cache.number(value))"
    case .missed(let count): "missed \(count.map(String.init) ?? "unknown")"
    }
  }
}
