// Invariants. The functions in an enum's value witness table that read the case and that leave the
// payload alone in place look at the bits of the value only and retain nothing; they are called
// only if the check has found them at their places. The runtime's entry points are the ones that
// `Mirror` is made of, called with values of enums that can be copied, and the name is freed once.

/// The case that the bits of an enum's value say, for values that may not be retained.
enum EnumCases {
  /// The payload of a value, in a copy of it.
  struct Payload {
    let type: any Any.Type
    /// Whether the copy has the address of a box with the payload.
    let isIndirect: Bool
  }

  /// Makes the bits of an enum those of its payload; returns nil if there is none, or none that can
  /// be told.
  static func project(
    _ bits: UnsafeMutableRawPointer, _ type: any Any.Type, _ reader: RuntimeReader
  ) -> Payload? {
    guard let functions = Functions(of: type, reader) else { return nil }
    let tag = Int(functions.tag(of: bits))
    guard let payload = payload(of: tag, type, reader) else { return nil }
    functions.project(bits)
    return payload
  }

  /// The payload of a case, as the descriptor of the enum tells it; nil if it has none.
  static func payload(
    of tag: Int, _ type: any Any.Type, _ reader: RuntimeReader
  ) -> Payload? {
    guard let record = record(of: tag, type, reader),
      let flags = reader.half(record.place, reader.layout.enums.fieldFlags)
    else { return nil }
    let arguments = RuntimeReader.address(of: type) + reader.layout.nominals.arguments
    let payload = _getTypeByMangledNameInContext(
      record.name.start, UInt(record.name.length), genericContext: record.descriptor,
      genericArguments: arguments)
    let isIndirect = flags & reader.layout.enums.isIndirect != 0
    return payload.map { Payload(type: $0, isIndirect: isIndirect) }
  }

  /// The record of a case with a payload.
  struct Record {
    let place: UnsafeRawPointer
    let name: MangledName
    let descriptor: UnsafeRawPointer
  }

  /// The record of a case; nil if it has no payload.
  static func record(of tag: Int, _ type: any Any.Type, _ reader: RuntimeReader) -> Record? {
    let layout = reader.layout.enums
    guard let descriptor = descriptor(of: type, reader),
      let count = payloadCount(descriptor, reader), tag >= 0, tag < count,
      let fields = reader.relative(descriptor, layout.fields)
    else { return nil }
    let place = fields + layout.firstField + layout.fieldSize * tag
    guard let name = MangledName(at: place + layout.fieldType, reader) else { return nil }
    return Record(place: place, name: name, descriptor: descriptor)
  }

  /// The descriptor of an enum.
  static func descriptor(of type: any Any.Type, _ reader: RuntimeReader) -> UnsafeRawPointer? {
    let layout = reader.layout.nominals
    guard let descriptor = reader.pointer(RuntimeReader.address(of: type), layout.descriptor),
      let kind = reader.half(descriptor), kind & layout.descriptorKind == layout.enumDescriptor
    else { return nil }
    return descriptor
  }

  /// The number of an enum's cases with a payload, which come first.
  static func payloadCount(_ descriptor: UnsafeRawPointer, _ reader: RuntimeReader) -> Int? {
    let layout = reader.layout.enums
    return reader.half(descriptor, layout.payloadCount).map { $0 & layout.payloadCountMask }
  }

  /// The functions of an enum's value witness table.
  struct Functions {
    private typealias ReadTag =
      @convention(c) (UnsafeMutableRawPointer, UnsafeRawPointer) -> UInt32
    private typealias ProjectPayload =
      @convention(c) (UnsafeMutableRawPointer, UnsafeRawPointer) -> Void

    private let metadata: UnsafeRawPointer
    /// The places of the functions.
    let places: (tag: UnsafeRawPointer, project: UnsafeRawPointer)

    /// The functions of an enum; nil if it has none.
    init?(of type: any Any.Type, _ reader: RuntimeReader) {
      let layout = reader.layout
      metadata = RuntimeReader.address(of: type)
      guard let witnesses = reader.pointer(metadata, layout.types.witnesses),
        let flags = reader.half(witnesses, layout.types.flags),
        flags & layout.enums.hasWitnesses != 0
      else { return nil }
      places = (witnesses + layout.readTag, witnesses + layout.projectPayload)
    }

    /// The number of the case that the bits of a value say.
    func tag(of bits: UnsafeMutableRawPointer) -> UInt32 {
      places.tag.load(as: ReadTag.self)(bits, metadata)
    }

    /// Makes the bits of a value those of its payload.
    func project(_ bits: UnsafeMutableRawPointer) {
      places.project.load(as: ProjectPayload.self)(bits, metadata)
    }
  }

  /// Calls `body` with the payload of the enum at `address`, if it has one, which it retains.
  static func visitPayload(
    at address: UnsafeRawPointer, _ type: any Any.Type, _ body: (Any) -> Void
  ) {
    func open<Value>(_: Value.Type) {
      let value = address.assumingMemoryBound(to: Value.self).pointee
      guard count(value, type: type) > 0 else { return }
      var name: UnsafePointer<CChar>?
      var free: Free?
      let payload = child(of: value, type: type, index: 0, name: &name, free: &free)
      free?(name)
      body(payload)
    }
    open(type)
  }

  private typealias Free = @convention(c) (UnsafePointer<CChar>?) -> Void

  @_silgen_name("swift_reflectionMirror_count")
  private static func count<Value>(_ value: Value, type: any Any.Type) -> Int

  @_silgen_name("swift_reflectionMirror_subscript")
  private static func child<Value>(
    of value: Value, type: any Any.Type, index: Int,
    name: UnsafeMutablePointer<UnsafePointer<CChar>?>, free: UnsafeMutablePointer<Free?>
  ) -> Any
}
