import FanoutCore
import FanoutLifetime
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// A stream of the user's, for several threads.
private final class Page: TextOutputStream, Sendable {
  private let text = Shared("")
  private let whenWritten: @Sendable (String) -> Void

  init(whenWritten: @escaping @Sendable (String) -> Void = { _ in }) {
    self.whenWritten = whenWritten
  }

  func write(_ string: String) {
    text.change { $0 += string }
    whenWritten(string)
  }

  var lines: [String] { text.value.split(separator: "\n").map(String.init) }
}

private struct Described: CustomStringConvertible {
  let description = "described"
}

private struct Written: CustomStringConvertible, TextOutputStreamable {
  let description = "described"
  func write<Target: TextOutputStream>(to target: inout Target) { target.write("written") }
}

private struct Debugged: CustomDebugStringConvertible {
  let debugDescription = "debugged"
}

private class Animal: CustomStringConvertible {
  var description: String { "animal" }
}

private final class Cat: Animal, TextOutputStreamable {
  func write<Target: TextOutputStream>(to target: inout Target) { target.write("cat") }
}

struct PrintTests {
  @Test func `prints Combine's text`() {
    let page = Page()
    let upstream = TestPublisher<Int, Broken>()
    let subscriber = TestSubscriber<Int, Broken>(initialDemand: .max(1)) { _, value in
      value == 1 ? .max(2) : value == 2 ? .unlimited : .none
    }
    upstream.print("here", to: page).subscribe(subscriber)
    subscriber.request(.unlimited)
    (1...3).forEach(upstream.send)
    upstream.send(completion: .failure(Broken()))
    #expect(
      page.lines == [
        "here: receive subscription: (TestSubscription)", "here: request max: (1)",
        "here: request unlimited", "here: receive value: (1)",
        "here: request max: (2) (synchronous)", "here: receive value: (2)",
        "here: request unlimited (synchronous)", "here: receive value: (3)",
        "here: receive error: (Broken())",
      ])
    #expect(subscriber.violations == [])
  }

  @Test func `prints of a sink what Combine does, and no prefix if it is empty`() {
    let page = Page()
    let sink = (1...2).publisher.print(to: page).sink { _ in }
    sink.cancel()
    #expect(
      page.lines == [
        "receive subscription: (1...2)", "request unlimited", "receive value: (1)",
        "receive value: (2)", "receive finished",
      ])
  }

  @Test func `prints of each kind of value what an interpolation shows`() {
    func expectInterpolation<Value>(_ value: Value, _ text: String) {
      let page = Page()
      let sink = Just(value).print(to: page).sink { _ in }
      sink.cancel()
      #expect("\(value)" == text)
      #expect(page.lines.filter { $0.hasPrefix("receive value") } == ["receive value: (\(text))"])
    }
    expectInterpolation(7, "7")
    expectInterpolation(0.5, "0.5")
    expectInterpolation("text", "text")
    expectInterpolation([Described()], "[described]")
    expectInterpolation(Described(), "described")
    expectInterpolation(Written(), "written")
    expectInterpolation(Debugged(), "debugged")
    expectInterpolation(Optional(Described()) as Any, "Optional(described)")
    expectInterpolation(Described?.none, "nil")
    expectInterpolation(Described?.some(Described()), "Optional(described)")
    expectInterpolation(Animal(), "animal")
    expectInterpolation(Cat() as Animal, "cat")
    expectInterpolation(Written() as any CustomStringConvertible, "written")
    expectInterpolation(AnyHashable("text"), "text")
    expectInterpolation((1, Described()), "(1, described)")
  }

  @Test func `D7: prints a cancel once, and nothing after it`() {
    let page = Page()
    let upstream = TestPublisher<Int, Broken>(ignoresCancel: true)
    let subscriber = TestSubscriber<Int, Broken>(initialDemand: .none)
    upstream.print(to: page).subscribe(subscriber)
    subscriber.cancel()
    subscriber.cancel()
    subscriber.request(.max(1))
    upstream.send(1)
    upstream.send(completion: .finished)
    #expect(page.lines == ["receive subscription: (TestSubscription)", "receive cancel"])
    #expect(subscriber.events == [.subscription])
  }

  @Test func `each subscription has a copy of a stream that is a value`() {
    struct Counted: TextOutputStream {
      var writes = 0
      let seen: Notes<Int>
      mutating func write(_ string: String) {
        guard string.contains("value") else { return }
        writes += 1
        seen.append(writes)
      }
    }
    let seen = Notes<Int>()
    let publisher = (1...2).publisher.print(to: Counted(seen: seen))
    publisher.sink { _ in }.cancel()
    publisher.sink { _ in }.cancel()
    #expect(seen.all == [1, 2, 1, 2])
  }

  @Test func `D11: a stream may use the publisher while it writes, and lines stay whole`() {
    let subject = PassthroughSubject<Int, Never>()
    let held = Shared<TestSubscriber<Int, Never>?>(nil)
    let page = Page { string in
      // In the middle of a line: its end is written by another call.
      if string.contains("value: (1)") { held.value?.request(.max(5)) }
      if string.contains("value: (2)") { held.value?.cancel() }
    }
    let subscriber = TestSubscriber<Int, Never>(initialDemand: .max(9))
    held.value = subscriber
    subject.print(to: page).subscribe(subscriber)
    (1...3).forEach(subject.send)
    #expect(
      page.lines == [
        "receive subscription: (PassthroughSubject)", "request max: (9)", "receive value: (1)",
        "request max: (5)", "receive value: (2)", "receive cancel",
      ])
    #expect(subscriber.values == [1])
    #expect(subscriber.violations == [])
    held.value = nil
  }

  @Test func `D11: no lock is held while a stream writes`() {
    let lock = UserLock()
    let entered = Gate()
    let isHeld = Gate()
    let subject = PassthroughSubject<Int, Never>()
    let page = Page { string in
      guard string.contains("value") else { return }
      entered.open()
      isHeld.wait()
      lock.hold {}
    }
    let subscriber = TestSubscriber<Int, Never>()
    subject.print(to: page).subscribe(subscriber)
    let sender = TestThread { subject.send(1) }
    #expect(entered.wait())
    // The request prints, and returns while the other thread still writes.
    lock.hold {
      isHeld.open()
      subscriber.request(.max(1))
    }
    #expect(sender.join())
    #expect(page.lines.suffix(2) == ["receive value: (1)", "request max: (1)"])
    subscriber.cancel()
  }

  @Test(arguments: Ending.allCases)
  func `O2: the stream is let go of at the end`(ending: Ending) {
    let tracker = LifetimeTracker()
    let upstream = TestPublisher<Int, Broken>()
    let subscriber = TestSubscriber<Int, Broken>()
    upstream.print(to: tracker.track(Page(), "stream")).subscribe(subscriber)
    #expect(tracker.survivors().count == 1)
    if let terminal = ending.terminal {
      upstream.send(completion: terminal)
    } else {
      subscriber.cancel()
    }
    #expect(tracker.survivors() == [])
    withExtendedLifetime(subscriber) {}
  }
}

struct PrintRaceTests {
  @Test func `writes of one subscription never interleave`() {
    let isWriting = Shared(0)
    let overlaps = Shared(0)
    let page = Page { _ in
      if isWriting.increment() > 1 { overlaps.increment() }
      isWriting.change { $0 -= 1 }
    }
    let subscriber = TestSubscriber<Int, Never>(initialDemand: .none)
    Empty<Int, Never>(completeImmediately: false).print(to: page).subscribe(subscriber)
    let ask: @Sendable () -> Void = { for _ in 0..<200 { subscriber.request(.max(1)) } }
    let isOver = race(ask, ask, ask)
    #expect(isOver)
    #expect(overlaps.value == 0)
    #expect(page.lines.count == 601)
    #expect(Set(page.lines) == ["receive subscription: (Empty)", "request max: (1)"])
    subscriber.cancel()
  }
}
