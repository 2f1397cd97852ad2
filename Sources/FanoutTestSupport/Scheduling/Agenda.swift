/// The pending actions of a test scheduler, in order of time and then of scheduling.
///
/// Its owner's lock guards it, so it never releases an action: it hands removed actions to its
/// caller.
struct Agenda {
  typealias Time = TestScheduler.SchedulerTimeType

  /// A wrapped action, because generic code wraps a bare closure anew each time it passes it on.
  struct Action {
    let run: @Sendable () -> Void
  }

  struct Entry {
    let identity: Int
    let time: Time
    let order: Int
    let interval: Time.Stride?
    let action: Action

    func isBefore(_ other: Entry) -> Bool { (time, order) < (other.time, other.order) }
  }

  // A binary heap: no entry comes before its parent, which for index i is at (i - 1) / 2.
  private var entries: [Entry] = []
  private var identities = 0
  private var insertions = 0

  var count: Int { entries.count }
  var nextTime: Time? { entries.first?.time }

  mutating func add(at time: Time, every interval: Time.Stride? = nil, _ action: Action) -> Int {
    identities += 1
    insert(identities, at: time, every: interval, action)
    return identities
  }

  /// Removes the next entry, and reinserts it for the next time if it repeats.
  ///
  /// A repetition therefore comes before anything that the action itself schedules for the same
  /// time.
  mutating func takeNext() -> Entry? {
    guard !entries.isEmpty else { return nil }
    let entry = remove(at: 0)
    guard let interval = entry.interval else { return entry }
    let next = entry.time.advanced(by: interval)
    // At the end of time there is no next moment.
    if next > entry.time { insert(entry.identity, at: next, every: interval, entry.action) }
    return entry
  }

  mutating func take(_ identity: Int) -> Entry? {
    entries.firstIndex { $0.identity == identity }.map { remove(at: $0) }
  }

  private mutating func insert(
    _ identity: Int, at time: Time, every interval: Time.Stride?, _ action: Action
  ) {
    insertions += 1
    entries.append(
      Entry(
        identity: identity, time: time, order: insertions, interval: interval, action: action))
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
