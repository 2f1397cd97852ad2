// Invariant of the pointers: a file and an argument list are made, used and freed within `init`.

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  @preconcurrency import Glibc
#elseif canImport(Musl)
  @preconcurrency import Musl
#endif

/// A program that was run to its end, with everything that it printed.
struct ChildProcess {
  let status: Int32
  let output: String
  let errors: String

  /// Runs a program from the search path; `nil` if it could not be started.
  init?(_ arguments: [String]) {
    // Unnamed files, not pipes: a full pipe that nothing empties would stop the program.
    guard let outputFile = tmpfile() else { return nil }
    defer { fclose(outputFile) }
    guard let errorFile = tmpfile() else { return nil }
    defer { fclose(errorFile) }

    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, fileno(outputFile), STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, fileno(errorFile), STDERR_FILENO)

    let words = arguments.map { strdup($0) }
    defer { for word in words { free(word) } }
    var process: pid_t = 0
    guard let program = words.first, let program,
      posix_spawnp(&process, program, &actions, nil, words + [nil], environ) == 0
    else { return nil }

    var result: Int32 = 0
    while waitpid(process, &result, 0) < 0, errno == EINTR {}
    // The low seven bits are the signal that ended it, the next eight its exit code.
    status = result & 0x7F == 0 ? result >> 8 & 0xFF : 128 + result & 0x7F
    output = Self.contents(of: outputFile)
    errors = Self.contents(of: errorFile)
  }

  private static func contents(of file: UnsafeMutablePointer<FILE>) -> String {
    rewind(file)
    var bytes: [UInt8] = []
    while true {
      let piece = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
        count = fread(buffer.baseAddress, 1, buffer.count, file)
      }
      guard !piece.isEmpty else { return String(decoding: bytes, as: UTF8.self) }
      bytes += piece
    }
  }
}
