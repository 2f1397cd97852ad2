// Invariants: every read here is a copy that the system makes or refuses, so that a wrong offset
// reads nothing or something else, and does no harm. Before a word is used as more than a number it
// is compared with the known one, or found to be metadata by a check that was checked before. The
// functions of an enum are called only with values that hold no object, in more memory than they
// need.

/// The check of a layout: it reads things of which it knows what they hold.
///
/// Each step makes known objects, values and closures and reads them through the code that reads
/// everything else. A reading whose answers are not the known ones is switched off, with those that
/// stand on it.
struct LayoutCheck {
  let layout: RuntimeLayout
  private(set) var passed: Set<Reading> = []
  /// Whether classes, declared types and their descriptors are found in memory.
  private var findsMetadata = false

  /// Returns the readings that are right with a layout.
  static func passed(_ layout: RuntimeLayout) -> Set<Reading> {
    var check = LayoutCheck(layout: layout)
    check.run()
    return check.passed
  }

  private init(layout: RuntimeLayout) { self.layout = layout }

  private mutating func run() {
    guard areAddressesRight else { return }
    note(.types, areTypesRight)
    guard passed.contains(.types) else { return }
    note(.properties, arePropertiesRight)
    note(.existentials, areExistentialsRight)
    guard areNominalsRight, passed.contains(.properties) else { return }
    note(.variables, areClassesRight && isMetadataFound)
    guard passed.contains(.variables) else { return }
    note(.enums, areEnumsRight)
    note(.collections, areCollectionsRight)
    note(.closures, ClosureCheck(reader: reader(trying: .closures)).isRight)
  }

  private mutating func note(_ reading: Reading, _ isRight: Bool) {
    if isRight { passed.insert(reading) }
  }

  /// A reader that reads what was found right so far, and one thing more, from copies.
  private func reader(trying reading: Reading) -> RuntimeReader {
    RuntimeReader(layout, readings: passed.union([reading]), access: .copied)
  }

  static func address(of object: AnyObject) -> UnsafeRawPointer {
    UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
  }

  private var areAddressesRight: Bool {
    let addresses = layout.addresses
    guard addresses.pointerSize == MemoryLayout<UInt>.size,
      addresses.alignment == MemoryLayout<UInt>.alignment,
      addresses.lowest > 0, addresses.bound > 0,
      addresses.pageSize > 0, CopiedMemory.pageSize.isMultiple(of: addresses.pageSize)
    else { return false }
    let reader = reader(trying: .types)
    let other = LayoutSamples.Other()
    return withExtendedLifetime(other) {
      let places = [Self.address(of: other), RuntimeReader.address(of: LayoutSamples.Other.self)]
      return places.allSatisfy { reader.word($0) != nil && reader.isAligned(UInt(bitPattern: $0)) }
    }
  }

  private var areTypesRight: Bool {
    let reader = reader(trying: .types)
    func layout(_ type: any Any.Type) -> TypeLayout { TypeLayout(type, reader) }
    return LayoutSamples.kinds.allSatisfy { layout($0.type).kind == $0.kind }
      && layout(LayoutSamples.Other.self).isInline && layout(LayoutSamples.Small.self).isInline
      && !layout(LayoutSamples.Wide.self).isInline && !layout(LayoutSamples.Weak.self).isInline
      && layout(LayoutSamples.Wide.self).isCopyable && layout(LayoutSamples.Other.self).isCopyable
      && !layout(LayoutSamples.unique).isCopyable
  }

  private var arePropertiesRight: Bool {
    let reader = reader(trying: .properties)
    let properties = StoredProperty.all(of: LayoutSamples.Child.self, reader)
    let tuple = StoredProperty.all(of: (UInt, LayoutSamples.Other).self, reader)
    return properties.map(\.name) == ["number", "weakly", "action", "unsafely"]
      && properties.map(\.isStrong) == [true, false, true, false]
      && properties.map(\.isVariable) == [false, true, true, true]
      && properties.first?.offset == layout.objects.header
      && properties.first.map { ObjectIdentifier($0.type) } == ObjectIdentifier(UInt.self)
      && tuple.map(\.offset) == [0, MemoryLayout<UInt>.size]
      && StoredProperty.all(of: LayoutSamples.Choice.self, reader).isEmpty
  }

  private var areExistentialsRight: Bool {
    let reader = reader(trying: .existentials)
    let other = LayoutSamples.Other()
    let address = UInt(bitPattern: Self.address(of: other))
    func isRight(_ existential: any LayoutSamples.Named, isBoxed: Bool, at place: Int) -> Bool {
      let known = type(of: existential) as any Any.Type
      return withUnsafePointer(to: existential) { pointer in
        let held = reader.existential(at: UnsafeRawPointer(pointer)) {
          $0 == RuntimeReader.address(of: known) ? known : nil
        }
        guard let held, held.isBoxed == isBoxed else { return false }
        return reader.word(held.value, place * MemoryLayout<UInt>.size) == address
      }
    }
    return withExtendedLifetime(other) {
      isRight(LayoutSamples.Small(other: other), isBoxed: false, at: 0)
        && isRight(
          LayoutSamples.Wide(numbers: (1, 2, 3, 4), other: other), isBoxed: true, at: 4)
        && isErrorRight(LayoutSamples.Mistake(other: other), address)
    }
  }

