import FanoutEngine
import FanoutLifetime
import TestThreads
import Testing

private final class Object: Sendable {
  let whenGone: @Sendable () -> Void
  init(whenGone: @escaping @Sendable () -> Void = {}) { self.whenGone = whenGone }
  deinit { whenGone() }
}

/// A reference in an object, because an expectation cannot look at what cannot be copied.
private final class Holder: Sendable {
  private let reference: RundownReference

  init(_ object: Object) { reference = RundownReference(.passRetained(object)) }

  var isClosed: Bool { reference.isClosed }
  var isGuarded: Bool { reference.isGuarded }
  var isGuardedAndOpen: Bool { reference.isGuardedAndOpen }

  func withObject<Result>(_ body: (AnyObject) -> Result) -> Result? { reference.withObject(body) }
  func closing<Result>(isCancel: Bool = false, _ body: (AnyObject) -> Result) -> Result? {
    reference.closing(isCancel: isCancel, body)
  }
  @discardableResult func close() -> Bool { reference.close() }
  @discardableResult func guardIfUntouched() -> Bool { reference.guardIfUntouched() }
  func release() { reference.release() }
}

/// Returns a reference, and a weak reference to its object.
private func make() -> (Holder, WeakReference) {
  let object = Object()
  return (Holder(object), WeakReference(object))
}

struct RundownReferenceTests {
  @Test func `retains its object until it is closed`() {
    let (holder, object) = make()
    #expect(object.isAlive)
    #expect(!holder.isClosed)
    #expect(holder.withObject { _ in 7 } == 7)
    #expect(holder.close())
    #expect(!object.isAlive)
    #expect(holder.isClosed)
    #expect(holder.withObject { _ in 7 } == nil)
  }

  @Test func `is closed by one call only`() {
    let (holder, _) = make()
    #expect(holder.close())
    #expect(!holder.close())
  }

  @Test func `releases its object when it dies open`() {
    let kept = Shared<Holder?>(nil)
    let object: WeakReference
    (kept.value, object) = make()
    #expect(object.isAlive)
    kept.value = nil
    #expect(!object.isAlive)
  }

  @Test func `keeps its object as long as somebody is inside`() {
    let (holder, object) = make()
    holder.withObject { _ in
      holder.withObject { _ in #expect(holder.close()) }
      #expect(object.isAlive)
      #expect(holder.withObject { _ in true } == nil)
      #expect(object.isAlive)
    }
    #expect(!object.isAlive)
  }

  @Test func `keeps its object as long as a source guards it`() {
    let (holder, object) = make()
    holder.guardIfUntouched()
    #expect(holder.isGuarded)
    #expect(holder.isGuardedAndOpen)
    holder.close()
    #expect(!holder.isGuardedAndOpen)
    #expect(object.isAlive)
    holder.release()
    #expect(!object.isAlive)
  }

  @Test func `waits for the guard and for who is inside`() {
    let (holder, object) = make()
    holder.guardIfUntouched()
    holder.withObject { _ in
      holder.close()
      holder.release()
      #expect(object.isAlive)
    }
    #expect(!object.isAlive)
  }

  @Test func `is not released by word of the source while open`() {
    let (holder, object) = make()
    holder.guardIfUntouched()
    holder.release()
    #expect(object.isAlive)
    holder.close()
    #expect(!object.isAlive)
  }

  @Test func `closes once, and hands out what is needed for a last call`() {
    let (holder, object) = make()
    let taken = holder.closing { _ -> Int in
      #expect(object.isAlive)
      #expect(holder.closing { _ in 8 } == nil)
      return 7
    }
    #expect(taken == 7)
    #expect(!object.isAlive)
    #expect(holder.closing { _ in 8 } == nil)
  }

  @Test func `guarded, it closes at once and releases by word of the source`() {
    let (holder, object) = make()
    holder.guardIfUntouched()
    #expect(holder.closing { _ in 7 } == 7)
    #expect(holder.isClosed)
    #expect(object.isAlive)
    holder.release()
    #expect(!object.isAlive)
  }
}

struct RundownReferenceRaceTests {
  @Test func `releases once and never early, whoever uses and closes it at the same time`() {
    for _ in 0..<300 {
      let gone = Shared(0)
      let holder = Holder(Object { gone.increment() })
      let use: @Sendable () -> Void = {
        for _ in 0..<20 {
          holder.withObject { object in
            #expect(gone.value == 0)
            withExtendedLifetime(object) {}
          }
        }
      }
      let close: @Sendable () -> Void = { holder.close() }
      #expect(race(use, close, use, close))
      #expect(gone.value == 1)
    }
  }

  @Test func `releases once when guard, closer and users end at the same time`() {
    for _ in 0..<300 {
      let gone = Shared(0)
      let holder = Holder(Object { gone.increment() })
      holder.guardIfUntouched()
      let isOver = race(
        { holder.release() },
        { holder.close() },
        { _ = holder.withObject { _ in } })
      #expect(isOver)
      holder.release()
      #expect(gone.value == 1)
    }
  }
}
