import Fanout
import FanoutEngine
import FanoutLifetime
import FanoutTestSupport
import TestThreads
import Testing

/// Loops that are never ended.
struct LeakedLoopTests {
  private final class Model: @unchecked Sendable {
    var newest = 0
    var task: Task<Void, Never>?

    /// The leak that is most often made with loops.
    func follow(_ numbers: PassthroughSubject<Int, Never>) -> Task<Void, Never> {
      let task = Task { for await number in numbers.values { self.newest = number } }
      self.task = task
      return task
    }
  }

  /// Starts a loop, and returns the issue that is reported as soon as it waits.
  private func issue(
    at place: SourcePlace?, _ tracker: LifetimeTracker, _ start: () -> Task<Void, Never>
  ) async -> (message: String, task: Task<Void, Never>) {
    await tracker.perform {
      let task = start()
      await LifetimeTracker.poll(within: .seconds(1800)) {
        tracker.liveSources.contains { waitingTasks(below: $0) > 0 }
      }
      return (tracker.issues(outliving: "it", at: place).first?.message ?? "nothing", task)
    }
  }

  private func forgottenLoop(
    over values: some Sendable & AsyncSequence<Int, Never>
  ) async -> String {
    let tracker = LifetimeTracker()
    let (message, task) = await issue(at: SourcePlace(), tracker) {
      Task { for await _ in values {} }
    }
    task.cancel()
    await task.value
    #expect(tracker.issues(outliving: "it", at: SourcePlace()) == [], "it is over")
    return message
  }

  private let forgotten =
    "a loop over `values` outlived it, neither cancelled nor completed; alive: "

  @Test func `Q5, O3: a forgotten loop over elements of a share is told`() async {
    let upstream = PassthroughSubject<Int, Never>()
    let shared = upstream.share()
    let message = await forgottenLoop(over: shared.values)
    #expect(message.hasPrefix(forgotten), "\(message)")
    #expect(message.hasSuffix("; it is retained by the task that waits in it"), "\(message)")
  }

  @Test func `Q5, O3: a forgotten loop over elements of an autoconnected multicast is told`() async
  {
    let shared = PassthroughSubject<Int, Never>().multicast(replay: .latest).autoconnect()
    let message = await forgottenLoop(over: shared.values)
    #expect(message.hasPrefix(forgotten), "\(message)")
    #expect(message.hasSuffix("; it is retained by the task that waits in it"), "\(message)")
  }

  @Test func `Q5, O3: a forgotten loop over elements of a subject is told`() async {
    let subject = ReplaySubject<Int, Never>(.all)
    let message = await forgottenLoop(over: subject.values)
    #expect(message.hasPrefix(forgotten), "\(message)")
    #expect(message.hasSuffix("; it is retained by the task that waits in it"), "\(message)")
  }

  @Test func `Q5: a loop that began and was left is nobody's leak`() async {
    let tracker = LifetimeTracker()
    let subject = ReplaySubject<Int, Never>(.all)
    subject.send(1)
    await tracker.perform {
      for await _ in subject.values { break }
    }
    #expect(tracker.issues(outliving: "it", at: SourcePlace()) == [])
  }

  @Test func `Q5: the subscription of a forgotten loop over values is told with its task`() async {
    let numbers = PassthroughSubject<Int, Never>()
    let message = await forgottenLoop(over: numbers.values)
    #expect(message.hasPrefix("a subscription outlived it"), "\(message)")
    #expect(message.contains("Loop.upstream ← the task that waits in it"), "\(message)")
  }

  @Test func `Q5: a model that its own loop keeps is told with that loop`() async {
    let tracker = LifetimeTracker()
    let numbers = PassthroughSubject<Int, Never>()
    let (message, task) = await issue(at: nil, tracker) {
      let model = tracker.track(Model(), "model")
      return model.follow(numbers)
    }
    #expect(
      message
        == "`model` outlived it: nothing that Fanout knows of holds it, but a task waits in a "
        + "loop over `values` of PassthroughSubject, and holds what that loop uses until the task is "
        + "cancelled or the publisher ends; if it is not that, look for a cycle of your own, a stored "
        + "closure, another task or a global")
    task.cancel()
    await task.value
    _ = await tracker.waitForRelease(within: .seconds(1800))
    #expect(tracker.survivors() == [])
  }
}
