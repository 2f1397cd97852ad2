// Invariant: a name is resolved against the generic arguments of a struct's metadata, which the
// runtime has made, and only if every parameter in it is known.

/// The generic parameters that a closure's context tells, to resolve mangled names with.
struct GenericParameters {
  struct Arguments<A, B, C, D> {}

  private let reader: RuntimeReader

  /// By mangled name.
  private var known: [String: any Any.Type] = [:]

  /// Those that a name can be resolved with: of the outermost generic declaration, the first ones.
  private static let names = ["x", "q_", "q0_", "q1_"]

  init(_ reader: RuntimeReader) { self.reader = reader }

  mutating func learn(_ name: String, _ type: any Any.Type) {
    if TypeLayout(type, reader).isCopyable { known[name] = type }
  }

  /// The type of this name, or nil if that cannot be told.
  func resolve(_ name: MangledName) -> (any Any.Type)? {
    if let exact = known[name.text], name.parts.count == name.text.count { return exact }
    guard let used = Self.used(in: name), used.allSatisfy({ known[$0] != nil }) else { return nil }
    guard !used.isEmpty else {
      return _getTypeByMangledNameInContext(
        name.start, UInt(name.length), genericContext: nil, genericArguments: nil)
    }
    let metadata = RuntimeReader.address(of: arguments)
    let layout = reader.layout.nominals
    guard let descriptor = reader.pointer(metadata, layout.descriptor) else { return nil }
    return _getTypeByMangledNameInContext(
      name.start, UInt(name.length), genericContext: descriptor,
      genericArguments: metadata + layout.arguments)
  }

  private var arguments: any Any.Type {
    func argument(_ index: Int) -> any Any.Type { known[Self.names[index]] ?? Void.self }
    func make<A, B, C, D>(
      _: A.Type, _: B.Type, _: C.Type, _: D.Type
    ) -> any Any.Type { Arguments<A, B, C, D>.self }
    return make(argument(0), argument(1), argument(2), argument(3))
  }

  /// The parameters that a name mentions; nil if it mentions any that have no place here.
  private static func used(in name: MangledName) -> [String]? {
    var used: [String] = []
    var index = 0
    func isNext(_ character: Character, at offset: Int = 0) -> Bool {
      index + offset < name.parts.count && name.parts[index + offset] == .character(character)
    }
    while index < name.parts.count {
      if isNext("x") || (isNext("Q") && isNext("z", at: 1)) {
        used.append("x")
        index += isNext("x") ? 1 : 2
      } else if isNext("q") || isNext("Q") {
        let start = index + (isNext("q") ? 1 : 2)
        if isNext("Q"), !isNext("y", at: 1) { return nil }
        guard let end = name.parts[start...].firstIndex(of: .character("_")) else { return nil }
        let parameter = "q" + MangledName.text(name.parts[start...end])
        guard names.contains(parameter) else { return nil }
        used.append(parameter)
        index = end + 1
      } else {
        index += 1
      }
    }
    return used
  }
}
