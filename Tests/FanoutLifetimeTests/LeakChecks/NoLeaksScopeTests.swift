import Dispatch
import Fanout
import FanoutTestSupport
import TestThreads
import Testing

/// Which objects belong to a test: those of its suite's instance, of its cases, of its tasks.
@Suite(.noLeaks)
struct NoLeaksScopeTests {
  let subject = PassthroughSubject<Int, Never>()
  let probe = tracked(Probe(), "in the suite")
  let watching: AnyCancellable

  init() { watching = subject.sink { [probe] in probe.take($0) } }

  @Test func `what the instance of a suite holds is released in time`() {
    #expect(LifetimeTracker.current?.liveObjects.byType["Sink"] == 1)
    #expect(LifetimeTracker.current?.survivors().map(\.name) == ["in the suite"])
  }

  @Test(arguments: 0..<8)
  func `each case has a tracker of its own`(_ count: Int) async {
    let probes = (0..<count).map { tracked(Probe($0)) }
    for _ in 0..<10 { await Task.yield() }
    #expect(LifetimeTracker.current?.survivors().count == count + 1)
    withExtendedLifetime(probes) {}
  }

  @Test(
    .expectedIssue("`kept` outlived the test: \(unexplained)", linesBelow: 5), .noLeaks,
    arguments: [1, 2])
  func `each case is looked at alone`(_ number: Int) {
    tracked(Probe(number), "gone")
    Afterlife.keep(tracked(Probe(number), "kept"))
  }

  struct Inner {
    @Test func `a suite's trait holds for suites inside it`() {
      tracked(Probe())
      #expect(LifetimeTracker.current?.survivors() == [])
    }
  }

  @Test func `a queue takes part with the tracker that is passed to it`() async throws {
    let tracker = try #require(LifetimeTracker.current)
    let subject = PassthroughSubject<Int, Never>()
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        tracker.perform {
          let probe = tracked(Probe(), "on a queue")
          subject.sink { probe.take($0) }.cancel()
        }
        continuation.resume()
      }
    }
    #expect(tracker.survivors().map(\.name) == ["in the suite"])
  }

  @Test(.noLeaks(eventually: .seconds(1800)))
  func `waits for release that comes later`() {
    let held = Shared<Probe?>(tracked(Probe(), "later"))
    let subject = PassthroughSubject<Int, Never>()
    let watching = subject.sink { _ in }
    Task.detached {
      for _ in 0..<20 { await Task.yield() }
      held.value = nil
      watching.cancel()
    }
  }

  @Test(
    .expectedIssue("`never` outlived the test: \(unexplained)", linesBelow: 4),
    .noLeaks(eventually: .milliseconds(20)))
  func `waits no longer than it was told`() {
    Afterlife.keep(tracked(Probe(), "never"))
  }
}
