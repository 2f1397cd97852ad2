import FanoutEngine
import FanoutLifetime
import TestThreads
import Testing

private final class Object: Sendable {}

/// A reference in an object, because a closure cannot capture what cannot be copied.
private final class Holder: Sendable {
  private let reference = AtomicLazyReference()

  var object: AnyObject? { reference.object }
  func set(_ object: AnyObject) -> AnyObject { reference.setIfEmpty(object) }
}

struct AtomicLazyReferenceTests {
  @Test func `is empty until it is set, and keeps what it was set to`() {
    let holder = Holder()
    #expect(holder.object == nil)
    let first = Object()
    #expect(ObjectIdentifier(holder.set(first)) == ObjectIdentifier(first))
    #expect(ObjectIdentifier(holder.set(Object())) == ObjectIdentifier(first))
    #expect(holder.object.map { ObjectIdentifier($0) } == ObjectIdentifier(first))
  }

  @Test func `retains its object as long as it lives, and no other`() {
    let tracker = LifetimeTracker()
    var holder: Holder? = Holder()
    _ = holder?.set(tracker.track(Object(), "kept"))
    _ = holder?.set(tracker.track(Object(), "refused"))
    #expect(tracker.survivors().map(\.name) == ["kept"])
    holder = nil
    #expect(tracker.survivors() == [])
  }
}

struct AtomicLazyReferenceRaceTests {
  @Test func `of two that set it at once one wins, for both`() {
    for _ in 0..<200 {
      let holder = Holder()
      let winners = Notes<ObjectIdentifier>()
      let isOver = race(
        { winners.append(ObjectIdentifier(holder.set(Object()))) },
        { winners.append(ObjectIdentifier(holder.set(Object()))) })
      #expect(isOver)
      #expect(Set(winners.all).count == 1)
    }
  }
}
