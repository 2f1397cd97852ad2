/// What a subscriber will still get, in order: values, and notes between them.
struct ReferenceQueue {
  /// A value or a note.
  enum Item: Equatable {
    case value(Int, isReplayed: Bool, isStart: Bool)
    case missed(Int?)
    case caughtUp

    var number: Int? { if case .value(let number, _, _) = self { number } else { nil } }
    /// Whether it is a value that counts in a backlog.
    var counts: Bool { if case .value(_, _, isStart: false) = self { true } else { false } }
  }

  private(set) var items: [Item] = []
  /// The number of values that were lost.
  private(set) var missed = 0

  var numbers: [Int] { items.compactMap(\.number) }
  /// The number of values that count in a backlog.
  var counted: Int { items.reduce(0) { $0 + ($1.counts ? 1 : 0) } }

  mutating func append(_ item: Item) { items.append(item) }

  mutating func takeFirst() -> Item? { items.isEmpty ? nil : items.removeFirst() }

  /// Notes at the end that values were lost.
  mutating func miss(_ count: Int = 1) {
    missed += count
    items.append(.missed(count))
    joinGaps()
  }

  /// Drops the values for which a condition is true, and notes it in their place.
  mutating func drop(where isDropped: (Item) -> Bool) {
    items = items.map { item in
      guard item.number != nil, isDropped(item) else { return item }
      missed += 1
      return .missed(1)
    }
    joinGaps()
  }

  /// Drops the oldest value that counts.
  mutating func dropOldest() {
    guard let oldest = items.first(where: \.counts)?.number else { return }
    drop { $0.number == oldest }
  }

  /// Makes all values the start of the subscriber, which no backlog counts.
  mutating func begin() {
    items = items.map { item in
      guard case .value(let number, let isReplayed, _) = item else { return item }
      return .value(number, isReplayed: isReplayed, isStart: true)
    }
    moveGapsToFront()
  }

  /// Puts each gap in front of what is still there of the same part, replayed or live.
  private mutating func moveGapsToFront() {
    let parts = items.split(separator: .caughtUp, maxSplits: 1, omittingEmptySubsequences: false)
    let moved = parts.map { part -> [Item] in
      let gaps = part.filter { if case .missed = $0 { true } else { false } }
      return gaps + part.filter { $0.number != nil }
    }
    items = Array(moved.joined(separator: [.caughtUp]))
    joinGaps()
  }

  private mutating func joinGaps() {
    var joined: [Item] = []
    for item in items {
      if case .missed(let more) = item, case .missed(let count) = joined.last {
        joined.removeLast()
        joined.append(.missed(count.flatMap { count in more.map { $0 + count } }))
      } else {
        joined.append(item)
      }
    }
    items = joined
  }
}
