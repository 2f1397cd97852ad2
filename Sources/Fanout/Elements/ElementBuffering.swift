extension Publishers {
  /// How many values wait for a `for await` loop that is not as fast as its shared publisher.
  public enum ElementBuffering: Hashable, Sendable {
    /// All of them: nothing is lost.
    case unbounded
    /// The newest ones, from 1 up; what is older is skipped. A smaller number traps when the loop
    /// begins.
    case newest(_ count: Int)

    /// How many values may wait.
    var limit: Int {
      switch self {
      case .unbounded: return .max
      case .newest(let count):
        precondition(count > 0, "elements(buffering: .newest(\(count))) would skip every value.")
        return count
      }
    }
  }
}
