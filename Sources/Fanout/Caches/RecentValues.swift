internal import FanoutEngine

/// A cache of the newest values that stay within a limit.
///
/// Ages are judged when a value is recorded and when a subscriber joins, so that no timer is needed.
struct RecentValues<Value> {
  private let limit: Int
  private var meter: ValueMeter<Value>
  /// The values; those before `start` are dropped.
  private var values: [Value?] = []
  private var start = 0

  init(_ limit: Limit<Value>) {
    self.limit = limit.count
    meter = ValueMeter(limit.measured)
  }

  /// The number of the values that are kept.
  var count: Int { values.count - start }

  /// The values that are kept, oldest first.
  var contents: [Value] { values[start...].compactMap { $0 } }

  mutating func record(_ value: Value, _ measure: (cost: Int, time: Int64)) {
    values.append(value)
    meter.append(measure)
  }

  /// Drops the oldest value if the limit does not allow it, now or when the newest one was recorded; returns it.
  mutating func takeExcess(now: Bool) -> Value? {
    guard count > limit || meter.isOver(now: now) else { return nil }
    meter.removeFirst()
    let oldest = values[start].take()
    start += 1
    // The array is shortened when half of it is empty, so that this is O(1), amortised.
    if start > 16, start * 2 > values.count {
      values.removeSubrange(..<start)
      start = 0
    }
    return oldest
  }
}

@available(*, unavailable)
extension RecentValues: Sendable {}
