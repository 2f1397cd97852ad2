internal import FanoutEngine

/// One read of a store that loops share.
///
///       forgotten             the window, at most 256        at most 32 ahead
///     ├────────────┬─────────────────────┬───────────────────┤
///                  ↑ base                ↑ farthest place    ↑ base + values.count
///
/// Its task waits when it is ahead of the farthest place by `lead`. A place that the window has
/// passed is left behind: its loop asks anew, from its last id. So a slow loop holds back no other
/// one.
final class HistoryRead<Value: Sendable, ID: Comparable & Sendable>: Sendable {
  /// The greatest number of values that are kept.
  static var window: Int { 256 }
  /// The greatest number of values that no place has taken.
  static var lead: Int { 32 }

  /// The outcome of a request for the next value of a place.
  enum Found {
    case value(Value)
    /// The read has ended.
    case end(HistoryRange<ID>, number: Int)
    /// It has failed.
    case failure(any Error, HistoryRange<ID>)
    /// The window has passed the place.
    case behind
    /// The task of the loop is cancelled.
    case cancelled
  }

  /// The state by which a newcomer chooses a read.
  struct Outline {
    fileprivate(set) var range: HistoryRange<ID>
    fileprivate(set) var hasBegun: Bool
    fileprivate var isFixed: Bool
    fileprivate var version: Int
    /// The last value that was forgotten.
    fileprivate var forgotten: Value?

    /// Returns whether the read has, or will have, what comes first in a range.
    func serves(_ other: HistoryRange<ID>, isAlone: Bool, id: (Value) -> ID) -> Bool {
      // A loop that has almost everything does not wait for one that begins at the beginning.
      guard (range.after == nil) == (other.after == nil) else { return false }
      if isAlone, range.after != other.after { return false }
      guard let after = other.after else { return forgotten == nil }
      if let end = range.before, end <= after { return false }
      if let forgotten { return id(forgotten) <= after }
      guard let start = range.after else { return true }
      // One that has not begun is made wider, but not across what neither needs.
      return start <= after || !hasBegun && !isFixed && other.before.map { $0 > start } ?? true
    }
  }

  private struct State {
    var range: HistoryRange<ID>
    /// Whether a loop needs it to begin exactly where it does.
    var isFixed: Bool
    var number: Int?
    /// It changes with the range, the beginning and the window.
    var version = 0
    var values: [Value] = []
    var base = 0
    var forgotten: Value?
    var farthest = 0
    var places = 1
    /// Whether its task has ended, or no place is left.
    var isOver = false
    var failure: (any Error)?
    var task: Task<Void, Never>?
    /// The task, while it waits for room.
    var producer: OneShot<Void>?
    /// The loops that wait for a value.
    var waiting: [OneShot<Void>] = []

    var end: Int { base + values.count }
    var hasRoom: Bool { isOver || end - farthest < HistoryRead.lead }

    /// Forgets the first values; returns what is to be released.
    mutating func forget(_ count: Int) -> [Value] {
      var old = Array(values.prefix(count))
      values.removeFirst(count)
      if let forgotten { old.append(forgotten) }
      forgotten = old[count - 1]
      base += count
      version += 1
      return old
    }

    mutating func takeProducer() -> OneShot<Void>? {
      guard hasRoom else { return nil }
      defer { producer = nil }
      return producer
    }
  }

  private let reads: HistoryReads<Value, ID>
  private let state: Lock<State>

  /// Creates a read with one place.
  init(_ range: HistoryRange<ID>, isFixed: Bool, in reads: HistoryReads<Value, ID>) {
    self.reads = reads
    state = Lock(State(range: range, isFixed: isFixed))
    noteCreation(of: self, isPart: true)
  }

  var outline: Outline {
    state.withLock {
      Outline(
        range: $0.range, hasBegun: $0.number != nil, isFixed: $0.isFixed, version: $0.version,
        forgotten: $0.forgotten)
    }
  }

  /// Adds a place at the beginning of the window, if the read is still as it was looked at.
  ///
  /// - Parameters:
  ///   - outline: The state for which the newcomer has decided.
  ///   - range: The range to read instead, if the read has not begun.
  ///   - isFixed: Whether the newcomer needs the read to begin where it does.
  /// - Returns: The position of the place, or nil if the newcomer has to look again.
  func join(_ outline: Outline, widening range: HistoryRange<ID>?, isFixed: Bool) -> Int? {
    // The outline retains the range that is replaced, so that nothing is released under the lock.
    state.withLock { state in
      guard !state.isOver, state.version == outline.version else { return nil }
      state.places += 1
      if range != nil || isFixed && !state.isFixed { state.version += 1 }
      if let range { state.range = range }
      if isFixed { state.isFixed = true }
      return state.base
    }
  }

