#if canImport(Testing)
  internal import FanoutLifetime
  public import Testing

  /// A trait that makes a test fail if an object it tracks, or a subscription it makes, outlives
  /// it.
  ///
  /// Apply it as `.noLeaks`.
  public struct NoLeaksTrait: TestTrait, SuiteTrait, TestScoping {
    let limit: Duration
    let allowsLiveSubscriptions: Bool

    /// Whether the trait applies to the tests and suites inside a suite; always true.
    public var isRecursive: Bool { true }

    /// Runs a test case with a tracker of its own and records the objects still alive at its end.
    public func provideScope(
      for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
      guard testCase != nil else { return try await function() }
      let tracker = LifetimeTracker()
      let result: Result<Void, any Error>
      do {
        result = .success(try await tracker.perform(function))
      } catch {
        result = .failure(error)
      }
      await LifetimeTracker.poll(within: limit) {
        tracker.isClear(allowingSubscriptions: allowsLiveSubscriptions)
      }
      let location = test.sourceLocation
      let place = SourcePlace(
        fileID: location.fileID, filePath: location.filePath, line: location.line,
        column: location.column)
      let livePlace = allowsLiveSubscriptions ? nil : place
      for issue in tracker.issues(outliving: "the test", at: livePlace) { issue.record() }
      try result.get()
    }
  }

  extension Trait where Self == NoLeaksTrait {
    /// A trait that makes a test fail if a tracked object or a subscription is alive at its end.
    ///
    /// Track an object with ``tracked(_:_:fileID:filePath:line:column:)``. On a suite the trait
    /// applies to every test in it, also in nested suites. A test ends when its function has
    /// returned and the instance of its suite is released, so an object stored there counts as
    /// released. Each case of a parameterised test is checked alone.
    ///
    /// <!-- not run: a test, which needs a test target to run it -->
    /// ```swift
    /// @Test(.noLeaks) func `a player is gone when it stops`() {
    ///   let songs = PassthroughSubject<String, Never>()
    ///   let player = tracked(Player(), "player")
    ///   player.play(songs)
    ///   player.stop()
    /// }
    /// ```
    ///
    /// The check does not suit an object that outlives the test on purpose, in a global for
    /// instance. Make such an object before the test, or allow live subscriptions with
    /// ``noLeaks(eventually:allowsLiveSubscriptions:)``.
    public static var noLeaks: Self { noLeaks(eventually: .zero) }

    /// Makes the trait for tests whose objects are released later, or that leave subscriptions
    /// behind.
    ///
    /// - Parameters:
    ///   - limit: The time to wait at the end of the test. A test whose objects are already gone
    ///     does not wait.
    ///   - allowsLiveSubscriptions: Whether only tracked objects are checked.
    /// - Returns: The trait.
    public static func noLeaks(
      eventually limit: Duration = .zero, allowsLiveSubscriptions: Bool = false
    ) -> Self {
      Self(limit: limit, allowsLiveSubscriptions: allowsLiveSubscriptions)
    }
  }
#endif
