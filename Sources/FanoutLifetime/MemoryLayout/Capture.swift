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

  init(_ name: MangledName, _ parameters: GenericParameters, _ reader: RuntimeReader) {
    let text = name.text
    let names = reader.layout.names
    let word = MemoryLayout<UInt>.size
    func layout(_ type: any Any.Type) -> TypeLayout { TypeLayout(type, reader) }
    if !name.isUnderstood {
      self = .unknown
    } else if text.hasSuffix(names.thinMetatype) {
      // A metatype that is known when compiling, so that nothing is stored.
      self = .nothing(size: 0)
    } else if [names.unowned, names.unmanaged, names.weak].contains(where: text.hasSuffix) {
      // The name resolves to the type of what is referred to.
      let size = parameters.resolve(name).map { layout($0).size }
      self =
        size == word || Self.isClass(name.parts.dropLast(2), names)
        ? .nothing(size: word) : .unknown
    } else if text.hasSuffix(names.thickMetatype) || text.hasSuffix(names.existentialMetatype) {
      self = parameters.resolve(name).map { .nothing(size: layout($0).size) } ?? .unknown
    } else if text.hasSuffix(names.box) || text.hasSuffix(names.plainBox) {
      self = .pointer
    } else if let function = Self(function: name.parts, names) {
      self = function
    } else if text.contains(names.objectExistential), let type = parameters.resolve(name),
      [.objectExistential, .enumeration].contains(layout(type).kind)
    {
      // `any P & AnyObject`, or an optional one.
      self = .value(type)
    } else if text.contains("X") || text.contains(names.function) {
      self = .unknown
    } else if let type = parameters.resolve(name), layout(type).isCopyable {
      self = .value(type)
    } else {
      self = Self.isClass(name.parts[...], names) ? .pointer : .unknown
    }
  }

  /// How many bytes it takes and at what alignment; nil if that cannot be told.
  func layout(_ reader: RuntimeReader) -> (size: Int, alignment: Int)? {
    let word = MemoryLayout<UInt>.size
    switch self {
    case .pointer: return (word, word)
    case .closure: return (2 * word, word)
    case .value(let type):
      let layout = TypeLayout(type, reader)
      return layout.kind == .unread ? nil : (layout.size, layout.alignment)
    case .nothing(let size): return (size, size == 0 ? 1 : word)
    case .unknown: return nil
    }
  }

  /// Whether it is a class, or an optional one, with whatever generic arguments.
  private static func isClass(
    _ parts: ArraySlice<MangledName.Part>, _ names: RuntimeLayout.Names
  ) -> Bool {
    var parts = parts
    if MangledName.text(parts).hasSuffix(names.optional) { parts = parts.dropLast(2) }
    guard parts.first == .descriptor(isClass: true) else { return false }
    return parts.count == 1 || parts.last == .character("G")
  }

  /// A function as it is lowered, or an optional one: types, then `I`, attributes and `_`; nil if
  /// it is none.
  ///
  /// Of the attributes `e` is escaping, then follows the convention: `g` or `x` for a context that
  /// is guaranteed or owned, which a closure of Swift's has, `t` for a plain pointer.
  private init?(function parts: [MangledName.Part], _ names: RuntimeLayout.Names) {
    var parts = parts[...]
    if MangledName.text(parts).hasSuffix("_" + names.optional) { parts = parts.dropLast(2) }
    guard parts.last == .character("_"),
      let start = parts.lastIndex(of: .character(Character(names.function)))
    else { return nil }
    let attributes = MangledName.text(parts[start...])
    guard attributes.count == parts[start...].count else { return nil }
    let convention = attributes.dropFirst().drop { "sP".contains($0) }
    guard convention.prefix(1) == names.escaping else { return nil }
    let callee = convention.dropFirst().drop { $0 == "A" }
    let isForeign = callee.dropFirst().first.map { "BCMJKWz".contains($0) } ?? true
    if callee.prefix(1) == names.thin {
      self = .nothing(size: MemoryLayout<UInt>.size)
    } else if [names.guaranteed, names.owned].contains(String(callee.prefix(1))), !isForeign {
      self = .closure
    } else {
      return nil
    }
  }
}
