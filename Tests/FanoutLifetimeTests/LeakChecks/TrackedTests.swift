import FanoutTestSupport
import Testing

struct TrackedTests {
  static let advice =
    " is not tracked, because there is no tracker here: give the test the trait .noLeaks; in a "
    + "detached task or on a queue, take LifetimeTracker.current along and call tracker.perform "
    + "{ … } there; in XCTest, call trackLifetime(of:)"

  @Test func `says what to do where there is no tracker`() {
    expectIssues([("`probe`" + Self.advice, #line + 1)]) {
      let probe = tracked(Probe(7), "probe")
      #expect(probe.id == 7)
    }
    expectIssues([("`Probe`" + Self.advice, #line)]) { tracked(Probe()) }
  }

  @Test(.noLeaks) func `returns the object`() {
    #expect(tracked(Probe(7)).id == 7)
  }
}
