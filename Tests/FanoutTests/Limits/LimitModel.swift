import Fanout
import FanoutTestSupport
import TestFixtures

/// A backlog with limits, as the contract says it: what waits for one subscriber, and its account.
struct LimitModel {
  enum Kind: CaseIterable, Sendable {
    case dropOldest, dropNewest, customError, rejoin, conflate, merge
  }

  /// What a newcomer gets.
  enum Memory: CaseIterable, Sendable {
    case none, latest, last, within, sinceKeyframe, cache
  }

  struct Limits: Sendable {
    var count: Int?
    var cost: Int?
    var age: Int?
  }

  private struct Waiting {
    var value: Int
    let time: Int
    let isReplay: Bool
    /// The number of values accepted before it.
    let position: Int
  }

  let kind: Kind
  let memory: Memory
  let limits: Limits
  private(set) var delivered: [Int] = []
  private(set) var missed = 0
  private(set) var conflated = 0
  private(set) var hasFailed = false
  private var waiting: [Waiting] = []
  private var isConflating = false
  private var isEnding = false
  private var credit = 0
  private var accepted: [Int]

  static func cost(_ value: Int) -> Int { value * 7 % 5 }
  static func key(_ value: Int) -> Int { value % 3 }
  static func isKeyframe(_ value: Int) -> Bool { value % 6 == 0 }

  /// Begins with the values that were accepted before the subscriber joined.
  init(_ kind: Kind, _ memory: Memory, _ limits: Limits, before: [Int]) {
    self.kind = kind
    self.memory = memory
    self.limits = limits
    accepted = before
    waiting = before.indices.dropFirst(start ?? before.count).map {
      Waiting(value: before[$0], time: 0, isReplay: true, position: $0)
    }
  }

  var waitingCount: Int { waiting.count }

  /// The place in what was accepted at which a newcomer starts; nil if it gets nothing.
  private var start: Int? {
    guard !accepted.isEmpty else { return nil }
    switch memory {
    case .none: return nil
    case .latest, .cache: return accepted.count - 1
    case .last: return max(0, accepted.count - 2)
    case .within:
      return accepted.indices.first { accepted[$0...].map(Self.cost).reduce(0, +) <= 6 }
    case .sinceKeyframe: return accepted.lastIndex(where: Self.isKeyframe) ?? 0
    }
  }

  private var live: ArraySlice<Waiting> { waiting.drop { $0.isReplay } }

  private var isOver: Bool {
    let live = live
    guard let first = live.first, let last = live.last else { return false }
    if let count = limits.count, live.count > count { return true }
    if let cost = limits.cost, live.reduce(0, { $0 + Self.cost($1.value) }) > cost { return true }
    return limits.age.map { last.time - first.time > $0 } ?? false
  }

  mutating func accept(_ value: Int, at time: Int) {
    let position = accepted.count
    accepted.append(value)
    guard !isEnding else { return }
    guard credit == 0 || !waiting.isEmpty else {
      credit -= 1
      return delivered.append(value)
    }
    if live.isEmpty { isConflating = false }
    waiting.append(Waiting(value: value, time: time, isReplay: false, position: position))
    if isOver || isConflating { keepWithinLimits() }
  }

  private mutating func keepWithinLimits() {
    switch kind {
    case .dropOldest: while isOver { dropFirstLive() }
    case .dropNewest, .customError:
      while isOver {
        waiting.removeLast()
        missed += 1
      }
      isEnding = kind == .customError
      hasFailed = isEnding && waiting.isEmpty
    case .rejoin: rejoin()
    case .conflate, .merge: conflate()
    }
  }

  private mutating func dropFirstLive() {
    guard let index = waiting.firstIndex(where: { !$0.isReplay }) else { return }
    waiting.remove(at: index)
    missed += 1
  }

  private mutating func rejoin() {
    if memory == .none || memory == .cache {
      while waiting.contains(where: { !$0.isReplay }) { dropFirstLive() }
      return
    }
    guard let start, let first = waiting.first, first.position < start else { return }
    missed += waiting.count { $0.position < start }
    waiting = waiting.filter { $0.position >= start }.map {
      Waiting(value: $0.value, time: $0.time, isReplay: false, position: $0.position)
    }
  }

  private mutating func conflate() {
    isConflating = true
    var kept: [Waiting] = []
    for value in waiting {
      let place = kept.firstIndex {
        !$0.isReplay && (kind == .merge || Self.key($0.value) == Self.key(value.value))
      }
      if let place, !value.isReplay {
        kept[place].value = kind == .merge ? max(kept[place].value, value.value) : value.value
        conflated += 1
      } else {
        kept.append(value)
      }
    }
    waiting = kept
  }

  /// Drops what is too old for a request that comes now.
  mutating func dropTooOld(at time: Int) {
    guard kind == .dropOldest, let age = limits.age, !waiting.isEmpty else { return }
    while let first = live.first, time - first.time > age { dropFirstLive() }
  }

  /// Takes what a loop gets as one array, up to a number of values: what waits, and nothing that comes later.
  mutating func takeArray(upTo count: Int, at time: Int) -> [Int] {
    dropTooOld(at: time)
    let taken = min(count, waiting.count)
    request(taken, at: time)
    return Array(delivered.suffix(taken))
  }

  mutating func request(_ count: Int, at time: Int) {
    dropTooOld(at: time)
    credit += count
    while credit > 0, !waiting.isEmpty {
      delivered.append(waiting.removeFirst().value)
      credit -= 1
    }
    if isEnding, waiting.isEmpty { hasFailed = true }
  }
}

extension LimitModel.Limits {
  /// The same limits for Fanout, on a clock whose seconds are the model's times.
  func fanout(_ clock: TestScheduler) -> [Limit<Int>] {
    var all: [Limit<Int>] = []
    if let count { all.append(.count(count)) }
    if let cost { all.append(.cost(cost) { LimitModel.cost($0) }) }
    if let age { all.append(.age(.seconds(age), clock: clock)) }
    return all
  }
}

extension LimitModel.Kind {
  var whenFull: Backlog<Int, Broken>.WhenFull {
    switch self {
    case .dropOldest: .dropOldest
    case .dropNewest: .dropNewest
    case .customError: .customError { Broken() }
    case .rejoin: .rejoin
    case .conflate: .conflate { LimitModel.key($0) }
    case .merge: .conflate { max($0, $1) }
    }
  }
}

extension LimitModel.Memory {
  var replay: Replay<Int> {
    switch self {
    case .none: .none
    case .latest: .latest
    case .last: .last(2)
    case .within: .last(.cost(6) { LimitModel.cost($0) })
    case .sinceKeyframe: .sinceKeyframe { LimitModel.isKeyframe($0) }
    case .cache: .latest { _ in 0 }
    }
  }
}
