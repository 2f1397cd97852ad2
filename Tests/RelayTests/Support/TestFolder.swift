@testable import relay

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A folder with the files that a test needs, which is removed with the test.
final class TestFolder {
  private let folder: OutputFolder
  private var made: [String] = []

  init() throws { folder = try OutputFolder() }

  deinit {
    for path in made.reversed() where unlink(path) != 0 { rmdir(path) }
  }

  /// The path of a name in this folder; it is removed at the end.
  func path(_ name: String) -> String {
    let path = "\(folder.path)/\(name)"
    made.append(path)
    return path
  }

  /// A file with these bytes.
  func file(_ bytes: [UInt8], named name: String = "input.h264") throws -> String {
    let file = try OutputFile(path: path(name))
    try file.write(bytes)
    try file.commit()
    return file.path
  }

  /// Returns the names of the items in a folder.
  static func names(in path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// How many descriptors of this process are open on a file.
  static func descriptorCount(of path: String) -> Int {
    var wanted = stat()
    guard stat(path, &wanted) == 0 else { return 0 }
    return (0..<Int32(1024)).count { descriptor in
      var status = stat()
      return fstat(descriptor, &status) == 0 && status.st_ino == wanted.st_ino
        && status.st_dev == wanted.st_dev
    }
  }
}
