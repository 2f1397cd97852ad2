/// A capture at one place of a closure's context, as far as its mangled name tells.
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
    } else if text.hasSuffix("XMt") {
      // A metatype that is known when compiling, so that nothing is stored.
      self = .nothing(size: 0)
    } else if ["Xo", "Xu", "Xw"].contains(where: text.hasSuffix) {
      // The name resolves to the type of what is referred to.
      let size = parameters.resolve(name).map { TypeLayout($0).size }
      self = size == 8 || Self.isClass(name.parts.dropLast(2)) ? .nothing(size: 8) : .unknown
    } else if text.hasSuffix("XMT") || text.hasSuffix("XmT") {
      self = parameters.resolve(name).map { .nothing(size: TypeLayout($0).size) } ?? .unknown
    } else if text.hasSuffix("Xx") || text.hasSuffix("Xb") {
      self = .pointer
    } else if let function = Self(function: name.parts) {
      self = function
    } else if text.contains("_Xl"), let type = parameters.resolve(name), Self.isObjectBound(type) {
      self = .value(type)
    } else if text.contains("X") || text.contains("I") {
      self = .unknown
    } else if let type = parameters.resolve(name), TypeLayout(type).isCopyable {
      self = .value(type)
    } else {
      self = Self.isClass(name.parts[...]) ? .pointer : .unknown
    }
  }

  /// How many bytes it takes and at what alignment; nil if that cannot be told.
  var layout: (size: Int, alignment: Int)? {
    switch self {
    case .pointer: (8, 8)
    case .closure: (16, 8)
    case .value(let type): (TypeLayout(type).size, TypeLayout(type).alignment)
    case .nothing(let size): (size, size == 0 ? 1 : 8)
    case .unknown: nil
    }
  }

  /// Whether it is a class, or an optional one, with whatever generic arguments.
  private static func isClass(_ parts: ArraySlice<MangledName.Part>) -> Bool {
    var parts = parts
    if MangledName.text(parts).hasSuffix("Sg") { parts = parts.dropLast(2) }
    guard parts.first == .descriptor(isClass: true) else { return false }
    return parts.count == 1 || parts.last == .character("G")
  }

  /// Whether it is `any P & AnyObject`, or an optional one.
  private static func isObjectBound(_ type: any Any.Type) -> Bool {
    [.objectExistential, .enumeration].contains(TypeLayout(type).kind)
  }

  /// A function as it is lowered, or an optional one: types, then `I`, attributes and `_`; nil if it
  /// is none.
  ///
  /// Of the attributes `e` is escaping, then follows the convention: `g` or `x` for a context that is
  /// guaranteed or owned, which a closure of Swift's has, `t` for a plain pointer.
  private init?(function parts: [MangledName.Part]) {
    var parts = parts[...]
    if MangledName.text(parts).hasSuffix("_Sg") { parts = parts.dropLast(2) }
    guard parts.last == .character("_"), let start = parts.lastIndex(of: .character("I")) else {
      return nil
    }
    let attributes = MangledName.text(parts[start...])
    guard attributes.count == parts[start...].count else { return nil }
    let convention = attributes.dropFirst().drop { "sP".contains($0) }
    guard convention.first == "e" else { return nil }
    let callee = convention.dropFirst().drop { $0 == "A" }
    let isForeign = callee.dropFirst().first.map { "BCMJKWz".contains($0) } ?? true
    if callee.first == "t" {
      self = .nothing(size: 8)
    } else if callee.first == "g" || callee.first == "x", !isForeign {
      self = .closure
    } else {
      return nil
    }
  }
}

@available(*, unavailable)
extension Capture: Sendable {}
