// Invariant of the reads: a mangled name in metadata is never freed, and ends with a zero byte
// outside its symbolic references, which are a byte and an address relative to its own place.

/// The mangled name of a type in a closure's capture descriptor, as its parts.
struct MangledName {
  enum Part: Equatable {
    case character(Character)
    case identifier
    case descriptor(isClass: Bool)
    case reference
    case unknown
  }

  let start: UnsafePointer<UInt8>
  let length: Int
  let parts: [Part]
  /// Whether all of it was understood; words that refer to earlier words are not.
  let isUnderstood: Bool

  /// How long a name may be.
  private static let longest = 1 << 16

  /// Reads the name that a relative pointer at `place` leads to; nil if there is none.
  init?(at place: UnsafeRawPointer, _ reader: RuntimeReader) {
    guard let start = reader.relative(place) else { return nil }
    var parser = Parser(start: start, reader: reader)
    guard parser.parse(atMost: Self.longest) else { return nil }
    self.start = start.assumingMemoryBound(to: UInt8.self)
    length = parser.next
    parts = parser.parts
    isUnderstood = !parts.contains(.unknown)
    binding = parser.binding
  }

  /// Whether the parts are these, where a type may be referred to in whatever way.
  func matches(_ known: [Part]) -> Bool {
    parts.count == known.count
      && zip(parts, known).allSatisfy { part, known in
        if case .descriptor = known, part == .reference { return true }
        return part == known
      }
  }

  /// The number of the binding that is a generic parameter's metadata; nil for another name.
  let binding: Int?

  /// The name without identifiers and references.
  var text: String { Self.text(parts[...]) }

  static func text(_ parts: ArraySlice<Part>) -> String {
    String(parts.compactMap { if case .character(let character) = $0 { character } else { nil } })
  }
}

/// The reading of a mangled name, part by part.
private struct Parser {
  let start: UnsafeRawPointer
  let reader: RuntimeReader
  var next = 0
  var parts: [MangledName.Part] = []

  /// Reads all parts; returns false if that is impossible.
  mutating func parse(atMost limit: Int) -> Bool {
    while next < limit, let byte = byte(next) {
      if byte == 0 { return true }
      guard let length = read(byte) else { return false }
      next += length
    }
    return false
  }

  /// The name read as that of a binding.
  var binding: Int? {
    guard (2...4).contains(next) else { return nil }
    let text = String((0..<next).compactMap(byte).map { Character(Unicode.Scalar($0)) })
    return text.hasPrefix(reader.layout.names.binding) ? Int(text.dropFirst()) : nil
  }

  private func byte(_ index: Int) -> UInt8? { reader.load(start, index, as: UInt8.self) }

  /// Reads one part and returns how many bytes it takes; nil if it cannot be read.
  private mutating func read(_ first: UInt8) -> Int? {
    let names = reader.layout.names
    switch Int(first) {
    case names.directDescriptor:
      guard let descriptor = reader.relative(start, next + 1), let flags = reader.half(descriptor)
      else { return nil }
      let layout = reader.layout.nominals
      let isClass = flags & layout.descriptorKind == layout.classDescriptor
      parts.append(.descriptor(isClass: isClass))
      return 1 + MemoryLayout<Int32>.size
    case ..<names.shortReferenceEnd:
      parts.append(.reference)
      return 1 + MemoryLayout<Int32>.size
    case ..<names.longReferenceEnd:
      parts.append(.reference)
      return 1 + MemoryLayout<Int>.size
    default: return readText(first)
    }
  }

  private mutating func readText(_ first: UInt8) -> Int? {
    guard let second = byte(next + 1) else { return nil }
    switch first {
    case UInt8(ascii: "A"):
      // A substitution: its letters are no operators.
      return readReference(from: 1) { !Self.endsSubstitution($0) }
    case UInt8(ascii: "S") where second != 0 && second != UInt8(ascii: "g"):
      // A type or protocol of the standard library, perhaps several times: `Si`, `S2i`, `ScA`.
      var length = 1
      while let digit = byte(next + length), Self.digits.contains(digit) { length += 1 }
      if byte(next + length) == UInt8(ascii: "c") { length += 1 }
      return readReference(from: length) { _ in false }
    case UInt8(ascii: "1")...UInt8(ascii: "9") where !isIndex: return readIdentifier()
    case UInt8(ascii: "0") where !isIndex:
      parts.append(.unknown)
      return 1
    default:
      parts.append(.character(Character(Unicode.Scalar(first))))
      return 1
    }
  }

  private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")

  private static func endsSubstitution(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
  }

  /// Reads bytes up to the first one that does not go on, and that one.
  private mutating func readReference(
    from start: Int, while goesOn: (UInt8) -> Bool
  ) -> Int? {
    var length = start
    while let byte = byte(next + length) {
      if byte == 0 || !goesOn(byte) {
        parts.append(.reference)
        return byte == 0 ? length : length + 1
      }
      length += 1
    }
    return nil
  }

  /// Whether a digit that comes next is part of an index, as in `q1_`.
  private var isIndex: Bool {
    parts.last == .character("q") || parts.suffix(2) == [.character("Q"), .character("y")]
  }

  private mutating func readIdentifier() -> Int? {
    var length = 0
    var count = 0
    while let byte = byte(next + count), Self.digits.contains(byte), count < 6 {
      length = length * 10 + Int(byte - UInt8(ascii: "0"))
      count += 1
    }
    let end = count + length
    while count < end, let byte = byte(next + count), byte != 0 { count += 1 }
    parts.append(.identifier)
    return count
  }
}
