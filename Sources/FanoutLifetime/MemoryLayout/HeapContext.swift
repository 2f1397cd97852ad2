// Invariant of the reads: a closure's context is null or an object, and what its metadata tells is
// never freed. A place is read only if the kinds of all captures before it are known and it lies
// within the object's memory; and if all are known, only if together they fill that. The allocator
// is asked only about objects that it made: not about those that are never freed.

/// The captures of a closure's context, or the variable in a box.
struct HeapContext {
  /// A thing found at a place of the context.
  enum Content {
    case value(UnsafeRawPointer, any Any.Type)
    /// The place of a captured variable, which the closure may change.
    case variable(UnsafeRawPointer, any Any.Type)
    case context(UnsafeRawPointer)
    /// The context is itself this object.
    case object(UnsafeRawPointer)
    /// The context is itself the box of this error.
    case error(UnsafeRawPointer)
    /// Something that holds what cannot be told.
    case unread(ReadingLimit)
  }

  let address: UnsafeRawPointer
  private let reader: RuntimeReader
  /// How much memory it has.
  private let size: Int
  /// Whether that is known exactly.
  private let isWhole: Bool
  /// Tells whether a word is the address of metadata; nil where that is certain.
  private let metadata: MetadataCheck?

  /// A context that is retained by the caller.
  init(address: UnsafeRawPointer, _ reader: RuntimeReader, metadata: MetadataCheck? = nil) {
    self.address = address
    self.reader = reader
    size = reader.memorySize(of: address)
    isWhole = size != .max
    self.metadata = metadata
  }

  /// The first bytes of a context, in a copy.
  ///
  /// The context's own metadata was checked. The thread that makes the context may not have filled
  /// in the rest.
  init(copy: UnsafeRawPointer, size: Int, _ reader: RuntimeReader, metadata: MetadataCheck) {
    address = copy
    self.reader = reader
    self.size = size
    isWhole = false
    self.metadata = metadata
  }

  /// The context of the closure at a place; nil if it captures nothing.
  static func address(ofClosureAt place: UnsafeRawPointer, _ reader: RuntimeReader)
    -> UnsafeRawPointer?
  {
    reader.pointer(place, reader.layout.contexts.context)
  }

  /// The contents, up to the first capture of an unknown kind, which is noted.
  var contents: [Content] {
    let layout = reader.layout
    guard let metadata = reader.pointer(address), let kind = reader.word(metadata) else {
      return []
    }
    guard kind != 0, kind < UInt(layout.types.firstIsa) else { return [.object(address)] }
    switch Int(kind) {
    case layout.contexts.contextKind: return captures(metadata)
    case layout.contexts.boxKind:
      guard let offset = reader.half(metadata, layout.contexts.boxedOffset),
        let boxed = reader.pointer(metadata, layout.contexts.boxedType).flatMap(type),
        offset >= layout.objects.header, isInside(offset + TypeLayout(boxed, reader).size)
      else { return [.unread(.capture)] }
      return TypeLayout(boxed, reader).isCopyable
        ? [.variable(address + offset, boxed)] : [.unread(.nonCopyable)]
    case let kind where reader.isErrorBox(kind): return [.error(address)]
    default: return [.unread(.capture)]
    }
  }

  /// The captures as their descriptor tells them.
  struct Description {
    let names: [MangledName]
    /// The offset of the captures, behind the bindings.
    let start: Int
    let parameters: GenericParameters
    /// The number of generic parameters that it tells of.
    let parameterCount: Int
    /// Whether there is a name for each capture.
    let isComplete: Bool
  }

  /// The names of the captures, and where they begin; nil if there is no descriptor.
  func description(_ metadata: UnsafeRawPointer) -> Description? {
    let layout = reader.layout.contexts
    guard let descriptor = reader.pointer(metadata, layout.captureDescriptor),
      let count = reader.half(descriptor, layout.captureCount),
      let sources = reader.half(descriptor, layout.sourceCount),
      let bindings = reader.half(descriptor, layout.bindingCount),
      let start = reader.half(metadata, layout.firstCapture),
      max(count, sources, bindings, start) < Self.most
    else { return nil }
    // It is 0 if the first capture's layout is not known when compiling: a type of a resilient
    // module.
    let first = max(reader.layout.objects.header, start)
    let end = descriptor + layout.captureNames + layout.captureNameSize * count
    let names = (0..<count).map {
      MangledName(at: descriptor + layout.captureNames + layout.captureNameSize * $0, reader)
    }
    let known = names.prefix { $0 != nil }.compactMap { $0 }
    return Description(
      names: known, start: first + MemoryLayout<UInt>.size * bindings,
      parameters: parameters(at: end, count: sources, bindings: first), parameterCount: sources,
      isComplete: known.count == count)
  }

