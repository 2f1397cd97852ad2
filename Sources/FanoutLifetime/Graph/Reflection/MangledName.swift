// Invariants of the ABI: a mangled name in metadata ends with a zero byte outside its symbolic
// references; such a reference is one byte below 0x18 and four more, or one below 0x20 and eight
// more. The four bytes are an offset from where they stand; after 0x01 it leads to a descriptor,
// whose lowest five bits are 16 for a class.

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

  /// Reads the name that a relative pointer at `place` leads to; nil if there is none.
  init?(at place: UnsafeRawPointer) {
    let offset = place.load(as: Int32.self)
    guard offset != 0 else { return nil }
    start = (place + Int(offset)).assumingMemoryBound(to: UInt8.self)
    var parts: [Part] = []
    var next = 0
    while start[next] != 0 {
      next += Self.read(start + next, into: &parts)
    }
    isUnderstood = !parts.contains(.unknown)
    self.parts = parts
    length = next
  }

  /// Read as the source of a generic parameter: the number of the binding that is its metadata, or
  /// nil for another source.
  var binding: Int? {
    guard start[0] == UInt8(ascii: "B"), (2...4).contains(length) else { return nil }
    return Int((1..<length).map { String(Unicode.Scalar(start[$0])) }.joined())
  }

  /// The name without identifiers and references.
  var text: String { Self.text(parts[...]) }

  static func text(_ parts: ArraySlice<Part>) -> String {
    String(parts.compactMap { if case .character(let character) = $0 { character } else { nil } })
  }

  /// Reads one part and returns how many bytes it takes.
  private static func read(_ bytes: UnsafePointer<UInt8>, into parts: inout [Part]) -> Int {
    switch bytes[0] {
    case 0x01:
      let place = UnsafeRawPointer(bytes + 1)
      let descriptor = place + Int(place.loadUnaligned(as: Int32.self))
      parts.append(.descriptor(isClass: descriptor.load(as: UInt32.self) & 0x1F == 16))
      return 5
    case 0x02..<0x18:
      parts.append(.reference)
      return 5
    case 0x18..<0x20:
      parts.append(.reference)
      return 9
    case UInt8(ascii: "A"):
      // A substitution: its letters are no operators.
      var length = 1
      while bytes[length] != 0, !Self.endsSubstitution(bytes[length]) { length += 1 }
      parts.append(.reference)
      return bytes[length] == 0 ? length : length + 1
    case UInt8(ascii: "S") where bytes[1] != 0 && bytes[1] != UInt8(ascii: "g"):
      // A type or protocol of the standard library, perhaps several times: `Si`, `S2i`, `ScA`.
      var length = 1
      while Self.digits.contains(bytes[length]) { length += 1 }
      if bytes[length] == UInt8(ascii: "c") { length += 1 }
      parts.append(.reference)
      return bytes[length] == 0 ? length : length + 1
    case UInt8(ascii: "1")...UInt8(ascii: "9") where !isIndex(parts):
      return readIdentifier(bytes, into: &parts)
    case UInt8(ascii: "0") where !isIndex(parts):
      parts.append(.unknown)
      return 1
    default:
      parts.append(.character(Character(Unicode.Scalar(bytes[0]))))
      return 1
    }
  }

  private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")

  private static func endsSubstitution(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
  }

  /// Whether a digit that comes next is part of an index, as in `q1_`.
  private static func isIndex(_ parts: [Part]) -> Bool {
    parts.last == .character("q") || parts.suffix(2) == [.character("Q"), .character("y")]
  }

  private static func readIdentifier(
    _ bytes: UnsafePointer<UInt8>, into parts: inout [Part]
  ) -> Int {
    var length = 0
    var next = 0
    while digits.contains(bytes[next]), next < 6 {
      length = length * 10 + Int(bytes[next] - UInt8(ascii: "0"))
      next += 1
    }
    let end = next + length
    while next < end, bytes[next] != 0 { next += 1 }
    parts.append(.identifier)
    return next
  }
}

@available(*, unavailable)
extension MangledName: Sendable {}

@available(*, unavailable)
extension MangledName.Part: Sendable {}