  /// Starts the task.
  func start() {
    let task = startTask(.own(nil)) { await self.run() }
    let isOver = state.withLock { state in
      if !state.isOver { state.task = task }
      return state.isOver
    }
    if isOver { task.cancel() }
  }

  private func run() async {
    let number = reads.begin()
    let range = state.withLock { state -> HistoryRange<ID>? in
      guard !state.isOver else { return nil }
      state.number = number
      state.version += 1
      return state.range
    }
    guard let range else { return }
    var failure: (any Error)?
    do {
      try await reads.feed(range) { value in
        let id = self.reads.id(value)
        if range.contains(id) { return await self.add(value) }
        // Another loop may need what lies behind the range, and the store need not give all of
        // that.
        return range.before.map { id < $0 } ?? true && !Task.isCancelled
      }
    } catch {
      failure = error
    }
    reads.remove(self)
    let waiting = state.withLock { state in
      if !state.isOver { state.failure = failure }
      state.isOver = true
      state.task = nil
      defer { state.waiting = [] }
      return state.waiting
    }
    for waiter in waiting { waiter.give(()) }
  }

  /// Adds a value, and waits for room; returns false if no more values are needed.
  private func add(_ value: Value) async -> Bool {
    let (waiting, producer, old, isOver) = state.withLock {
      state -> ([OneShot<Void>], OneShot<Void>?, [Value], Bool) in
      guard !state.isOver else { return ([], nil, [], true) }
      let old = state.values.count == Self.window ? state.forget(Self.window / 2) : []
      state.values.append(value)
      if !state.hasRoom { state.producer = OneShot() }
      defer { state.waiting = [] }
      return (state.waiting, state.producer, old, false)
    }
    withExtendedLifetime(old) {}
    for waiter in waiting { waiter.give(()) }
    await producer?.wait(isolation: nil)
    return !isOver
  }

  /// Takes the next value of a place, or waits for it.
  func next(at position: inout Int, isolation actor: isolated (any Actor)?) async -> Found {
    while true {
      if Task.isCancelled { return .cancelled }
      let (found, waiter, producer) = look(at: &position)
      producer?.give(())
      if let found { return found }
      guard let waiter else { return .cancelled }
      await withTaskCancellationHandler {
        await waiter.wait(isolation: actor)
      } onCancel: {
        if removeWaiter(waiter) { waiter.give(()) }
      }
    }
  }

  private func look(at position: inout Int) -> (Found?, OneShot<Void>?, producer: OneShot<Void>?) {
    let here = position
    let (found, waiter, producer) = state.withLock {
      state -> (Found?, OneShot<Void>?, OneShot<Void>?) in
      guard here >= state.base else { return (.behind, nil, nil) }
      if here < state.end {
        state.farthest = max(state.farthest, here + 1)
        return (.value(state.values[here - state.base]), nil, state.takeProducer())
      }
      if state.isOver {
        if let failure = state.failure { return (.failure(failure, state.range), nil, nil) }
        return (.end(state.range, number: state.number ?? 0), nil, nil)
      }
      let waiter = OneShot<Void>()
      state.waiting.append(waiter)
      return (nil, waiter, nil)
    }
    if case .value? = found { position += 1 }
    return (found, waiter, producer)
  }

  private func removeWaiter(_ waiter: OneShot<Void>) -> Bool {
    state.withLock { state in
      guard let index = state.waiting.firstIndex(where: { $0 === waiter }) else { return false }
      state.waiting.remove(at: index)
      return true
    }
  }

  /// Removes a place; the last one cancels the task.
  func leave() {
    let (task, producer, values, isLast) = state.withLock {
      state -> (Task<Void, Never>?, OneShot<Void>?, [Value], Bool) in
      state.places -= 1
      guard state.places == 0, !state.isOver else { return (nil, nil, [], false) }
      state.isOver = true
      defer {
        state.task = nil
        state.values = []
      }
      return (state.task, state.takeProducer(), state.values, true)
    }
    withExtendedLifetime(values) {}
    guard isLast else { return }
    task?.cancel()
    producer?.give(())
    reads.remove(self)
  }
}
