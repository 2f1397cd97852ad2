/// A range of ids that a ``History`` is asked for: those behind one id and in front of another.
///
/// ```swift
/// import Fanout
///
/// let range = HistoryRange(after: 3, before: 7)
/// print((1...9).filter { range.contains($0) })
/// print(HistoryRange(after: 3))
/// // Prints:
/// // [4, 5, 6]
/// // after 3
/// ```
@frozen
public struct HistoryRange<ID: Comparable> {
  /// The id behind which the range begins, or nil if it begins with the first value of the store.
  public let after: ID?
  /// The id in front of which the range ends, or nil if it ends with the last value of the store.
  public let before: ID?

  /// Creates a range.
  ///
  /// - Parameters:
  ///   - after: The id behind which the range begins, or nil for the first value of the store.
  ///   - before: The id in front of which the range ends, or nil for the last value of the store.
  public init(after: ID? = nil, before: ID? = nil) {
    self.after = after
    self.before = before
  }

  /// Returns whether an id lies in the range.
  ///
  /// - Parameter id: The id.
  /// - Returns: Whether it is greater than ``after`` and less than ``before``.
  public func contains(_ id: ID) -> Bool {
    if let after, id <= after { return false }
    if let before, id >= before { return false }
    return true
  }

  /// Whether no id can lie in the range.
  var isEmpty: Bool {
    guard let after, let before else { return false }
    return after >= before
  }
}

extension HistoryRange: Sendable where ID: Sendable {}
extension HistoryRange: Hashable where ID: Hashable {}

extension HistoryRange: Equatable {}

extension HistoryRange: CustomStringConvertible {
  /// A text such as `after 3, before 7`.
  public var description: String {
    switch (after, before) {
    case (let after?, let before?): "after \(after), before \(before)"
    case (let after?, nil): "after \(after)"
    case (nil, let before?): "before \(before)"
    case (nil, nil): "everything"
    }
  }
}

/// The error by which the closure of a ``History`` says that it no longer has what follows
/// ``HistoryRange/after``.
///
/// Throw it if the store is trimmed behind that id, or does not know the id. The loop gets
/// `.missed(nil)`, and then:
///
/// | error | the loop continues with |
/// | --- | --- |
/// | `HistoryGap<ID>()` | what is live |
/// | `HistoryGap(resumingAfter: id)` | what the store has behind that id, and then what is live |
///
/// An error with no id, or with one before the loop's own, says that the store does not know the
/// loop's id. A loop that has had no value so far then forgets that id, and gets smaller ones too.
/// An error with any other id says that the store is trimmed up to there: the loop keeps its own
/// id, and gets greater ones only.
///
/// A loop that has had values never goes back: for it, an id before its own counts as
/// `HistoryGap<ID>()`. If the first live value that waits is before the id, nothing is left to
/// read, and the loop continues with what is live.
///
/// If the store does not know the first id of a loop, and names none to resume from, the loop does
/// not go back to the store before it has had a value: what its backlog drops meanwhile is told
/// with its number.
///
/// After an error of any other type the loop continues with what is live, and keeps its id: it gets
/// greater ones only. It is told `.missed`, with the number if that is known.
///
/// ```swift
/// import Fanout
///
/// struct Entry {
///   let id: Int
/// }
/// /// A store that has forgotten everything up to 6.
/// let history = History(by: \Entry.id) { range in
///   let forgotten = 6
///   guard let after = range.after, after >= forgotten else {
///     throw HistoryGap(resumingAfter: forgotten)
///   }
///   return (7...8).map { Entry(id: $0) }.filter { range.contains($0.id) }
/// }
/// let live = Broadcast<Entry, Never>(replay: .last(1))
/// live.yield(Entry(id: 9))
/// live.finish()
/// for await event in live.values.joining(after: 2, from: history) {
///   print(event)
/// }
/// // Prints:
/// // missed(nil)
/// // replayed(main.Entry(id: 7))
/// // replayed(main.Entry(id: 8))
/// // replayed(main.Entry(id: 9))
/// // caughtUp
/// ```
public struct HistoryGap<ID: Comparable & Sendable>: Error, Sendable {
  /// The id behind which the store has values again, or nil if the loop continues with what is
  /// live.
  public let resumingAfter: ID?

  /// Creates an error.
  ///
  /// - Parameter id: The id behind which the store has values again, or nil if the loop continues
  ///   with what is live.
  public init(resumingAfter id: ID? = nil) { resumingAfter = id }
}

/// The beginning for a loop that joins a history without an id; see
/// ``SharedSequence/joining(after:from:ifNil:backlog:label:)``.
public enum HistoryStart: Sendable {
  /// All that the history has, and then the live values.
  case all
  /// The live values alone, from where the loop joins.
  ///
  /// What the backlog of the loop drops later still comes from the history. If that happens in
  /// front of the first value that the loop gets, it is told as missed, because there is no id
  /// behind which to ask.
  case live
}
