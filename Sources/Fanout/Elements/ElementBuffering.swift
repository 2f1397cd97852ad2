internal import FanoutEngine

extension Publishers {
  /// The number of values that wait for a `for await` loop that is slower than its shared
  /// publisher.
  public enum ElementBuffering: Hashable, Sendable {
    /// All values wait: nothing is lost.
    case unbounded
    /// The newest `count` values wait behind the loop's replay, and older ones are skipped.
    ///
    /// The replay is owed to the loop in full and does not count (B3). So this is a ``Backlog`` with
    /// ``Backlog/WhenFull/dropOldest``, whether the loop fetches or requests its values. To skip the replay too, write
    /// `joining(.live, backlog: .size(count, whenFull: .dropOldest)).elements()`.
    ///
    /// The count is 1 or more. A smaller number traps when the loop begins.
    case newest(_ count: Int)

    /// The maximum number of waiting values.
    var limit: Int {
      switch self {
      case .unbounded: return .max
      case .newest(let count):
        trap(
          unless: count > 0,
          "elements(buffering: .newest(\(count))): every value would be skipped; pass 1 or more.")
        return count
      }
    }
  }
}
