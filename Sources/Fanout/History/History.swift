internal import FanoutEngine

/// A store of the values of a shared stream, from which loops get what was before they joined.
///
/// Make one for a stream, and pass it to each
/// ``SharedSequence/joining(after:from:ifNil:backlog:label:)``. Loops that ask for overlapping
/// ranges at the same time share one read (H5).
///
/// The store and the live stream must fit together:
///
/// - A value is in the store before it is sent live.
/// - Ids ascend, in the store and in the live stream, and no two values have the same one. When an
///   id is in the store, no smaller one comes later.
/// - A read gives the values of its range in ascending order, and ends. It may give more: what lies
///   outside the range is dropped, and a value behind the range ends the read. What comes after
///   that one is not looked at.
/// - A store that can forget says so; see ``HistoryGap``.
///
/// If a stream can begin anew, its ids must not begin anew. A pair of an epoch and a number is an
/// id that ascends.
///
/// - Threads: the closures run in a task of their own, with no lock held.
/// - Memory: of a read of a sequence, at most 256 values, while it runs. It is at most 32 values
///   ahead of the fastest loop. An array is kept whole until the read ends.
/// - Ownership: retains the closures. A loop retains the history.
///
/// ```swift
/// import Fanout
///
/// struct Message: Sendable {
///   let id: Int
///   let text: String
/// }
/// let stored = [Message(id: 1, text: "one"), Message(id: 2, text: "two")]
/// let history = History(by: \Message.id) { range in
///   stored.filter { range.contains($0.id) }
/// }
/// let live = Broadcast<Message, Never>(replay: .last(1))
/// live.yield(Message(id: 3, text: "three"))
/// live.finish()
/// for await message in live.values.joining(after: 1, from: history).values {
///   print(message.text)
/// }
/// // Prints:
/// // two
/// // three
/// ```
public final class History<Value: Sendable, ID: Comparable & Sendable>: Sendable {
  /// The closure that returns the id of a value.
  let id: @Sendable (Value) -> ID
  /// Whether the store leaves out values that a later one replaces.
  let isConflated: Bool
  let reads: HistoryReads<Value, ID>

  private init(
    id: @escaping @Sendable (Value) -> ID, isConflated: Bool,
    feed: @escaping HistoryReads<Value, ID>.Feed
  ) {
    self.id = id
    self.isConflated = isConflated
    reads = HistoryReads(id: id, feed: feed)
    noteCreation(of: self)
  }

  /// Creates a history whose values come as an asynchronous sequence.
  ///
  /// The sequence is iterated no faster than its loops take the values. When no loop needs it any
  /// more, its task is cancelled.
  ///
  /// - Parameters:
  ///   - id: The closure or key path that returns the id of a value.
  ///   - isConflated: Whether the store leaves out a value that a later one replaces, such as an
  ///     older state of a row. Then only a ``HistoryGap`` or an error tells of missing values (H2).
  ///   - read: The closure that returns the stored values of a range, oldest first. It may throw,
  ///     and so may the sequence; see ``HistoryGap``.
  public convenience init<Stored: AsyncSequence>(
    by id: @escaping @Sendable (Value) -> ID, isConflated: Bool = false,
    read: @escaping @Sendable (HistoryRange<ID>) async throws -> Stored
  )
  where
    Stored.Element == Value, Stored: SendableMetatype, Stored.AsyncIterator: SendableMetatype
  {
    self.init(id: id, isConflated: isConflated) { range, take in
      for try await value in try await read(range) {
        guard await take(value) else { return }
      }
    }
  }

  /// Creates a history whose values come as an array.
  ///
  /// - Parameters:
  ///   - id: The closure or key path that returns the id of a value.
  ///   - isConflated: Whether the store leaves out a value that a later one replaces, such as an
  ///     older state of a row. Then only a ``HistoryGap`` or an error tells of missing values (H2).
  ///   - read: The closure that returns the stored values of a range, oldest first. It may throw;
  ///     see ``HistoryGap``.
  public convenience init(
    by id: @escaping @Sendable (Value) -> ID, isConflated: Bool = false,
    read: @escaping @Sendable (HistoryRange<ID>) async throws -> [Value]
  ) {
    self.init(id: id, isConflated: isConflated) { range, take in
      for value in try await read(range) {
        guard await take(value) else { return }
      }
    }
  }
}

/// The reads of a history that go on, and the choice of one for a loop.
final class HistoryReads<Value: Sendable, ID: Comparable & Sendable>: Sendable {
  /// Gives the values of a range to a closure, until that returns false.
  typealias Feed =
    @Sendable (HistoryRange<ID>, @Sendable (Value) async -> Bool) async throws -> Void

  private struct State {
    var reads: [HistoryRead<Value, ID>] = []
    /// The number of reads that have begun.
    var begun = 0
  }

  let id: @Sendable (Value) -> ID
  let feed: Feed
  private let state = Lock(State())

  init(id: @escaping @Sendable (Value) -> ID, feed: @escaping Feed) {
    self.id = id
    self.feed = feed
    noteCreation(of: self, isPart: true)
  }

  /// The number of reads that have begun; a read with a greater number begins later than this call.
  var begun: Int { state.withLock { $0.begun } }

  /// Returns a place in a read that has the first part of a range, or in a new one.
  ///
  /// - Parameters:
  ///   - range: The range.
  ///   - begun: The number of reads that had begun when the loop took its place in the live stream.
  ///   - isAlone: Whether only a read that begins exactly where the range does will do.
  /// - Returns: The place, which leaves the read when it is released.
  func place(for range: HistoryRange<ID>, begun: Int, isAlone: Bool) -> HistoryPlace<Value, ID> {
    // Comparing ids calls the user's code, so a read is looked at first, and joined if it has not
    // changed meanwhile.
    for _ in 0..<8 {
      var best: (read: HistoryRead<Value, ID>, outline: HistoryRead<Value, ID>.Outline)?
      for read in state.withLock({ $0.reads }) {
        let outline = read.outline
        guard outline.serves(range, isAlone: isAlone, id: id) else { continue }
        if let after = best?.outline.range.after, let other = outline.range.after, other <= after {
          continue
        }
        best = (read, outline)
      }
      guard let best else { break }
      let wider = best.outline.hasBegun ? nil : best.outline.range.union(range)
      if let position = best.read.join(best.outline, widening: wider, isFixed: isAlone) {
        return HistoryPlace(best.read, at: position, for: range, begun: begun)
      }
    }
    let read = HistoryRead(range, isFixed: isAlone, in: self)
    state.withLock { $0.reads.append(read) }
    defer { read.start() }
    return HistoryPlace(read, at: 0, for: range, begun: begun)
  }

  /// Returns the number of a read that begins now.
  func begin() -> Int {
    state.withLock { state in
      state.begun += 1
      return state.begun
    }
  }

  func remove(_ read: HistoryRead<Value, ID>) {
    let removed = state.withLock { state in
      state.reads.firstIndex { $0 === read }.map { state.reads.remove(at: $0) }
    }
    withExtendedLifetime(removed) {}
  }
}

extension HistoryRange {
  /// Returns the range from the smaller beginning to the greater end.
  func union(_ other: HistoryRange) -> HistoryRange {
    var (after, before) = (self.after, self.before)
    if let one = after { after = other.after.map { min(one, $0) } }
    if let one = before { before = other.before.map { max(one, $0) } }
    return HistoryRange(after: after, before: before)
  }
}
