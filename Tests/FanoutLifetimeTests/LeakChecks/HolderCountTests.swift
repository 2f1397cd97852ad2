import FanoutLifetime
import FanoutTestSupport
import Synchronization
import Testing

// `@unchecked Sendable` invariant: each object is used by one test alone, on one thread.

/// A leak report names three holders, and says how many more there are.
struct HolderCountTests {
  private final class Model: Sendable {}

  private class Holder: @unchecked Sendable {
    let model: Model
    init(_ model: Model) { self.model = model }
  }
  private final class First: Holder, @unchecked Sendable {}
  private final class Second: Holder, @unchecked Sendable {}
  private final class Third: Holder, @unchecked Sendable {}
  private final class Fourth: Holder, @unchecked Sendable {}

  /// The report about an object that is held by objects of these types, as many as there are.
  private func report(_ types: [Holder.Type]) -> String {
    let tracker = LifetimeTracker()
    let model = tracker.track(Model(), "model")
    let holders = types.map { make($0, model) }
    for holder in holders { tracker.track(holder, "h") }
    return withExtendedLifetime(holders) {
      LeakReport(tracker).reason(for: model)
    }
  }

  private func make(_ type: Holder.Type, _ model: Model) -> Holder {
    switch ObjectIdentifier(type) {
    case ObjectIdentifier(First.self): First(model)
    case ObjectIdentifier(Second.self): Second(model)
    case ObjectIdentifier(Third.self): Third(model)
    default: Fourth(model)
    }
  }

  private func named(_ names: String...) -> String {
    "retained by "
      + names.map { "HolderCountTests.\($0) 'h'.model" }.joined(separator: "; and by ")
  }

  @Test func `three holders are named`() {
    #expect(report([First.self]) == named("First"))
    #expect(
      report([First.self, Second.self, Third.self]) == named("First", "Second", "Third"))
  }

  @Test func `others are counted`() {
    let types: [Holder.Type] = [First.self, Second.self, Third.self, Fourth.self]
    #expect(report(types) == named("First", "Second", "Third") + "; and 1 more holder")
    #expect(
      report(types + types) == named("First", "Second", "Third") + "; and 5 more holders")
  }

  @Test func `holders of one kind are named once and counted`() {
    #expect(report([First.self, First.self]) == named("First") + "; and 1 more holder")
    #expect(
      report(Array(repeating: First.self, count: 1500)) == named("First")
        + "; and 1,499 more holders")
  }

  @Test func `without a known holder the report says what is not read`() {
    final class Locking {
      let lock: Mutex<Model?>
      init(_ model: Model) { lock = Mutex(model) }
    }
    final class Working {
      let first: Task<Void, Never>
      let second: Task<Void, Never>
      let third: Task<Void, Never>
      init(_ model: Model) {
        first = Task { use(model) }
        second = first
        third = first
      }
    }
    let tracker = LifetimeTracker()
    let model = tracker.track(Model(), "model")
    let unexplained = LeakReport(tracker).reason(for: model)
    #expect(unexplained.hasPrefix("nothing that Fanout knows of holds it; "))
    #expect(!unexplained.contains("not read"))
    let locking = tracker.track(Locking(model), "locking")
    let lock = "HolderCountTests.Locking 'locking'.lock (a value that cannot be copied)"
    #expect(LeakReport(tracker).reason(for: model) == "\(unexplained); not read: \(lock)")
    let working = tracker.track(Working(model), "working")
    let task = "HolderCountTests.Working 'working'"
    #expect(
      LeakReport(tracker).reason(for: model)
        == "\(unexplained); not read: \(lock), \(task).first (a task), \(task).second (a task)"
        + " and 1 more")
    let holder = tracker.track(First(model), "h")
    #expect(LeakReport(tracker).reason(for: model) == named("First"))
    withExtendedLifetime((locking, working, holder)) {}
  }
}
