internal import Fanout

/// A record drawn as marbles, with the meaning of its letters.
///
/// A value whose description is one plain character is drawn as that character. Other values get
/// letters in order of appearance, and values with equal descriptions get the same letter.
struct MarbleDrawing {
  private(set) var marbles = Marbles([])
  private(set) var legend: [(letter: Character, meaning: String)] = []

  private var letters: [String: Character] = [:]
  private let given: Set<Character>
  private var taken: Set<Character>
  private var unused = Array("zyxwvutsrqponmlkjihgfedcba")

  /// Draws a record.
  ///
  /// - Parameters:
  ///   - events: The record.
  ///   - given: The characters that have a meaning and are used for nothing else.
  ///   - expected: The characters that are drawn only for the values they stand for.
  ///   - character: The closure that returns the given character of a value, or nil if it has none.
  init<Input, Failure: Error>(
    _ events: [TimedEvent<Input, Failure>], given: Set<Character> = [],
    expected: Set<Character> = [], character: (Input) -> Character? = { _ in nil }
  ) {
    self.given = given
    taken = given.union(expected)
    let descriptions = events.compactMap { event -> String? in
      guard case .value(let value) = event.event, character(value) == nil else { return nil }
      return "\(value)"
    }
    taken.formUnion(descriptions.compactMap(Self.plainCharacter))

    var marks: [Marbles.Mark] = []
    for event in events {
      let sign: Marbles.Sign
      switch event.event {
      case .subscription: continue
      case .value(let value): sign = .value(character(value) ?? letter(for: "\(value)"))
      case .completion(.finished): sign = .finished
      case .completion(.failure): sign = .failure
      }
      // Without a clock each event has a tick of its own.
      let tick = max(event.time?.ticks ?? marks.count, marks.last?.tick ?? 0)
      marks.append(Marbles.Mark(tick: tick, sign: sign))
    }
    marbles = Marbles(marks)
  }

  static let lastTickToDraw = 200

  /// The line and the meaning of its letters, or nil if it is too long to read.
  var text: String? {
    guard let line = marbles.description(upToTick: Self.lastTickToDraw), legend.count <= 26
    else { return nil }
    let meanings = legend.map { "\($0.letter): \($0.meaning)" }.joined(separator: ", ")
    return legend.isEmpty ? line : "\(line)   where \(meanings)"
  }

  private static func plainCharacter(_ description: String) -> Character? {
    guard description.unicodeScalars.count == 1, let character = description.first,
      character.isLetter || character.isNumber, !MarbleParser.reserved.contains(character)
    else { return nil }
    return character
  }

  private mutating func letter(for description: String) -> Character {
    if let plain = Self.plainCharacter(description), !given.contains(plain) { return plain }
    if let known = letters[description] { return known }
    while let letter = unused.last, taken.contains(letter) { unused.removeLast() }
    let letter = unused.popLast() ?? ideograph()
    taken.insert(letter)
    letters[description] = letter
    legend.append((letter, description))
    return letter
  }

  /// Returns an unused character from the ten thousand and more after the letters, none of which
  /// the parser reserves.
  private func ideograph() -> Character {
    for number in UInt32(0x4E00)...0x9FFF {
      guard let scalar = Unicode.Scalar(number) else { continue }
      if !taken.contains(Character(scalar)) { return Character(scalar) }
    }
    return "?"
  }
}
