/// Items that wait for their times, in order of time and then of arrival.
///
/// Its owner guards it, and says when a removed item is released: every removal returns what it
/// removes.
package struct Agenda<Time: Comparable, Item> {
  /// An item and its time.
  package struct Entry {
    package let identity: Int
    package let time: Time
    /// The number of the arrival: each item, and each repetition of one, has the next number.
    package let order: Int
    package let item: Item

    func isBefore(_ other: Entry) -> Bool { (time, order) < (other.time, other.order) }
  }

  // A binary heap: no entry comes before its parent, which for index i is at (i - 1) / 2.
  private var entries: [Entry] = []
  private var identities = 0
  private var arrivals = 0

  /// Creates an empty agenda.
  package init() {}

  /// The number of items.
  package var count: Int { entries.count }

  /// The entry that comes first.
  package var next: Entry? { entries.first }

  /// Counts an arrival that is kept elsewhere, and returns its number.
  package mutating func countArrival() -> Int {
    arrivals += 1
    return arrivals
  }

  /// Adds an item, and returns the number by which it can be removed.
  package mutating func add(_ item: Item, at time: Time) -> Int {
    identities += 1
    insert(Entry(identity: identities, time: time, order: countArrival(), item: item))
    return identities
  }

  /// Adds an entry that has been removed again, with a later time.
  ///
  /// Added before the item runs, a repetition comes before anything that the item itself adds for
  /// the same time.
  package mutating func add(_ entry: Entry, again time: Time) {
    insert(Entry(identity: entry.identity, time: time, order: countArrival(), item: entry.item))
  }

  /// Removes the entry that comes first.
  package mutating func takeNext() -> Entry? { entries.isEmpty ? nil : remove(at: 0) }

  /// Removes the item with a number.
  package mutating func take(_ identity: Int) -> Entry? {
    entries.firstIndex { $0.identity == identity }.map { remove(at: $0) }
  }

  /// Removes the items that match, whatever their times.
  package mutating func takeAll(where matches: (Item) -> Bool) -> [Entry] {
    let removed = entries.filter { matches($0.item) }
    let kept = entries.filter { !matches($0.item) }
    entries = []
    kept.forEach { insert($0) }
    return removed
  }

  private mutating func insert(_ entry: Entry) {
    entries.append(entry)
    rise(from: entries.count - 1)
  }

  private mutating func remove(at index: Int) -> Entry {
    entries.swapAt(index, entries.count - 1)
    let entry = entries.removeLast()
    if index < entries.count {
      rise(from: index)
      sink(from: index)
    }
    return entry
  }

  private mutating func rise(from start: Int) {
    var index = start
    while index > 0, entries[index].isBefore(entries[(index - 1) / 2]) {
      entries.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  private mutating func sink(from start: Int) {
    var index = start
    while 2 * index + 1 < entries.count {
      var child = 2 * index + 1
      if child + 1 < entries.count, entries[child + 1].isBefore(entries[child]) { child += 1 }
      guard entries[child].isBefore(entries[index]) else { return }
      entries.swapAt(index, child)
      index = child
    }
  }
}

@available(*, unavailable)
extension Agenda: Sendable {}

@available(*, unavailable)
extension Agenda.Entry: Sendable {}
