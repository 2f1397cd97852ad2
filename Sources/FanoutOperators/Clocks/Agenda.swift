/// Items that wait for their times, in order of time and then of arrival.
///
/// Its owner guards it, and says when a removed item is released: every removal returns what it
/// removes. Cost: amortised O(log *n*) for each item that is added or removed.
package struct Agenda<Time: Comparable, Item> {
  /// An item and its time.
  package struct Entry {
    package let identity: Int
    package let time: Time
    /// The number of the arrival: each item, and each repetition of one, has the next number.
    package let order: Int
    package let item: Item
  }

  /// The place of an item in the order; of one that was removed, it may stay behind for a while.
  fileprivate struct Place {
    let identity: Int
    let time: Time
    let order: Int

    func isBefore(_ other: Place) -> Bool { (time, order) < (other.time, other.order) }
  }

  private var items: [Int: Item] = [:]
  // A binary heap: no place comes before its parent, which for index i is at (i - 1) / 2. The first
  // one has its item.
  private var places: [Place] = []
  private var identities = 0
  private var arrivals = 0

  /// Creates an empty agenda.
  package init() {}

  /// The number of items.
  package var count: Int { items.count }

  /// The entry that comes first.
  package var next: Entry? {
    places.first.flatMap { place in items[place.identity].map { Entry(place, $0) } }
  }

  /// Counts an arrival that is kept elsewhere, and returns its number.
  package mutating func countArrival() -> Int {
    arrivals += 1
    return arrivals
  }

  /// Returns the number by which an item can be removed that is added with it.
  package mutating func nextIdentity() -> Int {
    identities += 1
    return identities
  }

  /// Adds an item, and returns the number by which it can be removed.
  package mutating func add(_ item: Item, at time: Time) -> Int {
    let identity = nextIdentity()
    add(item, identity, at: time)
    return identity
  }

  /// Adds an entry that has been removed again, with a later time.
  ///
  /// Added before the item runs, a repetition comes before anything that the item itself adds for
  /// the same time.
  package mutating func add(_ entry: Entry, again time: Time) {
    add(entry.item, entry.identity, at: time)
  }

  /// Removes the entry that comes first.
  package mutating func takeNext() -> Entry? {
    guard let next else { return nil }
    items[next.identity] = nil
    forgetRemoved()
    return next
  }

  /// Removes the item with a number.
  package mutating func take(_ identity: Int) -> Item? {
    let item = items.removeValue(forKey: identity)
    if item != nil { forgetRemoved() }
    return item
  }

  /// Removes the items that match, whatever their times.
  package mutating func takeAll(where matches: (Item) -> Bool) -> [Item] {
    let removed = items.filter { matches($0.value) }
    for identity in removed.keys { items[identity] = nil }
    forgetRemoved()
    return Array(removed.values)
  }

  /// Adds an item with a number from ``nextIdentity()``.
  package mutating func add(_ item: Item, _ identity: Int, at time: Time) {
    items[identity] = item
    places.append(Place(identity: identity, time: time, order: countArrival()))
    rise(from: places.count - 1)
  }

  /// Removes the places of items that were removed, if they come first or are more than half.
  private mutating func forgetRemoved() {
    if places.count > 16, places.count > 2 * items.count {
      let kept = places.filter { items[$0.identity] != nil }
      places = []
      for place in kept {
        places.append(place)
        rise(from: places.count - 1)
      }
    }
    while let first = places.first, items[first.identity] == nil { removeFirst() }
  }

  private mutating func removeFirst() {
    places.swapAt(0, places.count - 1)
    places.removeLast()
    sink(from: 0)
  }

  private mutating func rise(from start: Int) {
    var index = start
    while index > 0, places[index].isBefore(places[(index - 1) / 2]) {
      places.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  private mutating func sink(from start: Int) {
    var index = start
    while 2 * index + 1 < places.count {
      var child = 2 * index + 1
      if child + 1 < places.count, places[child + 1].isBefore(places[child]) { child += 1 }
      guard places[child].isBefore(places[index]) else { return }
      places.swapAt(index, child)
      index = child
    }
  }
}

extension Agenda.Entry {
  fileprivate init(_ place: Agenda.Place, _ item: Item) {
    self.init(identity: place.identity, time: place.time, order: place.order, item: item)
  }
}
