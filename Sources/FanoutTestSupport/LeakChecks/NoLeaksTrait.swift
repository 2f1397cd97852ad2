#if canImport(Testing)
  internal import FanoutLifetime
  public import Testing

  /// Makes a test fail if what it tracks, or what it subscribes, outlives it.
  ///
  /// Use it as the trait `.noLeaks`.
  public struct NoLeaksTrait: TestTrait, SuiteTrait, TestScoping {
    let limit: Duration
    let allowsLiveSubscriptions: Bool

    /// Whether it holds for the tests and suites inside a suite: it does.
    public var isRecursive: Bool { true }

    /// Runs a test case with a tracker of its own, and records what is still alive at its end.
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
    /// Makes the test fail if an object that it tracks with ``tracked(_:_:fileID:filePath:line:column:)``
    /// is alive at its end, or a subscription that it made.
    ///
    /// On a suite it holds for every test in it, also in suites inside. The end of a test is when
    /// its function has returned and the instance of its suite is gone, so what is stored there
    /// counts as released. Each case of a parameterised test is looked at alone.
    ///
    /// <!-- not run: a test, which needs a test target to run it -->
    /// ```swift
    /// @Test(.noLeaks) func `a player is gone when nobody plays`() {
    ///   let songs = PassthroughSubject<String, Never>()
    ///   let player = tracked(Player(), "player")
    ///   player.play(songs)
    ///   player.stop()
    /// }
    /// ```
    ///
    /// What outlives the test on purpose, in a global for instance, is not for this check: make it
    /// before the test, or allow live subscriptions with
    /// ``noLeaks(eventually:allowsLiveSubscriptions:)``.
    public static var noLeaks: Self { noLeaks(eventually: .zero) }

    /// The same for release that comes later, or for tests that leave subscriptions behind.
    ///
    /// - Parameters:
    ///   - limit: How long to wait at the end of the test. A test whose objects are gone at once
    ///     does not wait.
    ///   - allowsLiveSubscriptions: Whether only tracked objects are looked at.
    /// - Returns: The trait.
    public static func noLeaks(
      eventually limit: Duration = .zero, allowsLiveSubscriptions: Bool = false
    ) -> Self {
      Self(limit: limit, allowsLiveSubscriptions: allowsLiveSubscriptions)
    }
  }
#endif
