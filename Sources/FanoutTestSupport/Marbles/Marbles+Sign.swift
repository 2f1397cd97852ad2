extension Marbles {
  /// What can happen.
  public enum Sign: Hashable, Sendable, CustomStringConvertible {
    /// A value comes, for which this character stands.
    case value(Character)
    /// It finishes: `|`.
    case finished
    /// It fails: `#`.
    case failure

    /// The character for it.
    public var description: String {
      switch self {
      case .value(let character): String(character)
      case .finished: "|"
      case .failure: "#"
      }
    }
  }
}
