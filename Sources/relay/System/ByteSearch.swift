// Invariant: the pointer that the search returns lies in the buffer, and is used inside the closure
// that borrows it only.

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The place of the first such byte from an index on: the C library's search, as fast unoptimised.
func firstIndex(of byte: UInt8, in bytes: [UInt8], from start: Int) -> Int? {
  guard start < bytes.count else { return nil }
  return bytes.withUnsafeBytes { buffer -> Int? in
    guard let base = buffer.baseAddress,
      let found = memchr(base + start, Int32(byte), buffer.count - start)
    else { return nil }
    return UnsafeRawPointer(found) - base
  }
}
