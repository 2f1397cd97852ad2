#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The folder for the received frames, which leaves nothing behind unless it is committed.
final class OutputFolder {
  let path: String
  private var files: [OutputFile] = []
  private var created: [String] = []
  private let isTemporary: Bool
  private var isCommitted = false

  /// Opens a folder, and creates missing folders on its path.
  init(path: String) throws(RelayError) {
    self.path = path
    isTemporary = false
    var ancestor = path.hasPrefix("/") ? "/" : ""
    for component in path.split(separator: "/") {
      ancestor += component + "/"
      if access(ancestor, F_OK) == 0 { continue }
      guard mkdir(ancestor, 0o755) == 0 else {
        let reason = errno == EEXIST ? "a file has that name" : systemReason()
        throw .unusableOutput(path, reason: reason)
      }
      created.append(ancestor)
    }
    // The slash demands a folder: a file of that name is refused.
    guard !path.isEmpty, access(path + "/", W_OK | X_OK) == 0 else {
      throw .unusableOutput(path, reason: path.isEmpty ? "it has no name" : systemReason())
    }
  }

  /// Creates a folder of an unused name, which its last owner removes.
  init() throws(RelayError) {
    let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(base)/relay-\(String(repeating: "X", count: 6))".utf8CString)
    let isMade = mkdtemp(&template) != nil
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    isTemporary = true
    guard isMade else { throw .unusableOutput(base, reason: systemReason()) }
    created = [path]
  }

  deinit {
    if isCommitted, !isTemporary { return }
    for file in files { file.discard() }
    if isTemporary { for file in files { unlink(file.path) } }
    for folder in created.reversed() { rmdir(folder) }
  }

  /// Makes a new file, which gets its name at ``commit()``.
  func file(named name: String) throws(RelayError) -> OutputFile {
    let file = try OutputFile(path: "\(path)/\(name)")
    files.append(file)
    return file
  }

  /// Gives all files their names.
  func commit() throws(RelayError) {
    for file in files { try file.commit() }
    isCommitted = true
  }
}
