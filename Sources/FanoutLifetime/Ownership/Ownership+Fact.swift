extension Ownership {
  /// One stored reference: the object it refers to, whether it keeps that alive, and for how long.
  public struct Fact: Hashable, Sendable, CustomStringConvertible {
    /// The owner's type, without generic arguments and namespaces.
    public let owner: String
    /// The stored property, or within a lock or a struct the path to it.
    public let reference: String
    /// The owned object's role for the owner, in a word or two.
    public let role: String
    /// Whether the owned object is an inner part, which pictures show as one with its owner.
    public let isPart: Bool
    /// Whether and how the reference keeps the owned object alive.
    public let strength: Strength
    /// The event that begins the ownership.
    public let since: Event
    /// The events of which the first one ends the ownership.
    public let until: [Event]
    /// The rule of the contract that demands it, if there is one.
    public let rule: String?

    /// The fact as a sentence.
    public var description: String {
      let end = until.map(\.description).joined(separator: " or ")
      let rule = rule.map { " (\($0))" } ?? ""
      return "\(owner) \(strength.rawValue) \(role) (\(reference)): "
        + "from \(since) until \(end)\(rule)"
    }
  }
}
