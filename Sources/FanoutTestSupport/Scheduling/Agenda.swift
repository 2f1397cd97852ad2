/// What a test scheduler has still to do, in order of time and then of scheduling.
///
/// It is guarded by its owner's lock, so it never releases an action: it hands them out.
struct Agenda {
  typealias Time = TestScheduler.SchedulerTimeType

  /// Wrapped, because a closure that passes through generic code is wrapped anew each time.
  struct Action {
    let run: @Sendable () -> Void
  }

  struct Entry {
    let identity: Int
    let time: Time
    let interval: Time.Stride?
    let action: Action
  }

  // The next one last, where it is taken off for nothing.
  private var entries: [Entry] = []
  private var identities = 0

  var count: Int { entries.count }
  var nextTime: Time? { entries.last?.time }

  mutating func add(at time: Time, every interval: Time.Stride? = nil, _ action: Action) -> Int {
    identities += 1
    insert(Entry(identity: identities, time: time, interval: interval, action: action))
    return identities
  }

  /// Takes the next one off, and puts it back for the next time if it is to be repeated.
  ///
  /// So a repetition comes before what the action itself schedules for the same time.
  mutating func takeNext() -> Entry? {
    guard let entry = entries.popLast() else { return nil }
    guard let interval = entry.interval else { return entry }
    let next = entry.time.advanced(by: interval)
    // At the end of time there is no next one.
    guard next > entry.time else { return entry }
    insert(
      Entry(identity: entry.identity, time: next, interval: interval, action: entry.action))
    return entry
  }

  mutating func take(_ identity: Int) -> Entry? {
    guard let index = entries.firstIndex(where: { $0.identity == identity }) else { return nil }
    return entries.remove(at: index)
  }

  private mutating func insert(_ entry: Entry) {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      // In front of, which is to say after, everything of the same time.
      if entries[middle].time > entry.time { low = middle + 1 } else { high = middle }
    }
    entries.insert(entry, at: low)
  }
}
