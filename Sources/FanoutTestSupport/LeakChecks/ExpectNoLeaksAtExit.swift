#if canImport(Glibc)
  @preconcurrency internal import Glibc
#elseif canImport(Musl)
  @preconcurrency internal import Musl
#elseif canImport(Android)
  @preconcurrency internal import Android
#elseif canImport(Darwin)
  internal import Darwin
#endif

#if canImport(Glibc) || canImport(Musl) || canImport(Android) || canImport(Darwin)
  /// Runs an operation and ends the process, with a failure if the process has leaked memory.
  ///
  /// A leak is memory that nothing can reach any more, whether or not anything tracked it.
  ///
  /// Call it in the body of an exit test, which runs in a process of its own. The leak sanitizer of
  /// `--sanitize=address` finds the leaks. Without a sanitizer the operation runs, a line on
  /// standard error reports that nothing was checked, and the test passes. To skip the test in that
  /// case, add the trait `.enabled(if: LeakSanitizer.isChecking)`. To fail it instead, set
  /// `FANOUT_REQUIRE_LEAK_SANITIZER=1`.
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
  /// The check finds unreachable memory: a cycle that only its own members hold. An object that a
  /// global or a running thread holds is not a leak.
  ///
  /// Windows and WASI, which have no leak sanitizer, do not have this function.
  ///
  /// - Parameter operation: The operation that must not leak. If it throws, the process fails.
  public func expectNoLeaksAtExit(
    _ operation: @escaping @Sendable () async throws -> Void
  ) async -> Never {
    // In a task of its own, because the memory of a finished task hides no pointers.
    if case .failure(let error) = await Task(operation: operation).result {
      complain("expectNoLeaksAtExit: the operation threw \(error)")
      exit(EXIT_FAILURE)
    }
    if LeakSanitizer.isChecking, let check = LeakSanitizer.check {
      // The sanitizer counts everything that a thread's stack points at as reachable, even
      // leftovers of calls that have returned. So look several times and overwrite the stacks in
      // between.
      for _ in 0..<5 {
        await overwriteStacks()
        try? await Task.sleep(for: .milliseconds(10))
        guard check() == 0 else {
          fflush(nil)
          _exit(EXIT_FAILURE)
        }
      }
      // A last look at process exit turns this success into a failure.
      exit(EXIT_SUCCESS)
    }
    complain(
      "expectNoLeaksAtExit checked nothing: "
        + (LeakSanitizer.isLinked
          ? "ASAN_OPTIONS or LSAN_OPTIONS switch the leak sanitizer off"
          : "there is no leak sanitizer in this process; build with --sanitize=address, on Linux"))
    let isRequired = LeakSanitizer.setting("FANOUT_REQUIRE_LEAK_SANITIZER") == "1"
    exit(isRequired ? EXIT_FAILURE : EXIT_SUCCESS)
  }

  private func complain(_ text: String) {
    fputs(text + "\n", stderr)
  }

  /// Overwrites the leftovers of old calls on the stacks of the threads that run tasks.
  private func overwriteStacks() async {
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<16 {
        group.addTask {
          overwriteStack()
          // Keeps one thread from taking all the tasks.
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
      // Gives other threads a turn while this one is busy.
      usleep(500)
    }
  }
#endif