  /// A number that no closure has as many captures as.
  private static let most = 1 << 16

  private func captures(_ metadata: UnsafeRawPointer) -> [Content] {
    guard let description = description(metadata) else { return [.unread(.capture)] }
    var offset = description.start
    var places: [(offset: Int, capture: Capture)] = []
    for name in description.names {
      let capture = Capture(name, description.parameters, reader)
      guard let (size, alignment) = capture.layout(reader) else { break }
      offset = (offset + alignment - 1) & ~(alignment - 1)
      places.append((offset, capture))
      offset += size
    }
    // If all captures are known they fill the object, but for what the allocator adds: it rounds
    // up, and gives a rest along that is too small to be a piece of its own.
    let isAll = description.isComplete && places.count == description.names.count
    let isPlausible = !isAll || !isWhole || size - offset < reader.layout.objects.allocatorRest
    guard offset <= size, isPlausible else { return [.unread(.capture)] }
    // The box of a captured variable looks like the context of a closure with one captured value
    // that is not generic.
    let mayBeBox = description.names.count == 1 && description.parameterCount == 0
    return places.compactMap { content(at: $0.offset, $0.capture, mayBeBox) }
      + (isAll ? [] : [.unread(.capture)])
  }

  private func content(at offset: Int, _ capture: Capture, _ mayBeBox: Bool) -> Content? {
    let place = address + offset
    switch capture {
    case .closure where mayBeBox: return .variable(place, (() -> Void).self)
    case .pointer: return reader.pointer(place).map { .context($0) }
    case .closure: return Self.address(ofClosureAt: place, reader).map { .context($0) }
    case .value(let type): return mayBeBox ? .variable(place, type) : .value(place, type)
    case .nothing, .unknown: return nil
    }
  }

  private func parameters(
    at place: UnsafeRawPointer, count: Int, bindings: Int
  ) -> GenericParameters {
    let layout = reader.layout.contexts
    let word = MemoryLayout<UInt>.size
    var parameters = GenericParameters(reader)
    for index in 0..<count {
      let record = place + layout.sourceSize * index
      guard let name = MangledName(at: record, reader),
        let source = MangledName(at: record + layout.source, reader)
      else { continue }
      guard let binding = source.binding, isInside(bindings + word * (binding + 1)) else {
        continue
      }
      // A pack of types has its lowest bit set.
      guard let argument = reader.pointer(address, bindings + word * binding),
        reader.isAligned(UInt(bitPattern: argument)), let type = type(argument)
      else { continue }
      parameters.learn(name.text, type)
    }
    return parameters
  }

  private func type(_ address: UnsafeRawPointer) -> (any Any.Type)? {
    guard let metadata else { return RuntimeReader.type(at: address) }
    return metadata.type(at: UInt(bitPattern: address))
  }

  private func isInside(_ end: Int) -> Bool { end <= size }
}

extension RuntimeReader {
  /// The bytes of an object, or as many as there may be if it is never freed.
  func memorySize(of object: UnsafeRawPointer) -> Int {
    isImmortal(object) ? .max : Self.allocatedSize(object)
  }

  /// Whether an object is never freed, so that the allocator may not know it.
  func isImmortal(_ object: UnsafeRawPointer) -> Bool {
    guard let counts = word(object, layout.objects.counts) else { return true }
    return counts & UInt(layout.objects.immortal) == UInt(layout.objects.immortal)
  }

  #if canImport(Darwin)
    @_silgen_name("malloc_size")
    private static func allocatedSize(_ object: UnsafeRawPointer) -> Int
  #else
    @_silgen_name("malloc_usable_size")
    private static func allocatedSize(_ object: UnsafeRawPointer) -> Int
  #endif
}
