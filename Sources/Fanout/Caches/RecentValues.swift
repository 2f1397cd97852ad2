/// A cache of the newest values that are not older than a limit.
///
/// Ages are judged when a value is recorded and when a subscriber joins, so that no timer is needed.
@usableFromInline
struct RecentValues<Context: Scheduler, Value> {
  @usableFromInline let count: Int
  @usableFromInline let age: Context.SchedulerTimeType.Stride
  @usableFromInline let scheduler: Context
  /// The values with the times at which they were recorded; those before `start` are dropped.
  @usableFromInline var values: [(value: Value?, time: Context.SchedulerTimeType)] = []
  @usableFromInline var start = 0

  @inlinable
  init(count: Int, age: Context.SchedulerTimeType.Stride, scheduler: Context) {
    self.count = count
    self.age = age
    self.scheduler = scheduler
  }

  @inlinable
  mutating func record(_ value: Value) {
    values.append((value, scheduler.now))
    while values.count - start > count { dropOldest() }
    dropOld()
  }

  /// The values that are not too old now, oldest first; drops the others.
  @inlinable
  mutating func takeContents() -> [Value] {
    dropOld()
    return values[start...].compactMap { $0.value }
  }

  /// The number of these values; drops the others.
  @inlinable
  mutating func takeCount() -> Int {
    dropOld()
    return values.count - start
  }

  @inlinable
  mutating func dropOld() {
    let now = scheduler.now
    while start < values.count, values[start].time.distance(to: now) > age { dropOldest() }
  }

  @inlinable
  mutating func dropOldest() {
    values[start].value = nil
    start += 1
    // The array is shortened when half of it is empty, so that this is O(1), amortised.
    guard start > 16, start * 2 > values.count else { return }
    values.removeSubrange(..<start)
    start = 0
  }
}

@available(*, unavailable)
extension RecentValues: Sendable {}
