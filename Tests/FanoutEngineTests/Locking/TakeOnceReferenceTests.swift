import FanoutLifetime
import TestThreads
import Testing

@testable import FanoutEngine

private final class Object: Sendable {}

/// A reference in an object, because a closure cannot capture what cannot be copied.
private final class Holder: Sendable {
  private let reference: TakeOnceReference

  init(_ object: AnyObject) { reference = TakeOnceReference(.passRetained(object)) }

  func take(_ body: (AnyObject) -> Void = { _ in }) { reference.taking(body) }
  func inspect(_ body: (AnyObject) -> Void = { _ in }) -> Bool { reference.inspect(body) }
  var isTaken: Bool { reference.isTaken }
}

struct TakeOnceReferenceTests {
  @Test func `is taken once, and released when it was used`() {
    let tracker = LifetimeTracker()
    let holder = Holder(tracker.track(Object(), "object"))
    #expect(!holder.isTaken)
    var calls = 0
    holder.take { _ in
      calls += 1
      holder.take { _ in calls += 1 }
      #expect(holder.isTaken)
      #expect(!holder.inspect())
      #expect(tracker.survivors().count == 1)
    }
    #expect(calls == 1)
    #expect(tracker.survivors() == [])
    holder.take { _ in calls += 1 }
    #expect(calls == 1)
  }

  @Test func `is released with its owner`() {
    let tracker = LifetimeTracker()
    var holder: Holder? = Holder(tracker.track(Object(), "object"))
    #expect(holder?.inspect() == true)
    #expect(tracker.survivors().count == 1)
    holder = nil
    #expect(tracker.survivors() == [])
  }

  @Test func `an inspector releases what was taken meanwhile`() {
    let tracker = LifetimeTracker()
    let holder = Holder(tracker.track(Object(), "object"))
    let isRead = holder.inspect { _ in
      #expect(!holder.inspect())
      holder.take()
      #expect(holder.isTaken)
      #expect(tracker.survivors().count == 1)
    }
    #expect(isRead)
    #expect(tracker.survivors() == [])
  }
}

struct TakeOnceReferenceRaceTests {
  @Test func `of several that take it one gets it, while others read it`() {
    for _ in 0..<300 {
      let tracker = LifetimeTracker()
      let holder = Holder(tracker.track(Object(), "object"))
      let taken = Shared(0)
      let isOver = race(
        { holder.take { _ in taken.increment() } },
        { holder.take { _ in taken.increment() } },
        { _ = holder.inspect { withExtendedLifetime($0) {} } },
        { _ = holder.inspect { withExtendedLifetime($0) {} } })
      #expect(isOver)
      #expect(taken.value == 1)
      #expect(tracker.survivors() == [])
    }
  }
}
