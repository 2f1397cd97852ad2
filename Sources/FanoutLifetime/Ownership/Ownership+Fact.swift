extension Ownership {
  /// One stored reference: what it refers to, whether it keeps that alive, and for how long.
  public struct Fact: Hashable, Sendable, CustomStringConvertible {
    /// The owner's type, without generic arguments and namespaces.
    public let owner: String
    /// The stored property; within a lock or a struct the path to it.
    public let reference: String
    /// What the owned object is to the owner, in a word or two.
    public let role: String
    /// Whether the owned object is an inner part, shown in pictures as one with its owner.
    public let isPart: Bool
    /// Whether the owned object is kept alive.
    public let strength: Strength
    /// What begins it.
    public let since: Event
    /// What ends it: whichever of these comes first.
    public let until: [Event]
    /// The rule of the contract that says so, if there is one.
    public let rule: String?

    /// The fact as a sentence.
    public var description: String {
      let end = until.map(\.description).joined(separator: " or ")
      let rule = rule.map { " (\($0))" } ?? ""
      return "\(owner) \(strength.rawValue) \(role) (\(reference)): "
        + "from \(since) until \(end)\(rule)"
    }
  }

  /// The facts about one reference that several types have.
  static func fact(
    _ owners: String, _ reference: String, _ role: String, part isPart: Bool = false,
    _ strength: Strength = .retains, since: Event = .creation,
    until: [Event] = [.ownerRelease], rule: String? = nil
  ) -> [Fact] {
    owners.split(separator: " ").map { owner in
      Fact(
        owner: String(owner), reference: reference, role: role, isPart: isPart,
        strength: strength, since: since, until: until, rule: rule)
    }
  }
}
