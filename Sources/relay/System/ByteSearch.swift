// Invariant: the pointer that the search returns lies in the buffer, and is used only inside the
// closure that borrows it.

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Returns the index of the first such byte from an index on, with the C library's search, which is
/// fast in debug builds too.
func firstIndex(of byte: UInt8, in bytes: [UInt8], from start: Int) -> Int? {
  guard start < bytes.count else { return nil }
  return bytes.withUnsafeBytes { buffer -> Int? in
    guard let base = buffer.baseAddress,
      let found = memchr(base + start, Int32(byte), buffer.count - start)
    else { return nil }
    return UnsafeRawPointer(found) - base
  }
}
