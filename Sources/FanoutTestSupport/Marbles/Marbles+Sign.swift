extension Marbles {
  /// The kind of an event.
  public enum Sign: Hashable, Sendable, CustomStringConvertible {
    /// A value, for which this character stands.
    case value(Character)
    /// The publisher finishes: `|`.
    case finished
    /// The publisher fails: `#`.
    case failure

    /// The event's character.
    public var description: String {
      switch self {
      case .value(let character): String(character)
      case .finished: "|"
      case .failure: "#"
      }
    }
  }
}
