/// The queue of a subscriber: the values that it will still get, in order, and notes between them.
struct ReferenceQueue {
  /// A value that waits.
  struct Value: Equatable {
    let number: Int
    /// Whether it is from before the subscriber joined.
    var isReplayed = false
    /// Whether the subscriber has begun with it, so that no backlog counts it.
    var isStart = false
    /// Whether it is a header in front of the place at which the subscriber has begun.
    var isInFront = false
    /// Whether it is in the account: not if it is a header in front of a keyframe that was awaited.
    var isAccounted = true
    /// Whether it is from an earlier connection.
    var isOld = false
    /// Whether it has come behind the place at which the subscriber has begun.
    var isLater: Bool { !isStart && !isInFront }
  }

  /// A value or a note.
  enum Item: Equatable {
    case value(Value)
    case missed(Int?)
    case caughtUp

    var value: Value? { if case .value(let value) = self { value } else { nil } }
    var number: Int? { value?.number }
    var isGap: Bool { if case .missed(.some) = self { true } else { false } }
  }

  private(set) var items: [Item] = []
  /// The number of values that were lost.
  private(set) var missed = 0

  var numbers: [Int] { items.compactMap(\.number) }
  /// The values that count in a backlog.
  var counted: [Int] { items.compactMap { $0.value?.isStart == false ? $0.number : nil } }
  /// The values of this connection that count in a backlog.
  var countedOfConnection: [Int] {
    items.compactMap { $0.value.map { !$0.isStart && !$0.isOld } == true ? $0.number : nil }
  }
  /// Whether a value of an earlier connection waits.
  var hasOld: Bool { items.contains { $0.value?.isOld == true } }
  /// The place that the subscriber has reached, which is behind everything if it lacks nothing.
  var place: Int {
    return items.first { $0.value?.isInFront == false }?.number ?? .max
  }

  mutating func append(_ item: Item) { items.append(item) }

  mutating func takeFirst() -> Item? { items.isEmpty ? nil : items.removeFirst() }

  /// Notes at the end that values were lost.
  mutating func miss(_ count: Int = 1) {
    missed += count
    items.append(.missed(count))
    joinGaps()
  }

  /// Drops the values for which a condition is true, and notes it in their place.
  mutating func drop(where isDropped: (Value) -> Bool) {
    items = items.compactMap { item in
      guard let value = item.value, isDropped(value) else { return item }
      guard value.isAccounted else { return nil }
      missed += 1
      return .missed(1)
    }
    joinGaps()
  }

  /// Notes that the connection of all values is over.
  mutating func leaveConnection() {
    items = items.map { item in
      guard var value = item.value else { return item }
      value.isOld = true
      return .value(value)
    }
  }

  /// Leaves the newest number of each key of those that count, in the place of the first; returns how many made way.
  mutating func conflate(by key: (Int) -> Int) -> Int {
    var kept: [Item] = []
    var conflated = 0
    for item in items {
      let place = kept.firstIndex {
        guard let known = $0.value, let value = item.value else { return false }
        return !known.isStart && !value.isStart && key(known.number) == key(value.number)
      }
      if let place {
        kept[place] = item
        conflated += 1
      } else {
        kept.append(item)
      }
    }
    items = kept
    return conflated
  }

  /// Drops the oldest value that counts.
  mutating func dropOldest() {
    guard let oldest = items.first(where: { $0.value?.isStart == false })?.number else { return }
    drop { $0.number == oldest }
  }

  /// Begins anew with the values for which a condition is true.
  ///
  /// Those in front of the place are headers. If the place is ahead, nothing is left of an earlier start.
  mutating func begin(at place: Int, isAhead: Bool, with isKept: (Value) -> Bool) {
    drop { !isKept($0) }
    items = items.map { item in
      guard var value = item.value else { return item }
      if isAhead { value.isStart = false }
      if !value.isStart, value.number < place { value.isInFront = true }
      return .value(value)
    }
    if isAhead { moveGapsToFront() } else { moveLaterGapsToFront() }
  }

  /// Puts the gaps in front of the values behind what was its start.
  private mutating func moveLaterGapsToFront() {
    let gaps = items.filter(\.isGap)
    items.removeAll(where: \.isGap)
    let isStart = { (item: Item) in item.value?.isStart != false }
    items.insert(contentsOf: gaps, at: items.lastIndex(where: isStart).map { $0 + 1 } ?? 0)
    joinGaps()
  }

  /// Puts the gaps in front of the values: one that reaches into the replay in front of that.
  private mutating func moveGapsToFront() {
    let parts = items.split(separator: .caughtUp, maxSplits: 1, omittingEmptySubsequences: false)
    let gaps = items.filter(\.isGap)
    let isInReplay = parts.count > 1 && parts[0].contains(where: \.isGap)
    var values = parts.map { $0.filter { !$0.isGap } }
    if let index = isInReplay ? 0 : values.indices.last {
      let place = values[index].firstIndex { $0.value != nil } ?? values[index].endIndex
      values[index].insert(contentsOf: gaps, at: place)
    }
    items = Array(values.joined(separator: [.caughtUp]))
    joinGaps()
  }

  /// Makes one gap of those between which no value lies.
  private mutating func joinGaps() {
    var joined: [Item] = []
    for item in items {
      let last = joined.lastIndex { $0 != .caughtUp }
      if case .missed(let more?) = item, let last, case .missed(let count?) = joined[last] {
        joined[last] = .missed(count + more)
      } else {
        joined.append(item)
      }
    }
    items = joined
  }
}