  #if canImport(ObjectiveC)
    private func isErrorRight(_: any Error, _: UInt) -> Bool { true }
  #else
    /// Whether an error that holds one object is found in its box.
    private func isErrorRight(_ error: any Error, _ object: UInt) -> Bool {
      let reader = reader(trying: .existentials)
      let known = type(of: error) as any Any.Type
      return withUnsafePointer(to: error) { pointer in
        guard let box = reader.word(UnsafeRawPointer(pointer)) else { return false }
        let held = reader.error(at: box) {
          $0 == UInt(bitPattern: RuntimeReader.address(of: known)) ? known : nil
        }
        return held.flatMap { reader.copiedWord(at: $0.value) } == object
      }
    }
  #endif

  /// Whether the metadata of declared types has descriptors and arguments at their places.
  private var areNominalsRight: Bool {
    let reader = reader(trying: .variables)
    let images = MetadataCheck(reader)
    func hasDescriptor(_ type: any Any.Type, at place: Int, _ kind: Int) -> Bool {
      guard let descriptor = reader.pointer(RuntimeReader.address(of: type), place),
        images.isInImage(UInt(bitPattern: descriptor)), let flags = reader.half(descriptor)
      else { return false }
      return flags & layout.nominals.descriptorKind == kind
    }
    let arguments: [any Any.Type] = [
      UInt.self, LayoutSamples.Other.self, LayoutSamples.Small.self, Bool.self,
    ]
    let generic = RuntimeReader.address(
      of: GenericParameters.Arguments<UInt, LayoutSamples.Other, LayoutSamples.Small, Bool>.self)
    let nominals = layout.nominals
    return hasDescriptor(UInt.self, at: nominals.descriptor, nominals.structDescriptor)
      && hasDescriptor(LayoutSamples.Wide.self, at: nominals.descriptor, nominals.structDescriptor)
      && hasDescriptor(LayoutSamples.Tree.self, at: nominals.descriptor, nominals.enumDescriptor)
      && hasDescriptor(
        LayoutSamples.Other.self, at: layout.classes.descriptor, nominals.classDescriptor)
      && arguments.enumerated().allSatisfy { index, type in
        reader.pointer(generic, nominals.arguments + index * MemoryLayout<UInt>.size)
          == RuntimeReader.address(of: type)
      }
  }

  /// Whether the metadata of a class has everything at its place.
  private var areClassesRight: Bool {
    let reader = reader(trying: .variables)
    let classes = layout.classes
    let child = RuntimeReader.address(of: LayoutSamples.Child.self)
    let parent = RuntimeReader.address(of: LayoutSamples.Parent.self)
    let place = classes.descriptor
    guard let last = StoredProperty.all(of: LayoutSamples.Child.self, reader).last,
      let descriptor = reader.pointer(child, place),
      let addressPoint = reader.half(child, place + classes.addressPoint),
      let size = reader.half(child, place + classes.metadataSize),
      let positiveSize = reader.half(descriptor, classes.positiveSize),
      let destructor = reader.pointer(child, classes.destructor)
    else { return false }
    return reader.pointer(child, classes.superclass) == parent
      && reader.half(child, place + classes.instanceSize)
        == last.offset + MemoryLayout<UInt>.size
      && reader.half(child, place + classes.instanceAlignment) == MemoryLayout<UInt>.alignment - 1
      && reader.pointer(child, place + classes.propertyDestroyer) != descriptor
      && destructor != reader.pointer(child, layout.types.witnesses)
      && addressPoint + positiveSize * MemoryLayout<UInt>.size == size
  }

  /// Whether types and objects are told from other things in memory.
  private var isMetadataFound: Bool {
    let reader = reader(trying: .variables)
    let metadata = MetadataCheck(reader)
    func type(at address: UnsafeRawPointer) -> ObjectIdentifier? {
      metadata.type(at: UInt(bitPattern: address)).map { ObjectIdentifier($0) }
    }
    let objects: [AnyObject] = [
      LayoutSamples.Parent(), LayoutSamples.Child {}, LayoutSamples.Other(),
    ]
    return withExtendedLifetime(objects) {
      objects.allSatisfy { object in
        let place = Self.address(of: object)
        return metadata.objectType(at: UInt(bitPattern: place)).map { ObjectIdentifier($0) }
          == ObjectIdentifier(Swift.type(of: object)) && type(at: place) == nil
      }
    }
      && LayoutSamples.kinds.allSatisfy { sample in
        let place = RuntimeReader.address(of: sample.type)
        return type(at: place) == ObjectIdentifier(sample.type)
          && type(at: place + MemoryLayout<UInt>.size) == nil
      }
  }

