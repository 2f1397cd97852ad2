import FanoutLifetime
import TestThreads
import Testing

@testable import FanoutEngine

private final class Object: Sendable {}

/// A reference in an object, because a closure cannot capture what cannot be copied.
private final class Holder: Sendable {
  private let reference: AtomicTakeReference

  init(_ object: AnyObject?) { reference = AtomicTakeReference(object.map { .passRetained($0) }) }

  func take() -> AnyObject? { reference.take()?.takeRetainedValue() }
  func replace(by object: AnyObject) -> AnyObject? {
    reference.replace(by: object)?.takeRetainedValue()
  }
  var isEmpty: Bool { reference.isEmpty }
}

struct AtomicTakeReferenceTests {
  @Test func `is taken once`() {
    let holder = Holder(Object())
    #expect(holder.take() != nil)
    #expect(holder.take() == nil)
    #expect(holder.isEmpty)
    #expect(Holder(nil).take() == nil)
  }

  @Test func `hands back what is replaced`() {
    let (first, second) = (Object(), Object())
    let holder = Holder(first)
    let replaced = holder.replace(by: second)
    #expect(replaced.map { ObjectIdentifier($0) } == ObjectIdentifier(first))
    #expect(holder.take().map { ObjectIdentifier($0) } == ObjectIdentifier(second))
    #expect(holder.replace(by: first) == nil)
  }

  @Test func `retains until it is taken, replaced or dies`() {
    let tracker = LifetimeTracker()
    var holder: Holder? = Holder(tracker.track(Object(), "taken"))
    _ = holder?.take()
    #expect(tracker.survivors() == [])
    _ = holder?.replace(by: tracker.track(Object(), "replaced"))
    _ = holder?.replace(by: tracker.track(Object(), "left"))
    #expect(tracker.survivors().map(\.name) == ["left"])
    holder = nil
    #expect(tracker.survivors() == [])
  }
}

struct AtomicTakeReferenceRaceTests {
  @Test func `of several that take it one gets it, while others ask`() {
    for _ in 0..<300 {
      let tracker = LifetimeTracker()
      let holder = Holder(tracker.track(Object(), "object"))
      let taken = Shared(0)
      let isOver = race(
        { if holder.take() != nil { taken.increment() } },
        { if holder.take() != nil { taken.increment() } },
        { _ = holder.isEmpty },
        { _ = holder.isEmpty })
      #expect(isOver)
      #expect(taken.value == 1)
      #expect(tracker.survivors() == [])
    }
  }
}
