import Foundation

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The claim of a process on a database, which the system ends with the process.
///
/// Without Redis a process learns of its own changes alone, so it has the database for itself. Several processes with
/// Redis may share one.
final class DatabaseLock: Sendable {
  private let file: Int32

  /// Takes the lock, which lies beside the database, and makes their folder.
  init(path: String, isShared: Bool) throws(StartError) {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      throw StartError("The folder \(folder.path) of the database cannot be made. \(Self.hint)")
    }
    // Another name for the same file is no other database.
    let place = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    let opened = open("\(place).lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    guard opened >= 0 else {
      throw StartError(
        "\(path) cannot be written (\(String(cString: strerror(errno)))). \(Self.hint)")
    }
    // From here on `deinit` closes the file, whether the lock is taken or not.
    file = opened
    guard flock(file, (isShared ? LOCK_SH : LOCK_EX) | LOCK_NB) == 0 else {
      let code = errno
      guard code == EWOULDBLOCK else {
        throw StartError(
          "\(path) cannot be locked (\(String(cString: strerror(code)))). \(Self.hint)")
      }
      throw StartError(
        """
        Another process uses \(path). For several processes start each with --redis \
        redis://HOST:PORT, or pass another --database.
        """)
    }
  }

  deinit {
    // A process that is being started has a copy of the file for a moment, so that closing is not enough.
    flock(file, LOCK_UN)
    close(file)
  }

  private static let hint = "Pass a path that this user may write with --database."
}
