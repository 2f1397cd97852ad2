/// Limits for values in a queue beside their number: what they cost together, and how old they are.
public struct ValueLimits<Element> {
  /// The closure that returns the cost of a value, and the greatest cost of all of them.
  package let cost: (of: (Element) -> Int, limit: Int)?
  /// The closure that reads a clock, and the greatest age, both in nanoseconds.
  package let age: (now: () -> Int64, limit: Int64)?

  /// Creates limits; by default there is none.
  public init(
    cost: (of: (Element) -> Int, limit: Int)? = nil,
    age: (now: () -> Int64, limit: Int64)? = nil
  ) {
    self.cost = cost
    self.age = age
  }
}

/// A measure of the newest values of a queue: what they cost together, and how old they are.
///
/// It holds no value. Its owner tells it of each value that is added to the queue, and how many are
/// left.
@frozen
package struct ValueMeter<Element> {
  let cost: (of: (Element) -> Int, limit: Int)?
  package let age: (now: () -> Int64, limit: Int64)?
  /// The cost of each value, if that matters.
  package let costs: ValueQueue<Int>?
  /// The time at which each value was added, if that matters.
  package let times: ValueQueue<Int64>?
  /// The cost of all values, which may exceed the range of `Int`.
  package var total: Int128 = 0
  /// The number of values that are measured.
  package var count = 0

  /// Creates a measure by which nothing is limited.
  init() { (cost, age, costs, times) = (nil, nil, nil, nil) }

  package init(_ limits: ValueLimits<Element>?) {
    (cost, age) = (limits?.cost, limits?.age)
    costs = cost == nil ? nil : ValueQueue()
    times = age == nil ? nil : ValueQueue()
  }

  /// Whether the values exceed a limit: with their cost, or because the oldest was too old when the
  /// newest came.
  package var isOver: Bool {
    if let cost, total > cost.limit { return true }
    guard count > 0, let age, let log = times?.log else { return false }
    return log.value(at: log.end &- 1) &- log.value(at: log.head) > age.limit
  }

  /// Whether the values have reached a limit, so that there is no room for one more.
  package var isFull: Bool {
    if let cost, total >= cost.limit { return true }
    guard count > 0, let age, let log = times?.log else { return false }
    return now &- log.value(at: log.head) > age.limit
  }

  /// The time by which ages are judged.
  var now: Int64 { age?.now() ?? 0 }

  /// Returns how many of the oldest values are too old at a time.
  package func tooOldCount(at now: Int64) -> Int {
    guard let age, let log = times?.log else { return 0 }
    var (place, chunk) = (log.head, log.first)
    while let current = chunk {
      while place < current.end, now &- current.slot(place).pointee > age.limit { place &+= 1 }
      guard place == current.end else { break }
      chunk = current.next
    }
    return place &- log.head
  }

  /// Returns whether the newest `count` values cost more than the limit.
  package func isOver(last count: Int) -> Bool {
    guard let cost, let costs else { return false }
    return costs.values.suffix(count).reduce(Int128()) { $0 + Int128($1) } > cost.limit
  }

  /// Returns the cost of a value, and the time, for which it calls the closures.
  package func measure(_ element: Element) -> (cost: Int, time: Int64) {
    (max(0, cost?.of(element) ?? 0), now)
  }

  /// Adds a value.
  package mutating func append(_ element: Element) { append(measure(element)) }

  /// Adds a value that was measured.
  package mutating func append(_ own: (cost: Int, time: Int64)) {
    costs?.append(own.cost)
    total &+= Int128(own.cost)
    times?.append(own.time)
    count &+= 1
  }

  /// Removes the oldest value.
  package mutating func removeFirst() {
    guard count > 0 else { return }
    if let own = costs?.popFirst() { total &-= Int128(own) }
    _ = times?.popFirst()
    count &-= 1
  }

  /// Removes the newest value.
  package mutating func removeLast() {
    guard count > 0 else { return }
    if let own = costs?.popLast() { total &-= Int128(own) }
    _ = times?.popLast()
    count &-= 1
  }

  /// Keeps the values whose indices match, oldest first, behind others that are added.
  package mutating func keep(behind others: [Element], _ isKept: (Int) -> Bool) {
    let known = count
    for element in others { append(element) }
    for index in 0..<known {
      guard isKept(index) else {
        removeFirst()
        continue
      }
      if let own = costs?.popFirst() { costs?.append(own) }
      if let own = times?.popFirst() { times?.append(own) }
    }
  }

  /// Removes the oldest values until no more than `kept` are left.
  package mutating func keepLast(_ kept: Int) {
    while count > max(kept, 0) { removeFirst() }
  }
}

@available(*, unavailable)
extension ValueLimits: Sendable {}
