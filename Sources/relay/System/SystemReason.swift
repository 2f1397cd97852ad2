#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Returns the reason for which the last system call failed, in the system's words.
func systemReason() -> String { String(cString: strerror(errno)) }
