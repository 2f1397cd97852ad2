import FanoutLifetime
import TestThreads
import Testing

@testable import FanoutEngine

private final class Object: Sendable {}

/// A reference in an object, because a closure cannot capture what cannot be copied.
private final class Holder: Sendable {
  private let reference = AtomicReference()

  var object: AnyObject? { reference.object }
  var isSet: Bool { reference.isSet }
  func set(_ object: AnyObject) -> AnyObject { reference.setIfEmpty(object) }
  func take() -> AnyObject? { reference.take()?.takeRetainedValue() }
  func replace(by object: AnyObject) -> AnyObject? {
    reference.replace(by: object)?.takeRetainedValue()
  }
}

struct AtomicReferenceTests {
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

  @Test func `hands back what is replaced, and is taken once`() {
    let (first, second) = (Object(), Object())
    let holder = Holder()
    #expect(holder.take() == nil)
    #expect(holder.replace(by: first) == nil)
    let replaced = holder.replace(by: second)
    #expect(replaced.map { ObjectIdentifier($0) } == ObjectIdentifier(first))
    #expect(holder.take().map { ObjectIdentifier($0) } == ObjectIdentifier(second))
    #expect(holder.take() == nil)
    #expect(!holder.isSet)
  }

  @Test func `retains until its object is taken or replaced, or it dies`() {
    let tracker = LifetimeTracker()
    var holder: Holder? = Holder()
    _ = holder?.replace(by: tracker.track(Object(), "taken"))
    _ = holder?.take()
    #expect(tracker.survivors() == [])
    _ = holder?.replace(by: tracker.track(Object(), "replaced"))
    _ = holder?.replace(by: tracker.track(Object(), "left"))
    #expect(tracker.survivors().map(\.name) == ["left"])
    holder = nil
    #expect(tracker.survivors() == [])
  }
}

struct AtomicReferenceRaceTests {
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

  @Test func `of several that take it one gets it, while others ask`() {
    for _ in 0..<300 {
      let tracker = LifetimeTracker()
      let holder = Holder()
      _ = holder.replace(by: tracker.track(Object(), "object"))
      let taken = Shared(0)
      let isOver = race(
        { if holder.take() != nil { taken.increment() } },
        { if holder.take() != nil { taken.increment() } },
        { _ = holder.isSet },
        { _ = holder.isSet })
      #expect(isOver)
      #expect(taken.value == 1)
      #expect(tracker.survivors() == [])
    }
  }
}
