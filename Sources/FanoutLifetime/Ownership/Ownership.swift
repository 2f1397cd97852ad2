/// The ownership of every object that Fanout makes, as data.
///
/// There is one fact for every stored reference of every such object. The texts of
/// ``OwnershipGraph`` and of the leak checks use the same words, and
/// <doc:/Fanout/LifetimesAndLeaks> says what follows from them. A test drives each fact: the owned
/// object lives from the one event to the other, and no longer. A reference without a fact fails
/// the tests.
///
/// ```swift
/// import FanoutLifetime
///
/// for fact in Ownership.facts where fact.owner == "AnyCancellable" {
///   for part in "\(fact)".split(separator: ": ") { print(part) }
/// }
/// // Prints:
/// // AnyCancellable retains what it cancels (activity)
/// // from its making until cancel or its own end (O1)
/// ```
public enum Ownership: Sendable {
  /// Every fact, grouped by owner.
  ///
  /// The owners and their references come from the graphs of pipelines in the tests, the rest from
  /// the words.
  public static let facts: [Fact] = references.split(separator: "\n").flatMap(facts(inLine:))

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

  /// Returns the facts that a line of the list states.
  ///
  /// A line has an owner and its references: `Map.Body: downstream source transform`. The class in
  /// front of a reference is the one whose word applies, and `@` precedes the event that begins the
  /// ownership, if it is another one than the word's.
  private static func facts(inLine line: Substring) -> [Fact] {
    let parts = line.split(separator: " ")
    guard let first = parts.first, first.hasSuffix(":") else { return [] }
    return parts.dropFirst().map { fact(of: String(first.dropLast()), stated: $0) }
  }

  private static func fact(of owner: String, stated text: Substring) -> Fact {
    let parts = text.split(separator: "@")
    let (namer, reference) = split(parts[0])
    let keys = ["\(namer ?? owner).\(reference)", reference]
    let word = keys.lazy.compactMap { words[$0] }.first ?? plainWord(reference)
    let since = parts.dropFirst().first.flatMap { name in
      Event.allCases.first { $0.name == name }
    }
    return Fact(
      owner: owner, reference: reference, role: word.role, isPart: word.isPart,
      strength: word.strength, since: since ?? word.since, until: word.until, rule: word.rule)
  }

  /// Returns the name of a type in the facts: without module, generic arguments and namespaces.
  package static func name(of type: Any.Type) -> String {
    if let part = type as? any OperatorPart.Type { return part.operatorPartName }
    var depth = 0
    var name = ""
    var last: Character?
    for character in String(reflecting: type) {
      if character == "<" { depth += 1 }
      if depth == 0 { name.append(character) }
      // A generic argument may be the type of a function.
      if character == ">", last != "-" { depth -= 1 }
      last = character
    }
    let parts = name.split(separator: ".").drop { part in
      part.hasPrefix("Fanout") || part.hasPrefix("(extension in Fanout")
        || part == "Publishers" || part == "Subscribers"
    }
    return parts.joined(separator: ".")
  }
}
