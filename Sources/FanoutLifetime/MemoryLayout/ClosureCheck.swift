// Invariants: as in `LayoutCheck`. A mangled name is given to the runtime only when all names of
// the closure are the known ones.

/// The part of the check of a layout that is about closures, their contexts and boxes.
struct ClosureCheck {
  private let reader: RuntimeReader
  private let metadata: MetadataCheck
  /// The place of a closure in its holder.
  private let place: Int

  init(reader: RuntimeReader) {
    self.reader = reader
    metadata = MetadataCheck(reader)
    let properties = StoredProperty.all(of: LayoutSamples.Child.self, reader)
    place = properties.first { $0.name == "action" }?.offset ?? 0
  }

  /// Whether every known closure is read right.
  var isRight: Bool {
    guard areCountsRight else { return false }
    let (parent, other) = (LayoutSamples.Parent(), LayoutSamples.Other())
    return withExtendedLifetime((parent, other)) {
      isObject(LayoutSamples.capturing(other), other) && areCapturesRight(other)
        && areKindsRight(parent, other) && areWeakOnesRight(parent, other)
        && areGenericOnesRight(parent, other)
    }
  }

  /// Whether objects that are never freed are told from others.
  private var areCountsRight: Bool {
    let nothing: [UInt] = []
    let other = LayoutSamples.Other()
    return withExtendedLifetime((nothing, other)) {
      let empty = withUnsafeBytes(of: nothing) { $0.loadUnaligned(as: UInt.self) }
      guard let storage = UnsafeRawPointer(bitPattern: empty) else { return false }
      return reader.isImmortal(storage) && !reader.isImmortal(LayoutCheck.address(of: other))
    }
  }

  /// A capture that is expected.
  fileprivate enum Expected {
    case word(UInt)
    case context(AnyObject)
    case anyContext
  }

  /// Whether the closure's context is the object that it captures.
  private func isObject(_ closure: @escaping () -> Void, _ object: AnyObject) -> Bool {
    withContext(of: closure) { $0.address == LayoutCheck.address(of: object) }
  }

  private func areCapturesRight(_ other: LayoutSamples.Other) -> Bool {
    let number: UInt = 0x0C_0FFE
    let inner = LayoutSamples.capturing(other)
    return isRight(
      LayoutSamples.capturing(number, other, inner),
      [[.reference], Self.aClass, Self.characters("Ieg_")],
      [.word(number), .word(Self.word(other)), .context(other)])
  }

  private func areKindsRight(_ parent: LayoutSamples.Parent, _ other: LayoutSamples.Other) -> Bool {
    let inner = LayoutSamples.capturing(other)
    let double: @convention(c) (UInt) -> UInt = { 2 * $0 }
    let path: AnyKeyPath = \LayoutSamples.Other.number
    return isRight(
      LayoutSamples.capturing(inner, parent, other), nil,
      [.context(other), .word(Self.word(parent)), .word(Self.word(other))])
      && isRight(
        LayoutSamples.capturing(UInt.self, double, other), nil, [.word(Self.word(other))])
      && isRight(
        LayoutSamples.capturing(path, other), nil,
        [.word(Self.word(path)), .word(Self.word(other))])
      && names(of: LayoutSamples.notRetaining(parent, other)).contains(
        Self.aClass + Self.characters("Xu"))
      && isRight(
        LayoutSamples.notRetaining(parent, other),
        [Self.aClass + Self.characters("Xo"), Self.aClass + Self.characters("Xu"), Self.aClass],
        [.word(Self.word(other))])
  }

  /// A weak reference is captured with its box, of which nothing is retained.
  private func areWeakOnesRight(
    _ parent: LayoutSamples.Parent, _ other: LayoutSamples.Other
  ) -> Bool {
    let closure = LayoutSamples.weakly(parent, other)
    guard isRight(closure, nil, [.anyContext, .word(Self.word(other))]) else { return false }
    return withContext(of: closure) { context in
      for case .context(let box) in context.contents {
        guard isMemory(box) else { return false }
        let boxContext = HeapContext(address: box, reader, metadata: metadata)
        guard let description = reader.pointer(box).flatMap(boxContext.description),
          let name = description.names.first, description.names.count == 1,
          case .nothing(MemoryLayout<UInt>.size) = Capture(name, description.parameters, reader)
        else { return false }
        return boxContext.contents.isEmpty
      }
      return false
    }
  }

