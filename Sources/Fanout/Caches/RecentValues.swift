internal import FanoutEngine

/// A cache of the newest values that stay within a limit.
///
/// Ages are judged when a value is recorded and when a subscriber joins, so that no timer is needed.
@usableFromInline
struct RecentValues<Value> {
  private let count: Int
  private var meter: ValueMeter<Value>
  /// The values; those before `start` are dropped.
  private var values: [Value?] = []
  private var start = 0

  init(_ limit: Limit<Value>) {
    count = limit.count
    meter = ValueMeter(limit.measured)
  }

  mutating func record(_ value: Value) {
    values.append(value)
    meter.append(value)
    while values.count - start > count || meter.isOver(now: false) { dropOldest() }
  }

  /// The values that are not too old now, oldest first; drops the others.
  mutating func takeContents() -> [Value] {
    while meter.isOver(now: true) { dropOldest() }
    return values[start...].compactMap { $0 }
  }

  /// The number of these values; drops the others.
  mutating func takeCount() -> Int {
    while meter.isOver(now: true) { dropOldest() }
    return values.count - start
  }

  private mutating func dropOldest() {
    meter.removeFirst()
    values[start] = nil
    start += 1
    // The array is shortened when half of it is empty, so that this is O(1), amortised.
    guard start > 16, start * 2 > values.count else { return }
    values.removeSubrange(..<start)
    start = 0
  }
}

@available(*, unavailable)
extension RecentValues: Sendable {}
