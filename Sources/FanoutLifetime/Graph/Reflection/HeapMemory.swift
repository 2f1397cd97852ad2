// Invariants: an object of Swift's is allocated by `malloc`, unless it is immortal, which the lower
// half of its second word says, all ones. The allocator is asked for no other address.

/// How much memory an object has.
enum HeapMemory {
  /// The bytes of an object, or as many as there may be if it is no object of the allocator's.
  static func size(of object: UnsafeRawPointer) -> Int {
    let references = object.load(fromByteOffset: 8, as: UInt.self)
    return references & 0xFFFF_FFFF == 0xFFFF_FFFF ? .max : allocatedSize(object)
  }

  #if canImport(Darwin)
    @_silgen_name("malloc_size")
    private static func allocatedSize(_ object: UnsafeRawPointer) -> Int
  #else
    @_silgen_name("malloc_usable_size")
    private static func allocatedSize(_ object: UnsafeRawPointer) -> Int
  #endif
}
