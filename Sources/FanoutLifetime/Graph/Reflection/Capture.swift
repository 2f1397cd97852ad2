/// What a closure's context holds at one place, as far as its mangled name tells.
enum Capture {
  /// A pointer to an object or to the box of a variable; it may be null.
  case pointer
  /// A closure: a pointer to code and one to its context; both may be null.
  case closure
  case value(any Any.Type)
  /// This many bytes without a strong reference.
  case nothing(size: Int)
  /// Unknown, so that what lies behind it is not to be found either.
  case unknown

  init(_ name: MangledName, _ parameters: GenericParameters) {
    let text = name.text
    if !name.isUnderstood {
      self = .unknown
    } else if text.hasSuffix("XMT") {
      self = .nothing(size: 0)
    } else if ["Xo", "Xu", "Xw"].contains(where: text.hasSuffix) {
      // The name resolves to the type of what is referred to.
      let size = parameters.resolve(name).map { TypeLayout($0).size }
      self = size == 8 || Self.isClass(name.parts.dropLast(2)) ? .nothing(size: 8) : .unknown
    } else if text.hasSuffix("Xx") || text.hasSuffix("Xb") {
      self = .pointer
    } else if Self.isClosure(name.parts) {
      self = .closure
    } else if text.contains("X") || text.contains("I") {
      self = .unknown
    } else if let type = parameters.resolve(name), TypeLayout(type).isCopyable {
      self = .value(type)
    } else {
      self = Self.isClass(name.parts[...]) ? .pointer : .unknown
    }
  }

  /// Whether it is a class, or an optional one, with whatever generic arguments.
  private static func isClass(_ parts: ArraySlice<MangledName.Part>) -> Bool {
    var parts = parts
    if MangledName.text(parts).hasSuffix("Sg") { parts = parts.dropLast(2) }
    guard parts.first == .descriptor(isClass: true) else { return false }
    return parts.count == 1 || parts.last == .character("G")
  }

  /// Whether it is a closure of Swift's as it is lowered, or an optional one: types, then `I`,
  /// attributes in which `e` is escaping and `g` or `x` the convention, and `_`.
  private static func isClosure(_ parts: [MangledName.Part]) -> Bool {
    var parts = parts[...]
    if MangledName.text(parts).hasSuffix("_Sg") { parts = parts.dropLast(2) }
    guard parts.last == .character("_"), let start = parts.lastIndex(of: .character("I")) else {
      return false
    }
    let attributes = MangledName.text(parts[start...])
    guard attributes.count == parts[start...].count else { return false }
    let convention = attributes.dropFirst().drop { "sP".contains($0) }
    guard convention.first == "e" else { return false }
    let callee = convention.dropFirst().drop { $0 == "A" }
    guard let kind = callee.first, "gx".contains(kind) else { return false }
    return callee.dropFirst().first.map { !"BCMJKWz".contains($0) } ?? false
  }
}

@available(*, unavailable)
extension Capture: Sendable {}
