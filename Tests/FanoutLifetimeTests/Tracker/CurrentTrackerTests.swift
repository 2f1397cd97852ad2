import Dispatch
import FanoutLifetime
import TestThreads
import Testing

struct CurrentTrackerTests {
  @Test func `there is none unless somebody makes one current`() {
    #expect(LifetimeTracker.current == nil)
    LifetimeTracker().perform { #expect(LifetimeTracker.current != nil) }
    #expect(LifetimeTracker.current == nil)
  }

  @Test func `the innermost is the current one`() async {
    let outer = LifetimeTracker()
    let inner = LifetimeTracker()
    await outer.perform {
      inner.perform { #expect(LifetimeTracker.current === inner) }
      await Task.yield()
      #expect(LifetimeTracker.current === outer)
    }
  }

  @Test func `tasks have their parent's, detached ones and queues have none`() async {
    let tracker = LifetimeTracker()
    await tracker.perform {
      async let child = LifetimeTracker.current
      #expect(await child === tracker)
      #expect(await Task { LifetimeTracker.current }.value === tracker)
      #expect(await Task.detached { LifetimeTracker.current }.value == nil)
      #expect(await onQueue { LifetimeTracker.current } == nil)
    }
  }

  @Test func `one that is passed on is current in detached tasks and on queues`() async {
    let tracker = LifetimeTracker()
    let detached = await Task.detached {
      await tracker.perform { await Task { LifetimeTracker.current }.value }
    }.value
    #expect(detached === tracker)
    #expect(await onQueue { tracker.perform { LifetimeTracker.current } } === tracker)
  }

  @Test @MainActor func `an operation stays on its actor`() async {
    let tracker = LifetimeTracker()
    let name = await tracker.perform {
      MainActor.assertIsolated()
      await Task.yield()
      MainActor.assertIsolated()
      return "main"
    }
    #expect(name == "main")
  }

  @Test func `what is thrown comes through, and the tracker is not current any more`() async {
    let tracker = LifetimeTracker()
    #expect(throws: CancellationError.self) {
      try tracker.perform { throw CancellationError() }
    }
    await #expect(throws: CancellationError.self) {
      try await tracker.perform {
        await Task.yield()
        throw CancellationError()
      }
    }
    #expect(LifetimeTracker.current == nil)
  }

  private func onQueue<Result: Sendable>(
    _ body: @escaping @Sendable () -> Result
  ) async -> Result {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(returning: body()) }
    }
  }
}
