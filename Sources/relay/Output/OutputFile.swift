#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A file that gets its name only when it is whole; until then its last owner removes it.
final class OutputFile {
  let path: String
  private let partialPath: String
  private let descriptor: Int32
  private var isPending = true

  init(path: String) throws(RelayError) {
    self.path = path
    partialPath = path + ".part"
    descriptor = open(partialPath, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else {
      throw .unwritten(path, reason: systemReason())
    }
  }

  deinit {
    close(descriptor)
    discard()
  }

  /// Appends bytes.
  func write(_ bytes: [UInt8]) throws(RelayError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .unwritten(path, reason: systemReason()) }
      rest = rest.dropFirst(count)
    }
  }

  /// Gives the file its name, and replaces an older file of that name.
  func commit() throws(RelayError) {
    guard rename(partialPath, path) == 0 else {
      throw .unwritten(path, reason: systemReason())
    }
    isPending = false
  }

  /// Removes the file, unless it already has its name.
  func discard() {
    if isPending { unlink(partialPath) }
    isPending = false
  }
}

// Inside the class, `write` means its own method.
private let systemWrite = write
