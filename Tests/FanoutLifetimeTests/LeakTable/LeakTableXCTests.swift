#if !canImport(Darwin)
  import FanoutLifetime
  import FanoutTestSupport
  import XCTest

  /// The table under the checks of XCTest; what these record is compared instead of failing the run.
  final class LeakTableXCTests: XCTestCase {
    private var recorded: [String] = []
    private var wrong: [String] = []

    override func recordFailure(
      withDescription description: String, inFile filePath: String, atLine lineNumber: Int,
      expected: Bool
    ) {
      recorded.append(description)
    }

    override func invokeTest() {
      super.invokeTest()
      for text in wrong + recorded {
        super.recordFailure(
          withDescription: text, inFile: #filePath, atLine: #line, expected: true)
      }
    }

    private func messages(of testCase: any RowTesting) -> [String] {
      testCase.invokeTest()
      defer { recorded = [] }
      end(testCase.app)
      return recorded + testCase.recorded
    }

    private func end(_ app: App?) {
      guard let app else { return }
      let ended = expectation(description: "every leak is ended")
      Task {
        await app.end()
        ended.fulfill()
      }
      wait(for: [ended], timeout: 300)
    }

    func testEachWayOfLeakingIsToldWithItsHolder() {
      for row in LeakRow.all {
        let messages = messages(of: LeakRowXCTestCase.make(row, leaks: true))
        let isTold = messages.count == 1 && row.report.allSatisfy(messages[0].contains)
        if !isTold { wrong.append("\(row.name): \(messages)") }
      }
    }

    func testWhatIsWrittenProperlyIsNotTold() {
      for row in LeakRow.all {
        let messages = messages(of: LeakRowXCTestCase.make(row, leaks: false))
        if !messages.isEmpty { wrong.append("\(row.name): \(messages)") }
      }
    }

    func testATrackedModelIsToldByEachTestCase() {
      for row in LeakRow.all where row.leaksModel {
        let messages = messages(of: PlainRowXCTestCase.make(row, leaks: true))
        if messages.count != 1 || !messages[0].contains("`model` outlived the test") {
          wrong.append("\(row.name): \(messages)")
        }
      }
      for row in LeakRow.all {
        let messages = messages(of: PlainRowXCTestCase.make(row, leaks: false))
        if !messages.isEmpty { wrong.append("\(row.name): \(messages)") }
      }
    }
  }

  private protocol RowTesting: XCTestCase, Sendable {
    var row: LeakRow? { get set }
    var leaks: Bool { get set }
    var app: App? { get set }
    var recorded: [String] { get }
    func track(_ object: AnyObject)
  }

  extension RowTesting {
    static func make(_ row: LeakRow, leaks: Bool) -> Self {
      let testCase = Self(name: row.name) { testCase in
        guard let testCase = testCase as? Self else { return }
        try asyncTest { (testCase: Self) in { await testCase.runRow() } }(testCase)()
      }
      testCase.row = row
      testCase.leaks = leaks
      return testCase
    }

    /// The time limit for the corrected code.
    var limit: Duration { row?.takesTime == true && !leaks ? .seconds(1800) : .zero }

    private func runRow() async {
      let app = App { [unowned self] in self.track($0) }
      self.app = app
      // A plain test case has no tracker of its own, by which to wait for a loop.
      let tracker = LifetimeTracker.current ?? LifetimeTracker()
      await tracker.perform { _ = await row?.run(leaks: leaks, in: app) }
    }
  }

  // `@unchecked Sendable` invariant: used by the thread of the test, which waits for its task.

  private final class LeakRowXCTestCase: NoLeaksTestCase, RowTesting, @unchecked Sendable {
    var row: LeakRow?
    var leaks = false
    var app: App?

    private(set) var recorded: [String] = []

    override func recordFailure(
      withDescription description: String, inFile filePath: String, atLine lineNumber: Int,
      expected: Bool
    ) {
      recorded.append(description)
    }

    override var releaseLimit: Duration { limit }

    func track(_ object: AnyObject) { tracked(object, "model") }
  }

  private final class PlainRowXCTestCase: XCTestCase, RowTesting, @unchecked Sendable {
    var row: LeakRow?
    var leaks = false
    var app: App?

    var recorded: [String] { [] }

    func track(_ object: AnyObject) { trackLifetime(of: object, "model", eventually: limit) }
  }
#endif