  private var areEnumsRight: Bool {
    let reader = reader(trying: .enums)
    typealias Payload = (type: any Any.Type, name: [MangledName.Part], isIndirect: Bool)
    func isRight(_ type: any Any.Type, _ payloads: [Payload?]) -> Bool {
      guard let descriptor = EnumCases.descriptor(of: type, reader),
        EnumCases.payloadCount(descriptor, reader) == payloads.compactMap({ $0 }).count
      else { return false }
      return payloads.enumerated().allSatisfy { tag, known in
        let record = EnumCases.record(of: tag, type, reader)
        // Only a name that is the known one is given to the runtime.
        guard let known else { return record == nil }
        guard let record, record.name.matches(known.name) else { return false }
        let payload = EnumCases.payload(of: tag, type, reader)
        return payload?.isIndirect == known.isIndirect
          && payload.map { ObjectIdentifier($0.type) } == ObjectIdentifier(known.type)
      }
    }
    return isRight(
      LayoutSamples.Choice.self,
      [(Bool.self, [.reference], false), (Bool.self, [.reference], false), nil])
      && isRight(
        LayoutSamples.Tree.self,
        [
          (LayoutSamples.Other.self, [.descriptor(isClass: true)], false),
          (LayoutSamples.Small.self, [.descriptor(isClass: false)], true), nil,
        ])
      && isRight(
        LayoutSamples.Other?.self,
        [(LayoutSamples.Other.self, [.character("x")], false), nil])
      && areEnumFunctionsRight(reader)
  }

  private func areEnumFunctionsRight(_ reader: RuntimeReader) -> Bool {
    typealias Choice = LayoutSamples.Choice
    let images = MetadataCheck(reader)
    guard EnumCases.Functions(of: LayoutSamples.Wide.self, reader) == nil,
      let functions = EnumCases.Functions(of: Choice.self, reader),
      let tag = reader.word(functions.places.tag), images.isInImage(tag),
      let project = reader.word(functions.places.project), images.isInImage(project), tag != project
    else { return false }
    let samples: [(value: Choice, tag: UInt32, payload: UInt8?)] = [
      (.first(false), 0, 0), (.first(true), 0, 1), (.second(false), 1, 0), (.second(true), 1, 1),
      (.third, 2, nil),
    ]
    return samples.allSatisfy { sample in
      withUnsafeTemporaryAllocation(byteCount: 256, alignment: 16) { room in
        guard let bits = room.baseAddress else { return false }
        room.initializeMemory(as: UInt8.self, repeating: 0)
        bits.storeBytes(of: sample.value, as: Choice.self)
        guard functions.tag(of: bits) == sample.tag else { return false }
        guard let payload = sample.payload else { return true }
        functions.project(bits)
        return bits.load(as: UInt8.self) == payload
      }
    }
  }

  private var areCollectionsRight: Bool {
    let reader = reader(trying: .collections)
    let metadata = MetadataCheck(reader)
    // No address has so many bits set, and could pass for the marks of the used places.
    let numbers = (1...47).map { UInt($0) * 11 }
    let squares = Dictionary(uniqueKeysWithValues: numbers.map { ($0, $0 * $0) })
    func storage<Value>(of value: Value) -> UInt {
      withUnsafeBytes(of: value) { $0.loadUnaligned(as: UInt.self) }
    }
    func hasArguments(_ storage: UInt, _ count: Int) -> Bool {
      guard let type = metadata.objectType(at: storage) else { return false }
      return (0..<count).allSatisfy {
        CollectionStorage.argumentAddress($0, of: type, reader)
          == RuntimeReader.address(of: UInt.self)
      }
    }
    func elements<List: ElementListing>(_ list: List) -> [UInt] {
      var found: [UInt] = []
      let collection = CopiedCollection(
        reader: reader, limit: 64, isStorage: { metadata.objectType(at: $0) != nil },
        canHold: { _ in true }, visit: { place, _ in found.append(place.load(as: UInt.self)) })
      withUnsafeTemporaryAllocation(byteCount: 256, alignment: 16) { room in
        guard let copy = room.baseAddress else { return }
        room.initializeMemory(as: UInt8.self, repeating: 0)
        withUnsafeBytes(of: list) { room.copyMemory(from: $0) }
        collection.visitElements(of: List.self, TypeName(List.self), at: UnsafeRawPointer(copy))
      }
      return found
    }
    let set = Set(numbers)
    return withExtendedLifetime((numbers, set, squares)) {
      hasArguments(storage(of: numbers), 1) && hasArguments(storage(of: set), 1)
        && hasArguments(storage(of: squares), 2) && elements(numbers) == numbers
        && elements(numbers[1..<4]) == Array(numbers[1..<4]) && elements(set).sorted() == numbers
        && elements(squares).sorted() == (numbers + squares.values).sorted()
    }
  }
}
