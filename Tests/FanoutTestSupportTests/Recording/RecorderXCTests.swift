import Fanout
import FanoutTestSupport
import XCTest

/// The recorder in XCTest: it throws, which is all that a test needs.
final class RecorderXCTests: XCTestCase {
  func testWaitsForValuesAndTheEnd() async throws {
    let recorder = (1...3).publisher.map { $0 * 2 }.record()
    let values = try await recorder.waitForValues(3)
    XCTAssertEqual(values, [2, 4, 6])
    try await recorder.waitForEnd()
    try recorder.expectValues([2, 4, 6])
  }

  func testComparesMarblesInVirtualTime() throws {
    let scheduler = TestScheduler()
    let recorder = scheduler.cold("a-b-|").record(scheduler: scheduler)
    try scheduler.run()
    try recorder.expectMarbles("a-b-|")
    XCTAssertThrowsError(try recorder.expectMarbles("a-c-|")) { error in
      XCTAssert("\(error)".contains("expected: a-c-|"))
    }
  }

  @MainActor
  func testWorksOnTheMainActor() async throws {
    let subject = PassthroughSubject<String, Never>()
    let recorder = subject.record()
    subject.send("a")
    let values = try await recorder.waitForValues(1)
    XCTAssertEqual(values, ["a"])
  }
}
