internal import FanoutEngine

/// The place of one loop in a read, which leaves when it is released.
final class HistoryPlace<Value: Sendable, ID: Comparable & Sendable> {
  private let read: HistoryRead<Value, ID>
  private var position: Int
  private let range: HistoryRange<ID>
  private let begun: Int

  init(
    _ read: HistoryRead<Value, ID>, at position: Int, for range: HistoryRange<ID>, begun: Int
  ) {
    self.read = read
    self.position = position
    self.range = range
    self.begun = begun
    noteCreation(of: self, isPart: true)
  }

  deinit { read.leave() }

  /// Waits for the next stored value.
  func next(isolation actor: isolated (any Actor)?) async -> StoredEvent<Value> {
    switch await read.next(at: &position, isolation: actor) {
    case .value(let value): .value(value)
    case .end(let other, let number):
      .end(isOwn: other.after == range.after, isComplete: isComplete(other, number))
    case .failure(let error, let other): .failure(error, isOwn: other.after == range.after)
    case .behind: .behind
    case .cancelled: .cancelled
    }
  }

  /// Returns whether a read had everything that the loop lacks.
  ///
  /// A value in front of an id that is live was stored before the read began. Otherwise the read
  /// must have begun when the loop had its place already.
  private func isComplete(_ other: HistoryRange<ID>, _ number: Int) -> Bool {
    guard let end = other.before else { return number > begun }
    guard let bound = range.before else { return false }
    return bound <= end
  }
}

/// An event that a loop gets from a read.
enum StoredEvent<Value> {
  case value(Value)
  /// The read has ended. It began behind the id of this loop or behind a smaller one, and had all
  /// that the loop lacks or not.
  case end(isOwn: Bool, isComplete: Bool)
  /// The read has failed. It began behind the id of this loop or behind a smaller one.
  case failure(any Error, isOwn: Bool)
  /// The read has forgotten what comes next.
  case behind
  case cancelled
}
