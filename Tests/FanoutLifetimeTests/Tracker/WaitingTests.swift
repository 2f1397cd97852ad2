import FanoutLifetime
import TestThreads
import Testing

struct WaitingTests {
  let tracker = LifetimeTracker()

  @Test func `ends when the last object is gone`() async {
    let held = Shared<Probe?>(tracker.track(Probe(1), "probe"))
    Task.detached {
      // Not before the wait has begun, as far as a test can ensure that.
      for _ in 0..<10 { await Task.yield() }
      held.value = nil
    }
    // The task may have to wait until other tests give their threads back.
    #expect(await tracker.waitForRelease(within: .seconds(1800)) == [])
  }

  @Test func `takes no time if everything is gone`() async {
    tracker.track(Probe(1), "probe")
    #expect(await tracker.waitForRelease(within: .zero) == [])
  }

  @Test func `names who is alive when the time is over`() async {
    let probe = tracker.track(Probe(1), "probe")
    tracker.track(Probe(2), "gone")
    let left = await tracker.waitForRelease(within: .milliseconds(20))
    #expect(left.map(\.name) == ["probe"])
    withExtendedLifetime(probe) {}
  }

  @Test func `a cancelled task waits no longer`() async {
    let probe = tracker.track(Probe(1), "probe")
    let waiting = Task { [tracker] in await tracker.waitForRelease(within: .seconds(1800)) }
    waiting.cancel()
    #expect(await waiting.value.map(\.name) == ["probe"])
    withExtendedLifetime(probe) {}
  }
}
