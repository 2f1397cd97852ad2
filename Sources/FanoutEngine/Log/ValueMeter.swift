/// Limits for values in a queue beside their number: what they cost together, and how old they are.
public struct ValueLimits<Element> {
  /// The closure that returns the cost of a value, and the greatest cost of all of them.
  package let cost: (of: (Element) -> Int, limit: Int)?
  /// The closure that makes what knows the ages.
  package let makeAges: (() -> ValueAges)?

  /// Creates limits; by default there is none.
  public init(
    cost: (of: (Element) -> Int, limit: Int)? = nil, makeAges: (() -> ValueAges)? = nil
  ) {
    self.cost = cost
    self.makeAges = makeAges
  }
}

/// The times at which the values of a queue were added to it, which a scheduler measures.
open class ValueAges {
  /// Creates an empty list of times.
  public init() { noteCreation(of: self, isPart: true) }

  /// Adds the current time, for a value that is added to the queue.
  open func append() {}

  /// Removes the oldest time.
  open func removeFirst() {}

  /// Begins anew, with the current time for the only value.
  public final func restart() {
    removeFirst()
    append()
  }

  /// Removes the newest time.
  open func removeLast() {}

  /// Puts the oldest time behind all others.
  open func moveFirstBehind() {}

  /// Returns whether the oldest value is too old: now, or when the newest value was added.
  open func isFirstTooOld(now: Bool) -> Bool { false }
}

/// A measure of the newest values of a queue: what they cost together, and how old they are.
///
/// It holds no value. Its owner tells it of each value that is added to the queue, and how many are left.
@frozen
package struct ValueMeter<Element> {
  let cost: (of: (Element) -> Int, limit: Int)?
  package let ages: ValueAges?
  /// The cost of each value, if that matters.
  package let costs: ValueQueue<Int>?
  /// The cost of all values, which may exceed the range of `Int`.
  package var total: Int128 = 0
  /// The number of values that are measured.
  package var count = 0

  package init(_ limits: ValueLimits<Element>?) {
    cost = limits?.cost
    costs = cost == nil ? nil : ValueQueue()
    ages = limits?.makeAges?()
  }

  /// Whether the values exceed a limit: with their cost, or because the oldest was too old when the newest came.
  package var isOver: Bool { isOver(now: false) }

  package func isOver(now: Bool) -> Bool {
    if let cost, total > cost.limit { return true }
    return isFirstTooOld(now: now)
  }

  /// Returns whether the oldest value is too old: now, or when the newest came.
  package func isFirstTooOld(now: Bool) -> Bool {
    guard count > 0, let ages else { return false }
    return ages.isFirstTooOld(now: now)
  }

  /// Whether the values have reached a limit, so that there is no room for one more.
  package var isFull: Bool {
    if let cost, total >= cost.limit { return true }
    return isFirstTooOld(now: true)
  }

  /// Returns whether the newest `count` values cost more than the limit.
  package func isOver(last count: Int) -> Bool {
    guard let cost, let costs else { return false }
    return costs.values.suffix(count).reduce(Int128()) { $0 + Int128($1) } > cost.limit
  }

  /// Adds a value.
  package mutating func append(_ element: Element) { append(costing: cost?.of(element) ?? 0) }

  /// Adds a value that has the specified cost.
  package mutating func append(costing known: Int) {
    if let costs {
      let own = max(0, known)
      costs.append(own)
      total &+= Int128(own)
    }
    ages?.append()
    count &+= 1
  }

  /// Removes the oldest value.
  package mutating func removeFirst() {
    guard count > 0 else { return }
    if let own = costs?.popFirst() { total &-= Int128(own) }
    ages?.removeFirst()
    count &-= 1
  }

  /// Removes the newest value.
  package mutating func removeLast() {
    guard count > 0 else { return }
    if let own = costs?.popLast() { total &-= Int128(own) }
    ages?.removeLast()
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
      ages?.moveFirstBehind()
    }
  }

  /// Removes the oldest values until no more than `kept` are left.
  package mutating func keepLast(_ kept: Int) {
    while count > max(kept, 0) { removeFirst() }
  }
}

@available(*, unavailable)
extension ValueLimits: Sendable {}

@available(*, unavailable)
extension ValueAges: Sendable {}

@available(*, unavailable)
extension ValueMeter: Sendable {}
