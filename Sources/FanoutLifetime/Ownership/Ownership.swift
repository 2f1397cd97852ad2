/// Who keeps whom alive, as data.
///
/// There is one fact for every stored reference of every object that Fanout makes. The tables of the
/// guide <doc:Ownership> are printed from this list, the texts of ``OwnershipGraph`` and of the leak
/// checks come from it, and a test drives each fact: the owned object lives from the one event to the
/// other, and no longer. A reference without a fact fails the tests.
///
/// ```swift
/// import FanoutLifetime
///
/// for fact in Ownership.facts where fact.owner == "AnyCancellable" { print(fact) }
/// // Prints:
/// // AnyCancellable retains what it cancels (body): from its making until cancel or its own end (O1)
/// ```
public enum Ownership: Sendable {
  /// Every fact, grouped by what owns.
  public static let facts: [Fact] =
    subjects + subscriptions + subscribers + sharing + elements + publishers + labels + changes
    + assigning + futures + queues + awaiting + callbacks

  /// The fact about a stored reference.
  ///
  /// - Parameters:
  ///   - owner: The owner's type, without generic arguments and namespaces.
  ///   - reference: The stored property; within a lock or a struct the path to it.
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

  /// The name of a type as facts call it: without module, generic arguments and namespaces.
  package static func name(of type: Any.Type) -> String {
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
