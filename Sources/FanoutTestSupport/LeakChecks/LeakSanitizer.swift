#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The leak sanitizer of this process, which looks for leaks when the process exits.
public enum LeakSanitizer: Sendable {
  /// Whether this process has a leak sanitizer that is switched on.
  ///
  /// A process has one if it was built with `--sanitize=address` on Linux; Apple's compiler has
  /// none. It is on unless `ASAN_OPTIONS` or `LSAN_OPTIONS` contain `detect_leaks=0`.
  public static var isChecking: Bool { isLinked && !isSwitchedOff }

  typealias Check = @convention(c) () -> CInt

  /// The sanitizer's check, which reports leaks on standard error and returns 0 if there are none.
  ///
  /// It is looked up by name, because it exists only in a process with the sanitizer.
  static var check: Check? {
    #if canImport(Glibc) || canImport(Musl) || canImport(Android) || canImport(Darwin)
      guard let process = dlopen(nil, RTLD_NOW) else { return nil }
      defer { dlclose(process) }
      return dlsym(process, "__lsan_do_recoverable_leak_check").map {
        unsafeBitCast($0, to: Check.self)
      }
    #else
      return nil
    #endif
  }

  static var isLinked: Bool { check != nil }

  static var isSwitchedOff: Bool {
    isSwitchedOff(in: ["ASAN_OPTIONS", "LSAN_OPTIONS"].compactMap(setting))
  }

  /// Returns whether the options switch the sanitizer off; the last of several settings in a text
  /// counts.
  static func isSwitchedOff(in options: [String]) -> Bool {
    options.contains { text in
      let values = text.split { ": ,\n\t".contains($0) }.filter { $0.hasPrefix("detect_leaks=") }
      return values.last.map { ["0", "false", "no"].contains($0.dropFirst("detect_leaks=".count)) }
        ?? false
    }
  }

  /// Returns the value of an environment variable, or nil if it is not set or the platform is
  /// unknown.
  package static func setting(_ name: String) -> String? {
    #if canImport(Glibc) || canImport(Musl) || canImport(Android) || canImport(Darwin)
      return getenv(name).map { String(cString: $0) }
    #else
      return nil
    #endif
  }
}
