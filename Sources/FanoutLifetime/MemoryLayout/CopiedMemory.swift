// Invariants: the system copies the bytes, and refuses where there is no memory: no address is ever
// dereferenced here. `Vector` is the system's `iovec`. Where a system has no such call nothing is
// read.

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#endif

/// Copies of memory that may be changed, released or unmapped by other threads meanwhile.
///
/// The bytes of a copy may be half of an old value and half of a new one, or those of an object
/// that is gone. The code that interprets them retains nothing, and follows no pointer in them but
/// by a copy.
enum CopiedMemory {
  /// How many bytes are copied at most in one go.
  static let largest = 1 << 24

  /// Calls `body` with a copy of `count` bytes; returns nil if they cannot be read.
  static func read<Result>(
    _ address: UInt, count: Int, _ body: (UnsafeRawPointer) -> Result
  ) -> Result? {
    guard count > 0, count <= largest else { return nil }
    return withUnsafeTemporaryAllocation(byteCount: count, alignment: 16) { bytes in
      guard let copy = bytes.baseAddress, isCopied(address, count, to: copy) else { return nil }
      return body(UnsafeRawPointer(copy))
    }
  }

  /// The size of the system's pages; 0 where it is unknown, because no memory is read there.
  static var pageSize: Int {
    #if canImport(Darwin) || os(Linux) || os(Android)
      Int(sysconf(Int32(_SC_PAGESIZE)))
    #else
      0
    #endif
  }

  #if canImport(Darwin)
    private static func isCopied(
      _ address: UInt, _ count: Int, to copy: UnsafeMutableRawPointer
    ) -> Bool {
      var copied = mach_vm_size_t(0)
      let result = mach_vm_read_overwrite(
        mach_task_self_, mach_vm_address_t(address), mach_vm_size_t(count),
        mach_vm_address_t(UInt(bitPattern: copy)), &copied)
      return result == KERN_SUCCESS && copied == mach_vm_size_t(count)
    }
  #elseif os(Linux) || os(Android)
    private struct Vector {
      var address: UInt
      var count: Int
    }

    private static func isCopied(
      _ address: UInt, _ count: Int, to copy: UnsafeMutableRawPointer
    ) -> Bool {
      var to = Vector(address: UInt(bitPattern: copy), count: count)
      var from = Vector(address: address, count: count)
      return copyBytes(getpid(), &to, 1, &from, 1, 0) == count
    }

    @_silgen_name("process_vm_readv")
    private static func copyBytes(
      _ process: Int32, _ to: UnsafeRawPointer, _ toCount: UInt, _ from: UnsafeRawPointer,
      _ fromCount: UInt, _ flags: UInt
    ) -> Int
  #else
    private static func isCopied(
      _ address: UInt, _ count: Int, to copy: UnsafeMutableRawPointer
    ) -> Bool { false }
  #endif
}
