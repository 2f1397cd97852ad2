/// The types met while a graph is made.
final class TypeCatalog {
  private var types: [ObjectIdentifier: ScannedType] = [:]
  private var holding: [ObjectIdentifier: Bool] = [:]

  subscript(type: any Any.Type) -> ScannedType {
    let id = ObjectIdentifier(type)
    if let known = types[id] { return known }
    let scanned = ScannedType(type)
    types[id] = scanned
    return scanned
  }

  /// Whether values of a type can hold an object that a graph shows.
  func canHold(_ type: any Any.Type) -> Bool {
    let id = ObjectIdentifier(type)
    if let known = holding[id] { return known }
    // A type that contains itself holds what else it contains.
    holding[id] = false
    let scanned = self[type]
    let result: Bool
    if scanned.layout.kind == .object {
      result = true
    } else if scanned.isOpaque {
      result = false
    } else if let elements = scanned.elements {
      result = canHold(elements.elementType)
    } else if let optional = type as? any OptionalType.Type {
      result = canHold(optional.wrapped)
    } else if [.structure, .tuple].contains(scanned.layout.kind) {
      result = scanned.properties.contains { canHold($0.type) }
    } else {
      result = scanned.layout.kind != .other
    }
    holding[id] = result
    return result
  }
}

private protocol OptionalType {
  static var wrapped: any Any.Type { get }
}

extension Optional: OptionalType {
  static var wrapped: any Any.Type { Wrapped.self }
}

@available(*, unavailable)
extension TypeCatalog: Sendable {}
