#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A file that is read from its start in pieces, and closed by its last owner.
final class ByteFile {
  private let path: String
  private let descriptor: Int32

  init(path: String) throws(RelayError) {
    var status = stat()
    guard stat(path, &status) == 0 else {
      throw errno == ENOENT || errno == ENOTDIR
        ? .missing(path) : .unreadable(path, reason: systemReason())
    }
    let kind = status.st_mode & S_IFMT
    guard kind != S_IFDIR else { throw .folder(path) }
    // Every viewer may read on its own from the start, which a pipe or a device does not allow.
    guard kind == S_IFREG else { throw .unreadable(path, reason: "not a regular file") }
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .unreadable(path, reason: systemReason()) }
    self.path = path
  }

  deinit { close(descriptor) }

  /// Returns the next bytes, at most `count` of them; none at the end.
  func read(upTo count: Int) throws(RelayError) -> [UInt8] {
    var length = 0
    let piece = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      repeat {
        length = systemRead(descriptor, buffer.baseAddress, count)
      } while length < 0 && errno == EINTR
      initialized = max(0, length)
    }
    guard length >= 0 else { throw .unreadable(path, reason: systemReason()) }
    return piece
  }
}

// Inside the class, `read` means its own method.
private let systemRead = read
