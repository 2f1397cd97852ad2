internal import FanoutEngine

/// The types met while a graph is made.
final class TypeCatalog {
  let reader: RuntimeReader
  let metadata: MetadataCheck
  private var types: [ObjectIdentifier: ScannedType] = [:]
  private var constants: [ObjectIdentifier: [StoredProperty]] = [:]
  private var holding: [ObjectIdentifier: Bool] = [:]
  /// Types about which it is being found out whether they can hold anything.
  private var asked: Set<ObjectIdentifier> = []
  private var dependsOnAsked = false

  init(_ reader: RuntimeReader) {
    self.reader = reader
    metadata = MetadataCheck(reader)
  }

  subscript(type: any Any.Type) -> ScannedType {
    let id = ObjectIdentifier(type)
    if let known = types[id] { return known }
    let scanned = ScannedType(type, reader)
    types[id] = scanned
    return scanned
  }

  /// The constants of a class of Fanout's that can hold an object, or have a word.
  func constants(of type: ScannedType) -> [StoredProperty] {
    if let known = constants[type.id] { return known }
    let found = type.properties.filter { property in
      !property.isVariable
        // One that cannot be copied, such as a lock, shows as the empty tuple.
        && property.type != Void.self
        && (canHold(property.type)
          || Ownership.word(of: type.classNames, property.name, isOurs: true)?.key != nil)
    }
    constants[type.id] = found
    return found
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
    if scanned.layout.kind == .object || scanned.limit != nil { return true }
    if scanned.isOpaque { return false }
    if let elements = scanned.elements { return canHold(elements.elementType) }
    if let elements = scanned.inlineElements { return canHold(elements.elementType) }
    if let optional = type as? any OptionalType.Type { return canHold(optional.wrapped) }
    if [.structure, .tuple].contains(scanned.layout.kind), reader.reads(.properties) {
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

/// The facts about a type that a search for references in its values needs; found once for each
/// type.
struct ScannedType {
  let id: ObjectIdentifier
  let name: TypeName
  let layout: TypeLayout
  let properties: [StoredProperty]
  /// The parts of an object with stored properties whose type is unknown.
  let rooms: [Room]
  let elements: (any ElementListing.Type)?
  let inlineElements: (any InlineListing.Type)?
  let label: (any LabeledPublisher.Type)?
  /// The collection whose storage objects of this class are.
  let collection: (any Any.Type)?
  /// Whether its values are to be looked into: they may hold objects, and are no affair of the
  /// system's alone.
  let isOpaque: Bool
  /// The reason why its values are not looked into although they may hold a program's objects.
  let limit: ReadingLimit?

  /// The names of a class and of its superclasses, as words have them.
  let classNames: [String]
  /// Whether it is a class of Fanout's, or inherits from one.
  let isOurs: Bool
  /// Whether it is such a class below this module: its variables belong to its own threads.
  let hasGuardedVariables: Bool
  /// Whether objects of this class list their constants too.
  let isComplete: Bool
  /// The role of objects and values of this type in a report.
  let role: ObjectRole

  static let opaqueModules: Set = [
    "Foundation", "FoundationEssentials", "FoundationNetworking", "FoundationInternationalization",
    "Dispatch", "_Concurrency", "Synchronization", "Testing", "XCTest", "ObjectiveC",
  ]

  init(_ type: any Any.Type, _ reader: RuntimeReader) {
    id = ObjectIdentifier(type)
    name = TypeName(type)
    layout = TypeLayout(type, reader)
    let isText =
      [ObjectIdentifier(String.self), ObjectIdentifier(Substring.self)]
      .contains(ObjectIdentifier(type)) || name.readable == "_StringGuts"
    isOpaque =
      layout.isTrivial || !layout.isCopyable || isText
      || Self.opaqueModules.contains(name.module)
    limit = isText ? nil : Self.limit(name, layout)
    collection =
      layout.kind == .object ? CollectionStorage.collection(storedBy: type, name, reader) : nil
    let stored = isOpaque ? [] : StoredProperty.all(of: type, reader)
    properties = stored.filter(\.isStrong)
    rooms = layout.kind == .object ? Room.all(among: stored, of: type, reader) : []
    elements = isOpaque ? nil : type as? any ElementListing.Type
    inlineElements = isOpaque ? nil : type as? any InlineListing.Type
    let classes = (type as? any AnyObject.Type).map(Vocabulary.classes) ?? []
    classNames = classes.map(Vocabulary.className)
    isOurs = classes.contains(where: Vocabulary.isOurs)
    isComplete = type is any CompleteListing.Type
    hasGuardedVariables = classes.contains {
      Vocabulary.isOurs($0) && $0.module != "FanoutLifetime"
    }
    role = ObjectRole(of: type)
    label = isOpaque ? nil : type as? any LabeledPublisher.Type
  }
}

/// A type's name as a reader knows it, and the module it is from.
struct TypeName: Hashable, Sendable {
  let module: String
  /// Without the module, generic arguments and the namespaces of the operators.
  let readable: String

  init(_ type: any Any.Type) {
    let text = _typeName(type, qualified: true)
    let parts = Self.parts(text)
    let isNominal = parts.count > 1
    // What is declared in an extension begins with `(extension in Module):`, and belongs to that
    // module.
    let isExtending = text.hasPrefix("(extension in ")
    module =
      isExtending
      ? String(text.dropFirst("(extension in ".count).prefix { $0 != ")" })
      : isNominal ? parts[0] : ""
    if let part = type as? any OperatorPart.Type {
      readable = part.operatorPartName
      return
    }
    let named = parts.dropFirst(isNominal ? 1 : 0)
      .filter { !["Publishers", "Subscribers"].contains($0) }
    readable = named.isEmpty ? parts.joined(separator: ".") : named.joined(separator: ".")
  }

  /// The names between the dots; what stands in brackets is left out.
  private static func parts(_ text: String) -> [String] {
    var parts = [""]
    var depth = 0
    var last: Character = " "
    for character in text {
      defer { last = character }
      switch character {
      // The arrow of a function closes nothing.
      case ">" where last == "-": break
      case "<", "(": depth += 1
      case ">", ")": depth -= 1
      case "." where depth == 0: parts.append("")
      case _ where depth == 0: parts[parts.count - 1].append(character)
      default: break
      }
    }
    return parts.filter { !$0.isEmpty }
  }
}
