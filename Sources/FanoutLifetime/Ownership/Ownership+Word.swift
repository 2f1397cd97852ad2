extension Ownership {
  /// The word for a stored property: the part of its facts that an object does not show.
  package struct Word: Sendable {
    /// The owned object's role for the owner.
    package let role: String
    /// Whether the owned object is an inner part of its owner.
    package let isPart: Bool
    /// Whether and how the reference keeps the owned object alive.
    package let strength: Strength
    /// The event that begins the ownership.
    package let since: Event
    /// The events of which the first one ends the ownership.
    package let until: [Event]
    /// The rule of the contract that demands it, if there is one.
    package let rule: String?
  }

  /// The word for a stored property, with the key under which the table has it.
  package struct KeyedWord: Sendable {
    /// The property, or within a lock or a struct the path to it.
    package let reference: String
    /// The key; nil if the table has none and the property is known by its own name.
    package let key: String?
    /// The word.
    package let word: Word
  }

  /// Returns the word for a stored property of Fanout's.
  ///
  /// A class has the words of its superclasses. A property of a value without a word of its own has
  /// the word for the whole value. Without any word, the owner retains its object always, and the
  /// role is the property's name.
  ///
  /// - Parameters:
  ///   - owners: The class and its superclasses, without generic arguments and namespaces.
  ///   - path: The stored property, with the properties of values in it.
  ///   - isOurs: Whether the owner is Fanout's. If not, only a word for just this owner applies.
  /// - Returns: The word; nil if there is none and the owner is not Fanout's.
  package static func word(of owners: [String], _ path: String, isOurs: Bool) -> KeyedWord? {
    var reference = path
    while true {
      if let named = byReference[reference] {
        for owner in owners {
          if let word = named.byOwner[owner] { return word }
        }
        if isOurs, let word = named.ofAll { return word }
      }
      guard let dot = reference.lastIndex(of: ".") else { break }
      reference = String(reference[..<dot])
    }
    guard isOurs else { return nil }
    return KeyedWord(reference: reference, key: nil, word: plainWord(reference))
  }

  /// Returns the word that the table has under a key.
  package static func word(_ key: String) -> Word? { words[key] }

  /// Whether a word is about exactly this reference of some owner, and not about the value that
  /// contains it.
  package static func hasWord(_ reference: String) -> Bool { byReference[reference] != nil }

  /// The keys of the table.
  package static var wordKeys: [String] { words.keys.sorted() }

  /// The words for references of one name.
  private struct Namesakes {
    var ofAll: KeyedWord?
    var byOwner: [String: KeyedWord] = [:]
  }

  /// The table by the name of the reference.
  private static let byReference: [String: Namesakes] = words.reduce(into: [:]) { index, entry in
    let (owner, reference) = split(entry.key)
    let word = KeyedWord(reference: reference, key: entry.key, word: entry.value)
    if let owner {
      index[reference, default: Namesakes()].byOwner[owner] = word
    } else {
      index[reference, default: Namesakes()].ofAll = word
    }
  }

  /// The word of a property that has none in the table.
  static func plainWord(_ reference: some StringProtocol) -> Word {
    Word(
      role: String(reference), isPart: false, strength: .retains, since: .creation,
      until: [.ownerRelease], rule: nil)
  }

  /// Splits a key into a class, whose parts begin with capitals, and a reference.
  package static func split(_ key: some StringProtocol) -> (owner: String?, reference: String) {
    let parts = key.split(separator: ".")
    let owner = parts.prefix { $0.first?.isUppercase ?? false }
    return (
      owner.isEmpty ? nil : owner.joined(separator: "."),
      parts.dropFirst(owner.count).joined(separator: ".")
    )
  }

  /// Makes the entries of the table for one word.
  ///
  /// It is not inlined, because in the table that would take a third of the time to compile this
  /// module.
  @inline(never)
  static func word(
    _ keys: String, _ role: String, part isPart: Bool = false, _ strength: Strength = .retains,
    since: Event = .creation, until: [Event] = [.ownerRelease], rule: String? = nil
  ) -> [(String, Word)] {
    let word = Word(
      role: role, isPart: isPart, strength: strength, since: since, until: until, rule: rule)
    return keys.split(separator: " ").map { (String($0), word) }
  }
}
