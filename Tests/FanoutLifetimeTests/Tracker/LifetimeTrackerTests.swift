import FanoutLifetime
import TestThreads
import Testing

struct LifetimeTrackerTests {
  @Test func `names who is still alive, in order, and where it was tracked`() throws {
    let tracker = LifetimeTracker()
    let first = tracker.track(Probe(1), "first")
    tracker.track(Probe(2), "gone")
    let last = tracker.track(Probe(3))
    let line = #line - 1
    let survivors = tracker.survivors()
    #expect(survivors.map(\.name) == ["first", "Probe"])
    let survivor = try #require(survivors.last)
    #expect(survivor.fileID.hasSuffix("LifetimeTrackerTests.swift"))
    #expect(survivor.line == line)
    #expect(survivor.description.hasSuffix("LifetimeTrackerTests.swift:\(line))"))
    withExtendedLifetime((first, last)) {}
  }

  @Test func `keeps nobody alive`() {
    let tracker = LifetimeTracker()
    let gone = Notes<Int>()
    do { tracker.track(Probe(1) { gone.append(1) }) }
    #expect(gone.all == [1])
    #expect(tracker.survivors() == [])
  }

  @Test func `a weak reference says whether its object is alive`() {
    let token = Shared<Probe?>(Probe())
    let reference = WeakReference(token.value)
    #expect(reference.isAlive)
    token.value = nil
    #expect(!reference.isAlive)
    #expect(!WeakReference(nil).isAlive)
  }
}

struct LifetimeTrackerRaceTests {
  @Test func `may be used by many threads`() {
    let tracker = LifetimeTracker()
    let kept = Notes<Probe>()
    let track: @Sendable () -> Void = {
      for id in 0..<200 {
        let token = tracker.track(Probe(id))
        if id.isMultiple(of: 4) { kept.append(token) }
        _ = tracker.survivors()
      }
    }
    #expect(race(track, track, track))
    #expect(tracker.survivors().count == 150)
    withExtendedLifetime(kept) {}
  }
}
