/// The ownership of every object that Fanout makes, as data.
///
/// There is one fact for every stored reference of every such object. The tables of the guide
/// <doc:Ownership> are printed from this list, and the texts of ``OwnershipGraph`` and of the leak
/// checks come from it. A test drives each fact: the owned object lives from the one event to the
/// other, and no longer. A reference without a fact fails the tests.
///
/// ```swift
/// import FanoutLifetime
///
/// for fact in Ownership.facts where fact.owner == "AnyCancellable" { print(fact) }
/// // Prints:
/// // AnyCancellable retains what it cancels (activity): from its making until cancel or its own end (O1)
/// ```
public enum Ownership: Sendable {
  /// Every fact, grouped by owner.
  public static let facts: [Fact] =
    subjects + subscriptions + subscribers + sharing + elements + publishers + labels + changes
    + selecting + assigning + futures + queues + combining + timing + awaiting
    + callbacks + foundation

  /// Returns the fact about a stored reference.
  ///
  /// - Parameters:
  ///   - owner: The owner's type, without generic arguments and namespaces.
  ///   - reference: The stored property, or within a lock or a struct the path to it.
  /// - Returns: The fact, or nil if there is no such reference.
  public static func fact(of owner: String, _ reference: String) -> Fact? {
    byReference[Key(owner: owner, reference: reference)]
  }

  private struct Key: Hashable {
    let owner: String
    let reference: String
  }

  private static let byReference = Dictionary(
    facts.map { (Key(owner: $0.owner, reference: $0.reference), $0) }, uniquingKeysWith: { $1 })

  /// Returns the name of a type in the facts: without module, generic arguments and namespaces.
  package static func name(of type: Any.Type) -> String {
    if let part = type as? any OperatorPart.Type { return part.operatorPartName }
    var depth = 0
    var name = ""
    for character in String(reflecting: type) {
      if character == "<" { depth += 1 }
      if depth == 0 { name.append(character) }
      if character == ">" { depth -= 1 }
    }
    let parts = name.split(separator: ".").drop { part in
      part.hasPrefix("Fanout") || part.hasPrefix("(extension in Fanout")
        || part == "Publishers" || part == "Subscribers"
    }
    return parts.joined(separator: ".")
  }
}