  private func areGenericOnesRight(
    _ parent: LayoutSamples.Parent, _ other: LayoutSamples.Other
  ) -> Bool {
    let areParametersRight = isRight(
      LayoutSamples.generically(parent, UInt(7), other),
      [[.character("x")], Self.characters("q_"), Self.aClass],
      [.word(Self.word(parent)), .word(7), .word(Self.word(other))], parameterCount: 2)
    guard areParametersRight else { return false }
    return withContext(of: LayoutSamples.boxing(parent)) { context in
      guard let description = reader.pointer(context.address).flatMap(context.description),
        let box = reader.pointer(context.address, description.start),
        let boxMetadata = reader.pointer(box), metadata.isContext(UInt(bitPattern: boxMetadata))
      else { return false }
      let contents = HeapContext(address: box, reader, metadata: metadata).contents
      guard contents.count == 1, case .variable(let place, let type) = contents[0] else {
        return false
      }
      return ObjectIdentifier(type) == ObjectIdentifier(LayoutSamples.Parent.self)
        && reader.word(place) == Self.word(parent)
    }
  }

  /// The names of a closure's captures.
  ///
  /// Those of a class that only the file of the class uses refer to it directly.
  private func names(of closure: @escaping () -> Void) -> [[MangledName.Part]] {
    var names: [[MangledName.Part]] = []
    _ = withContext(of: closure) { context in
      guard let description = reader.pointer(context.address).flatMap(context.description) else {
        return false
      }
      names = description.names.map(\.parts)
      return true
    }
    return names
  }

  /// Whether a closure's captures have these names, and hold these words.
  private func isRight(
    _ closure: @escaping () -> Void, _ names: [[MangledName.Part]]?, _ expected: [Expected],
    parameterCount: Int = 0
  ) -> Bool {
    withContext(of: closure) { context in
      guard let word = reader.pointer(context.address),
        metadata.isContext(UInt(bitPattern: word)), let description = context.description(word),
        description.parameterCount == parameterCount,
        reader.half(word, reader.layout.contexts.firstCapture) == reader.layout.objects.header,
        names.map({
          $0.count == description.names.count
            && zip(description.names, $0).allSatisfy { $0.matches($1) }
        }) ?? true
      else { return false }
      let contents = context.contents
      return contents.count == expected.count
        && zip(contents, expected).allSatisfy(holds)
    }
  }

  private func holds(_ content: HeapContext.Content, _ expected: Expected) -> Bool {
    switch (content, expected) {
    case (.value(let place, _), .word(let word)): reader.word(place) == word
    case (.context(let context), .word(let word)): UInt(bitPattern: context) == word
    case (.context(let context), .context(let object)):
      leads(from: context, to: LayoutCheck.address(of: object))
    case (.value(let place, let type), .context(let object)):
      TypeLayout(type, reader).kind == .enumeration
        && HeapContext.address(ofClosureAt: place, reader).map {
          leads(from: $0, to: LayoutCheck.address(of: object))
        } ?? false
    case (.context, .anyContext): true
    default: false
    }
  }

  /// Whether a context is an object, or holds it behind closures that pass calls on.
  private func leads(from context: UnsafeRawPointer, to object: UnsafeRawPointer) -> Bool {
    if context == object { return true }
    guard let word = reader.pointer(context), metadata.isContext(UInt(bitPattern: word)) else {
      return false
    }
    return HeapContext(address: context, reader, metadata: metadata).contents.contains {
      guard case .context(let next) = $0 else { return false }
      return next == object
    }
  }

  private func withContext(
    of closure: @escaping () -> Void, _ body: (HeapContext) -> Bool
  ) -> Bool {
    let holder = LayoutSamples.Child(closure)
    return withExtendedLifetime(holder) {
      let closure = LayoutCheck.address(of: holder) + place
      guard let address = HeapContext.address(ofClosureAt: closure, reader),
        isMemory(address)
      else { return false }
      return body(HeapContext(address: address, reader, metadata: metadata))
    }
  }

  /// Whether an address is that of an object or a context, so that the allocator knows it.
  private func isMemory(_ address: UnsafeRawPointer) -> Bool {
    guard let word = reader.pointer(address) else { return false }
    return metadata.isContext(UInt(bitPattern: word))
      || metadata.objectType(at: UInt(bitPattern: address)) != nil
  }

  private static func word(_ object: AnyObject) -> UInt {
    UInt(bitPattern: LayoutCheck.address(of: object))
  }

  private static func characters(_ text: String) -> [MangledName.Part] {
    text.map { .character($0) }
  }

  private static var aClass: [MangledName.Part] { [.descriptor(isClass: true)] }
}
