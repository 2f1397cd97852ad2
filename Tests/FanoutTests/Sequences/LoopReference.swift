import Fanout

/// The events that the rules of backlogs (B1 to B5) owe to a loop, kept in the simplest way.
struct LoopReference {
  enum Kind: String, CaseIterable, Sendable {
    case unbounded, wait, oldest, newest, error, cost, costOrCount
    case rejoinBehind, rejoinLatest, rejoinLast

    /// The number of values with which a newcomer starts.
    var replayCount: Int {
      switch self {
      case .rejoinBehind: 0
      case .rejoinLatest: 1
      default: 3
      }
    }

    var replay: Replay<Int> {
      switch replayCount {
      case 0: .none
      case 1: .latest
      default: .last(replayCount)
      }
    }

    var rejoins: Bool { [.rejoinBehind, .rejoinLatest, .rejoinLast].contains(self) }
  }

  enum Event: Equatable {
    case replayed(Int), caughtUp, live(Int), missed(Int), end(hasFailed: Bool)

    var value: Int? {
      switch self {
      case .replayed(let value), .live(let value): value
      case .caughtUp, .missed, .end: nil
      }
    }

    init(_ delivery: Delivery<Int>) {
      switch delivery {
      case .replayed(let value): self = .replayed(value)
      case .live(let value): self = .live(value)
      case .caughtUp: self = .caughtUp
      case .missed(let count): self = .missed(count ?? -1)
      }
    }
  }

  let kind: Kind
  let size: Int
  /// The events that wait, oldest first.
  private(set) var events: [Event]
  private(set) var missed = 0

  init(_ kind: Kind, _ size: Int, replay: [Int]) {
    self.kind = kind
    self.size = size
    events = replay.map { .replayed($0) } + [.caughtUp]
  }

  /// What a value costs under a limit of the cost, which is three times the size; now and then it exceeds that alone.
  static func cost(_ value: Int) -> Int { value % 7 == 6 ? 4 * (value % 5) : value % 5 }

  /// The number of values that wait.
  var waiting: Int { events.count { $0.value != nil } }
  var isEnding: Bool { if case .end? = events.last { true } else { false } }

  mutating func send(_ value: Int) {
    guard !isEnding else { return }
    guard kind != .cost, kind != .costOrCount else { return sendMeasured(value) }
    let live = events.indices.filter { if case .live = events[$0] { true } else { false } }
    guard live.count >= size, kind != .unbounded, kind != .wait else {
      return events.append(.live(value))
    }
    if kind.rejoins {
      events.append(.live(value))
      return rejoin()
    }
    missed += 1
    if kind == .oldest {
      let place = live[0]
      events.remove(at: place)
      noteMiss(before: place)
      events.append(.live(value))
    } else {
      noteMiss(before: events.count)
      if kind == .error { events.append(.end(hasFailed: true)) }
    }
  }

  private mutating func sendMeasured(_ value: Int) {
    events.append(.live(value))
    while true {
      let live = events.indices.filter { if case .live = events[$0] { true } else { false } }
      let cost = live.reduce(0) { $0 + Self.cost(events[$1].value ?? 0) }
      guard cost > 3 * size || kind == .costOrCount && live.count > size else { return }
      missed += 1
      events.remove(at: live[0])
      noteMiss(before: live[0])
    }
  }

  /// Leaves what a newcomer would get, if that is less than what waits: all that is missed is one gap.
  private mutating func rejoin() {
    let values = events.indices.filter { events[$0].value != nil }
    guard values.count > kind.replayCount else { return }
    let dropped = values.dropLast(kind.replayCount)
    guard var first = dropped.first, let last = dropped.last else { return }
    missed += dropped.count
    var lost = dropped.count
    var isCaughtUp = true
    for event in events[first...last] {
      if case .missed(let count) = event { lost += count }
      if case .caughtUp = event { isCaughtUp = false }
    }
    events.replaceSubrange(first...last, with: isCaughtUp ? [] : [.caughtUp])
    // A gap that began in the replay is told in front of `.caughtUp`, with what is missed directly behind it.
    while first > 0, events[first - 1].value == nil {
      if case .missed(let count) = events[first - 1] {
        events[first - 1] = .missed(count + lost)
        return
      }
      guard first > 1, case .missed = events[first - 2] else { break }
      first -= 1
    }
    events.insert(.missed(lost), at: first)
  }

  mutating func finish() {
    if !isEnding { events.append(.end(hasFailed: false)) }
  }

  mutating func takeEvent() -> Event { events.removeFirst() }

  /// Takes the next value, or nil if the end is next.
  mutating func takeValue() -> Int? {
    while let event = events.first {
      if case .end = event { return nil }
      events.removeFirst()
      if let value = event.value { return value }
    }
    return nil
  }

  /// Takes what a loop gets as one array, up to a number of events, or of values.
  mutating func takeArray(upTo count: Int, ofEvents: Bool) -> [Int] {
    var taken: [Event] = []
    while taken.count(where: { ofEvents || $0.value != nil }) < count, let event = events.first {
      if case .end = event { break }
      taken.append(events.removeFirst())
    }
    return taken.compactMap(\.value)
  }

  private mutating func noteMiss(before place: Int) {
    if place > 0, case .missed(let count) = events[place - 1] {
      events[place - 1] = .missed(count + 1)
    } else {
      events.insert(.missed(1), at: place)
    }
  }
}
