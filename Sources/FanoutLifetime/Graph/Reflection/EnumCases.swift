// Invariants of the ABI: an enum's metadata is its kind, its descriptor, then its generic arguments;
// its value witness table has, behind the flags, the functions that read the case and that leave the
// payload alone in place, which look at the bits of the value only and retain nothing. A descriptor
// has 16 bytes from its start a relative pointer to its fields, and then the number of cases with a
// payload, in three bytes; the fields are 12 bytes each behind 16, those with a payload first, each
// with flags, of which the first says that the payload is in a box, and the name of the type.

/// The case that the bits of an enum's value say, for values that nobody may retain.
enum EnumCases {
  /// The payload of a value, in a copy of it.
  struct Payload {
    let type: any Any.Type
    /// Whether the copy has the address of a box with the payload.
    let isIndirect: Bool
  }

  /// Makes the bits of an enum those of its payload; returns nil if there is none, or none that can
  /// be told.
  static func project(_ bits: UnsafeMutableRawPointer, _ type: any Any.Type) -> Payload? {
    let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
    let witnesses = metadata.load(fromByteOffset: -8, as: UnsafeRawPointer.self)
    let flags = witnesses.load(fromByteOffset: 80, as: UInt32.self)
    let descriptor = metadata.load(fromByteOffset: 8, as: UnsafeRawPointer.self)
    guard flags & 0x20_0000 != 0, descriptor.load(as: UInt32.self) & 0x1F == 18 else { return nil }
    let payloads = descriptor.load(fromByteOffset: 20, as: UInt32.self) & 0xFF_FFFF
    let tag = witnesses.load(fromByteOffset: 88, as: Tag.self)(bits, metadata)
    guard tag < payloads else { return nil }
    guard let payload = payload(UInt(tag), metadata, descriptor) else { return nil }
    witnesses.load(fromByteOffset: 96, as: Project.self)(bits, metadata)
    return payload
  }

  private typealias Tag =
    @convention(c) (UnsafeMutableRawPointer, UnsafeRawPointer) -> UInt32
  private typealias Project =
    @convention(c) (UnsafeMutableRawPointer, UnsafeRawPointer) -> Void

  private static func payload(
    _ tag: UInt, _ metadata: UnsafeRawPointer, _ descriptor: UnsafeRawPointer
  ) -> Payload? {
    let offset = descriptor.load(fromByteOffset: 16, as: Int32.self)
    guard offset != 0 else { return nil }
    let fields = descriptor + 16 + Int(offset)
    guard tag < fields.load(fromByteOffset: 12, as: UInt32.self) else { return nil }
    let field = fields + 16 + 12 * Int(tag)
    guard let name = MangledName(at: field + 4) else { return nil }
    let type = _getTypeByMangledNameInContext(
      name.start, UInt(name.length), genericContext: descriptor, genericArguments: metadata + 16)
    return type.map { Payload(type: $0, isIndirect: field.load(as: UInt32.self) & 1 != 0) }
  }
}
