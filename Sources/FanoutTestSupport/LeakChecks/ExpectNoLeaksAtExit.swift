#if canImport(Glibc)
  @preconcurrency internal import Glibc
#elseif canImport(Musl)
  @preconcurrency internal import Musl
#elseif canImport(Android)
  @preconcurrency internal import Android
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Runs an operation and ends the process, with a failure if memory has leaked that nobody can reach
/// any more: also what nobody tracked.
///
/// It is for the body of an exit test, which runs in a process of its own. The leak sanitizer of
/// `--sanitize=address` does the looking; where there is none the operation runs, a line on standard
/// error says that nothing was checked, and the test passes. To see such a test as skipped instead,
/// give it `.enabled(if: LeakSanitizer.isChecking)`. Set `FANOUT_REQUIRE_LEAK_SANITIZER=1` where it
/// must not pass unchecked.
///
/// <!-- not run: a test, which needs a test target to run it -->
/// ```swift
/// @Test func `playing leaks nothing`() async {
///   await #expect(processExitsWith: .success) {
///     await expectNoLeaksAtExit {
///       let songs = PassthroughSubject<String, Never>()
///       let player = Player()
///       player.play(songs)
///       player.stop()
///     }
///   }
/// }
/// ```
///
/// On Linux:
///
/// ```sh
/// SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=1:detect_stack_use_after_return=0 \
///   swift test --sanitize=address --disable-xctest
/// ```
///
/// It finds what is unreachable: a cycle that only its own members hold. What a global holds, or a
/// thread that still runs, is no leak to it.
///
/// - Parameter operation: What must not leak. If it throws, the process fails.
public func expectNoLeaksAtExit(
  _ operation: @escaping @Sendable () async throws -> Void
) async -> Never {
  // In a task of its own, for the memory of a task that is over hides no pointers.
  if case .failure(let error) = await Task(operation: operation).result {
    complain("expectNoLeaksAtExit: the operation threw \(error)")
    exit(EXIT_FAILURE)
  }
  if LeakSanitizer.isChecking, let check = LeakSanitizer.check {
    // What lies on a thread's stack is no leak to the sanitizer, also if it is left over from calls
    // that have returned: so more than one look, and the stacks are overwritten in between.
    for _ in 0..<5 {
      await overwriteStacks()
      try? await Task.sleep(for: .milliseconds(10))
      guard check() == 0 else {
        fflush(nil)
        _exit(EXIT_FAILURE)
      }
    }
    // And a last one when the process exits, which turns this success into a failure.
    exit(EXIT_SUCCESS)
  }
  complain(
    "expectNoLeaksAtExit checked nothing: "
      + (LeakSanitizer.isLinked
        ? "ASAN_OPTIONS or LSAN_OPTIONS switch the leak sanitizer off"
        : "there is no leak sanitizer in this process; build with --sanitize=address, on Linux"))
  exit(LeakSanitizer.setting("FANOUT_REQUIRE_LEAK_SANITIZER") == "1" ? EXIT_FAILURE : EXIT_SUCCESS)
}

private func complain(_ text: String) {
  fputs(text + "\n", stderr)
}

/// Overwrites what old calls have left on the stacks of the threads that run tasks.
private func overwriteStacks() async {
  await withTaskGroup(of: Void.self) { group in
    for _ in 0..<16 {
      group.addTask {
        overwriteStack()
        // So that one thread does not take all.
        await Task.yield()
        overwriteStack()
      }
    }
  }
}

@inline(never)
private func overwriteStack() {
  withUnsafeTemporaryAllocation(byteCount: 32 << 10, alignment: 16) { bytes in
    _ = bytes.initializeMemory(as: UInt8.self, repeating: 0)
    // Others get a turn while this thread is busy.
    usleep(500)
  }
}
