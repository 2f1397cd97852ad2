import Fanout
import FanoutLifetime
import TestThreads
import Testing

struct ParallelTrackersRaceTests {
  @Test func `parallel tasks see their own objects only`() async {
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<64 {
        group.addTask {
          let tracker = LifetimeTracker()
          await tracker.perform { await Self.leave(task % 5, of: 20, in: tracker) }
        }
      }
    }
  }

  private static func leave(_ kept: Int, of count: Int, in tracker: LifetimeTracker) async {
    var left: [(Probe, AnyCancellable)] = []
    for number in 0..<count {
      let subject = PassthroughSubject<Int, Never>()
      let probe = LifetimeTracker.current?.track(Probe(number), "probe")
      let watching = await Task { subject.sink { _ in } }.value
      if number < kept, let probe { left.append((probe, watching)) }
      await Task.yield()
    }
    #expect(tracker.survivors().count == kept)
    #expect(tracker.liveObjects.byType["Sink", default: 0] == kept)
    #expect(tracker.liveSources.count == kept)
    withExtendedLifetime(left) {}
  }

  @Test func `one tracker may be current on many threads`() {
    let tracker = LifetimeTracker()
    let subject = PassthroughSubject<Int, Never>()
    let subscribe: @Sendable () -> Void = {
      tracker.perform {
        for _ in 0..<2_000 { subject.sink { _ in }.cancel() }
      }
    }
    let look: @Sendable () -> Void = {
      for _ in 0..<200 { _ = tracker.liveObjects }
    }
    #expect(race(subscribe, subscribe, look))
    #expect(tracker.liveObjects.total == 0)
  }

  @Test func `connections come and go while somebody counts`() {
    let tracker = LifetimeTracker()
    let shared = PassthroughSubject<Int, Never>().share(replay: .all)
    let join: @Sendable () -> Void = {
      tracker.perform {
        for _ in 0..<500 { shared.sink { _ in }.cancel() }
      }
    }
    let look: @Sendable () -> Void = {
      for _ in 0..<100 { _ = tracker.liveObjects }
    }
    #expect(race(join, join, look))
    #expect(tracker.liveObjects.byType["Sink"] == nil)
    #expect(tracker.liveObjects.byType["Connection"] == nil)
  }

  @Test func `a connection that somebody else's subscriber keeps is nobody's leak`() {
    let ticks = PassthroughSubject<Int, Never>()
    let shared = ticks.map { $0 + 1 }.share(replay: .latest)
    let mine = LifetimeTracker()
    let theirs = LifetimeTracker()
    let first = mine.perform { shared.sink { _ in } }
    let second = theirs.perform { shared.sink { _ in } }
    first.cancel()
    #expect(mine.issues(outliving: "the test", at: SourcePlace()) == [])
    #expect(theirs.issues(outliving: "the test", at: SourcePlace()).count == 1)
    second.cancel()
    #expect(theirs.issues(outliving: "the test", at: SourcePlace()) == [])
  }
}
