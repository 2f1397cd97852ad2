import FanoutLifetime

/// An assumption about memory that is planted wrong.
struct PlantedLayout: Sendable, CustomStringConvertible {
  /// The assumption, as `group.name`.
  let assumption: String
  let value: String
  let plant: @Sendable (inout RuntimeLayout) -> Void
  /// The reading that stands on the assumption.
  let reading: Reading

  var description: String { "\(assumption) = \(value)" }

  /// The layout with the wrong assumption.
  var layout: RuntimeLayout {
    var layout = RuntimeLayout()
    plant(&layout)
    return layout
  }

  /// Every assumption, with several wrong values each.
  static var all: [PlantedLayout] { offsets + masks + numbers + operators }

  /// Assumptions about what today's compiler makes no use of, so that no sample can have it.
  static let unused: Set = ["names.plainBox", "names.thinMetatype", "names.owned"]

  private static func name(of path: AnyKeyPath) -> String {
    "\(path)".split(separator: ".").dropFirst().joined(separator: ".")
  }

  private typealias Path = any WritableKeyPath<RuntimeLayout, Int> & Sendable

  private static func planted(
    _ reading: Reading, _ paths: [Path], _ wrong: (Int) -> [Int]
  ) -> [PlantedLayout] {
    paths.flatMap { path in
      let right = RuntimeLayout()[keyPath: path]
      return wrong(right).filter { $0 != right }.map { value in
        PlantedLayout(
          assumption: name(of: path), value: "\(value)", plant: { $0[keyPath: path] = value },
          reading: reading)
      }
    }
  }

  /// An offset from every object to an address that no process has: the sanitizers map much memory,
  /// but none above 2^47.
  private static let nowhere = 1 << 47

  /// Places in memory: beside the right one, in another page, and nowhere.
  private static var offsets: [PlantedLayout] {
    func wrong(_ right: Int) -> [Int] { [right + 8, right - 8, right + 4, -right, nowhere] }
    let types = planted(.types, [\.types.witnesses, \.types.flags, \.types.structuralFlags], wrong)
    let properties = planted(
      .properties, [\.objects.header, \.objects.isStrong, \.objects.isVariable],
      { [$0 + 8, $0 - 8, $0 + 1, nowhere] })
    let existentials = planted(.existentials, [\.existentials.type], wrong)
    #if canImport(ObjectiveC)
      let errors: [PlantedLayout] = []
    #else
      let errors = planted(
        .existentials, [\.existentials.errorType, \.existentials.errorValue], wrong)
    #endif
    let variables = planted(
      .variables,
      [
        \.nominals.descriptor, \.nominals.arguments, \.classes.superclass, \.classes.destructor,
        \.classes.descriptor, \.classes.instanceSize, \.classes.instanceAlignment,
        \.classes.metadataSize, \.classes.addressPoint, \.classes.propertyDestroyer,
        \.classes.positiveSize,
      ], wrong)
    let enums = planted(
      .enums,
      [
        \.enums.fields, \.enums.payloadCount, \.enums.firstField, \.enums.fieldSize,
        \.enums.fieldFlags, \.enums.fieldType,
      ], wrong)
    let closures = planted(
      .closures,
      [
        \.objects.counts, \.contexts.context, \.contexts.firstCapture,
        \.contexts.captureDescriptor, \.contexts.boxedOffset, \.contexts.boxedType,
        \.contexts.captureCount, \.contexts.sourceCount, \.contexts.bindingCount,
        \.contexts.captureNames, \.contexts.captureNameSize, \.contexts.sourceSize,
        \.contexts.source,
      ], wrong)
    let collections = planted(
      .collections,
      [
        \.classes.ownMembers, \.collections.arrayCount, \.collections.arrayElements,
        \.collections.sliceBase, \.collections.sliceStart, \.collections.sliceEnd,
        \.collections.tableKeys, \.collections.tableValues, \.collections.setBits,
        \.collections.dictionaryBits,
      ], { [$0 + 8, $0 - 8, nowhere] })
    // Behind the scale lies the seed, whose first byte may equal the scale.
    let scale = planted(.collections, [\.collections.tableScale], { [$0 - 8, nowhere] })
    return types + properties + existentials + errors + variables + enums + closures + collections
      + scale
  }

  /// Bits of a word.
  private static var masks: [PlantedLayout] {
    func wrong(_ right: Int) -> [Int] { [right << 1, 0] }
    return planted(
      .types,
      [
        \.types.isNonInline, \.types.isNonCopyable, \.types.functionConvention,
        \.types.isNotOnlyObjects, \.types.specialProtocol, \.types.errorProtocol,
        \.types.shapeKind,
      ], wrong)
      + planted(.variables, [\.nominals.descriptorKind], wrong)
      + planted(
        .enums, [\.enums.hasWitnesses, \.enums.payloadCountMask, \.enums.isIndirect], wrong)
      + planted(.closures, [\.objects.immortal], wrong)
  }

  /// Kinds, sizes and bounds.
  private static var numbers: [PlantedLayout] {
    func wrong(_ right: Int) -> [Int] { [right + 8, right + 0x1000, nowhere] }
    let kinds = planted(
      .types,
      [
        \.types.structKind, \.types.enumKind, \.types.optionalKind, \.types.tupleKind,
        \.types.functionKind, \.types.existentialKind, \.types.extendedExistentialKind,
        \.types.opaqueShape, \.types.objectShape,
      ], wrong)
    let descriptors = planted(
      .variables,
      [
        \.types.firstStructuralKind, \.nominals.classDescriptor, \.nominals.structDescriptor,
        \.nominals.enumDescriptor,
      ], wrong)
    let contexts = planted(.closures, [\.contexts.contextKind, \.contexts.boxKind], wrong)
    #if canImport(ObjectiveC)
      let errors: [PlantedLayout] = []
    #else
      let errors = planted(.existentials, [\.existentials.errorKind], wrong)
    #endif
    let names = planted(
      .closures, [\.names.shortReferenceEnd, \.names.longReferenceEnd], { _ in [0x80, 0xFF] })
    let descriptor = planted(.closures, [\.names.directDescriptor], { _ in [0, 2, 0x17] })
    let lowest = planted(.types, [\.addresses.lowest], { _ in [1 << 60, -1] })
    let bound = planted(.types, [\.addresses.bound], { _ in [1 << 16, 0, -1] })
    let sizes = planted(
      .types, [\.addresses.pointerSize, \.addresses.alignment], { _ in [0, 4, 16] })
    let pages = planted(.types, [\.addresses.pageSize], { _ in [0, 1 << 30, 3000] })
    let isa = planted(.types, [\.types.firstIsa], { _ in [0, 0x100] })
    let rest = planted(.closures, [\.objects.allocatorRest], { _ in [0, -1] })
    return [
      kinds, descriptors, contexts, errors, names, descriptor, lowest, bound, sizes, pages, isa,
      rest,
    ].flatMap { $0 }
  }

  /// Letters of mangled names.
  private static var operators: [PlantedLayout] {
    let paths: [any WritableKeyPath<RuntimeLayout.Names, String> & Sendable] = [
      \.unowned, \.unmanaged, \.weak, \.thickMetatype, \.existentialMetatype, \.box, \.optional,
      \.objectExistential, \.binding, \.function, \.escaping, \.guaranteed, \.thin,
    ]
    return paths.map { path in
      PlantedLayout(
        assumption: "names.\(name(of: path))", value: "?",
        plant: { $0.names[keyPath: path] = "?" }, reading: .closures)
    }
  }
}
