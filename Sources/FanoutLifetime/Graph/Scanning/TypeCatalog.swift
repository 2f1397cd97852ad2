/// The types met while a graph is made.
final class TypeCatalog {
  private var types: [ObjectIdentifier: ScannedType] = [:]
  private var holding: [ObjectIdentifier: Bool] = [:]
  /// Types about which it is being found out whether they can hold anything.
  private var asked: Set<ObjectIdentifier> = []
  private var dependsOnAsked = false

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
    // A type that contains itself holds what else it contains: that is still being found out.
    guard asked.insert(id).inserted else {
      dependsOnAsked = true
      return false
    }
    let result = findOutWhetherItCanHold(type)
    asked.remove(id)
    if asked.isEmpty { dependsOnAsked = false }
    if result || !dependsOnAsked { holding[id] = result }
    return result
  }

  private func findOutWhetherItCanHold(_ type: any Any.Type) -> Bool {
    let scanned = self[type]
    if scanned.layout.kind == .object { return true }
    if scanned.isOpaque { return false }
    if let elements = scanned.elements { return canHold(elements.elementType) }
    if let optional = type as? any OptionalType.Type { return canHold(optional.wrapped) }
    if [.structure, .tuple].contains(scanned.layout.kind) {
      return scanned.properties.contains { canHold($0.type) }
    }
    return scanned.layout.kind != .other
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
