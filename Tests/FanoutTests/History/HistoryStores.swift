import Fanout
import FanoutTestSupport
import TestFixtures

typealias NumberHistory = History<Int, Int>
typealias SplicedNumbers = SplicedDeliveries<Int, Int, Never>

/// A store that answers at once, and notes what it is asked.
final class NumberStore: Sendable {
  struct State {
    var rows: [Int] = []
    /// The greatest id that it has had.
    var newest = 0
    /// Ids up to this one are forgotten.
    var forgotten = Int.min
    /// Whether it says what it has forgotten.
    var tells = true
    var isFailing = false
    /// Whether it says that it does not know an id that lies behind all of its own.
    var knowsIDs = false
    var ranges: [HistoryRange<Int>] = []
  }

  let state: Shared<State>

  init(_ rows: some Sequence<Int> = [], knowsIDs: Bool = false) {
    let rows = Array(rows)
    state = Shared(State(rows: rows, newest: rows.last ?? 0, knowsIDs: knowsIDs))
  }

  var ranges: [HistoryRange<Int>] { state.value.ranges }

  func commit(_ row: Int) {
    state.change { state in
      state.rows.append(row)
      state.newest = row
    }
  }

  func trim(through id: Int, tells: Bool = true) {
    state.change { state in
      state.forgotten = max(state.forgotten, id)
      state.tells = tells
      state.rows.removeAll { $0 <= id }
    }
  }

  func read(_ range: HistoryRange<Int>) throws -> [Int] {
    let state = state.change { state in
      state.ranges.append(range)
      return state
    }
    if state.isFailing { throw Broken() }
    if state.knowsIDs, let after = range.after, after > state.newest { throw HistoryGap<Int>() }
    if state.tells, state.forgotten > .min, (range.after ?? .min) < state.forgotten {
      throw HistoryGap(resumingAfter: state.forgotten)
    }
    return state.rows.filter { range.contains($0) }
  }

  var history: NumberHistory { History(by: \.self) { [self] in try read($0) } }
}

/// A store whose reads a test answers by hand.
final class HandStore: Sendable {
  typealias Rows = AsyncThrowingStream<Int, any Error>

  struct Read: Sendable {
    let range: HistoryRange<Int>
    let rows: Rows.Continuation

    /// Gives the rows, and ends.
    func finish(_ rows: some Sequence<Int>) {
      for row in rows { self.rows.yield(row) }
      self.rows.finish()
    }
  }

  private let reads = Shared<[Read]>([])
  /// The number of reads whose iteration was ended by the history.
  let cancelled = Shared(0)

  var count: Int { reads.value.count }

  /// Waits for a read; runs the loops that may ask for it, if an executor has them.
  func read(_ index: Int, running executor: HandRunExecutor? = nil) async -> Read {
    while true {
      executor?.runAll()
      let reads = reads.value
      if index < reads.count { return reads[index] }
      await Task.yield()
    }
  }

  var history: NumberHistory {
    History(by: \.self) { [self] range in
      let (stream, rows) = Rows.makeStream()
      rows.onTermination = { [cancelled] in
        if case .cancelled = $0 { cancelled.increment() }
      }
      reads.change { $0.append(Read(range: range, rows: rows)) }
      return stream
    }
  }
}

/// A loop that runs in a task of its own, with a place that it has taken before.
struct NumberLoop: Sendable {
  let events = Shared<[Delivery<Int>]>([])
  let task: Task<Void, Never>
  private let isOver = Shared(false)
  private let executor: HandRunExecutor?

  init(_ sequence: SplicedNumbers, on executor: HandRunExecutor? = nil) {
    let loop = sequence.makeAsyncIterator()
    self.executor = executor
    task = Task(executorPreference: executor) { [events, isOver] in
      var loop = loop
      while let event = await loop.next() { events.change { $0.append(event) } }
      isOver.value = true
    }
  }

  /// Waits for the end; returns all events.
  func all() async -> [Delivery<Int>] {
    while !isOver.value {
      executor?.runAll()
      await Task.yield()
    }
    return events.value
  }

  /// Waits until there are some events.
  func first(_ count: Int) async -> [Delivery<Int>] {
    while events.value.count < count {
      executor?.runAll()
      await Task.yield()
    }
    return events.value
  }
}

extension SplicedNumbers {
  /// Takes all events, in this task.
  func all() async -> [Delivery<Int>] {
    var events: [Delivery<Int>] = []
    for await event in self { events.append(event) }
    return events
  }
}

/// The events of values from the store or the replay, or of live ones.
func replayed(_ values: some Sequence<Int>) -> [Delivery<Int>] { values.map { .replayed($0) } }
func live(_ values: some Sequence<Int>) -> [Delivery<Int>] { values.map { .live($0) } }
