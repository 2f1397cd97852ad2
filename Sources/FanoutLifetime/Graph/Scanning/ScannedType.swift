internal import FanoutEngine

/// The facts about a type that a search for references in its values needs; found once for each type.
struct ScannedType {
  let name: TypeName
  let layout: TypeLayout
  let properties: [StoredProperty]
  let elements: (any ElementListing.Type)?
  let label: (any LabeledPublisher.Type)?
  /// The collection whose storage objects of this class are.
  let collection: (any Any.Type)?
  /// Whether its values are to be looked into: they may hold objects, and are no affair of the
  /// system's alone.
  let isOpaque: Bool

  /// The names of a class and of its superclasses, as facts call them.
  let classNames: [String]
  /// Whether objects of this class are the places of loops.
  let isLoop: Bool

  private static let opaqueModules: Set = [
    "Foundation", "FoundationEssentials", "FoundationNetworking", "FoundationInternationalization",
    "Dispatch", "_Concurrency", "Synchronization", "Testing", "XCTest", "ObjectiveC",
  ]

  init(_ type: any Any.Type) {
    name = TypeName(type)
    layout = TypeLayout(type)
    let isText = [ObjectIdentifier(String.self), ObjectIdentifier(Substring.self)]
      .contains(ObjectIdentifier(type))
    isOpaque =
      layout.isTrivial || !layout.isCopyable || isText
      || Self.opaqueModules.contains(name.module)
    collection =
      layout.kind == .object ? CollectionStorage.collection(storedBy: type, name) : nil
    properties = isOpaque ? [] : StoredProperty.all(of: type).filter(\.isStrong)
    elements = isOpaque ? nil : type as? any ElementListing.Type
    classNames = (type as? any AnyObject.Type).map(Vocabulary.classNames) ?? []
    isLoop = layout.kind == .object && type is any ValueLoop.Type
    label = isOpaque ? nil : type as? any LabeledPublisher.Type
  }
}

@available(*, unavailable)
extension ScannedType: Sendable {}
