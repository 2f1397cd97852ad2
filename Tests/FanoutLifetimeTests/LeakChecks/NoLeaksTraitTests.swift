import Dispatch
import Fanout
import FanoutTestSupport
import TestThreads
import Testing

struct NoLeaksTraitTests {
  @Test(.noLeaks) func `passes when all is gone`() {
    let probe = tracked(Probe(), "probe")
    let subject = PassthroughSubject<Int, Never>()
    let watching = subject.sink { probe.take($0) }
    subject.send(1)
    watching.cancel()
  }

  @Test(.expectedIssue("`probe` outlived the test: \(unexplained)", linesBelow: 2), .noLeaks)
  func `names who is alive, at the line where it was tracked`() {
    let probe = tracked(Probe(), "probe")
    Afterlife.keep(probe)
  }

  @Test(.expectedIssue("`Probe` outlived the test: \(unexplained)", linesBelow: 3), .noLeaks)
  func `calls an object by its type if it has no other name`() async {
    await Task.yield()
    Afterlife.keep(tracked(Probe()))
    await Task.yield()
  }

  @Test(
    .expectedIssues(
      ["`first` outlived the test: \(unexplained)", "`last` outlived the test: \(unexplained)"],
      linesBelow: [5, 7]), .noLeaks)
  func `names all`() {
    Afterlife.keep(tracked(Probe(), "first"))
    tracked(Probe(), "second")
    Afterlife.keep(tracked(Probe(), "last"))
  }

  @Test(
    .expectedIssue(
      """
      a subscription outlived the test, neither cancelled nor completed; alive: \
      PassthroughSubject: 1, Sink: 1, Subscription: 1; it is retained by \
      PassthroughSubject.subscription ← itself (until cancel or completion)
      """, linesBelow: 0), .noLeaks)
  func `O3: finds a subject and a sink that nobody cancels`() {
    let subject = PassthroughSubject<Int, Never>()
    subject.subscribe(Subscribers.Sink(receiveCompletion: { _ in }, receiveValue: { _ in }))
    Afterlife.end { subject.send(completion: .finished) }
  }

  @Test(
    .expectedIssue(
      """
      3 subscriptions outlived the test, neither cancelled nor completed; alive: \
      AnyCancellable: 1, Connection: 1, Multicast: 1, PassthroughSubject: 1, Sink: 1, \
      Subscription: 2; the first of them is retained by AnyCancellable.connection (until cancel), \
      which something unknown to Fanout holds: look for a property or a global
      """, linesBelow: 0), .noLeaks)
  func `finds a connection that is kept by hand`() {
    let upstream = PassthroughSubject<Int, Never>()
    let shared = upstream.multicast(replay: .all)
    Afterlife.keep(shared.connect())
    shared.subscribe(Subscribers.Sink(receiveCompletion: { _ in }, receiveValue: { _ in }))
    Afterlife.end { upstream.send(completion: .finished) }
  }

  @Test(.afterlife, .noLeaks(allowsLiveSubscriptions: true))
  func `live subscriptions can be allowed`() {
    let subject = PassthroughSubject<Int, Never>()
    subject.subscribe(Subscribers.Sink(receiveCompletion: { _ in }, receiveValue: { _ in }))
    Afterlife.end { subject.send(completion: .finished) }
  }

  @Test(.afterlife, .noLeaks) func `subjects alone may live on`() {
    Afterlife.keep(PassthroughSubject<Int, Never>())
    let ended = CurrentValueSubject<Int, Never>(0)
    Afterlife.keep(ended.sink { _ in })
    Afterlife.keep(ended)
    ended.send(completion: .finished)
  }

  @Test func `looks also when a test throws, and passes the error on`() async throws {
    let test = try #require(Test.current)
    let held = Shared<Probe?>(nil)
    let line = #line + 2
    let body: @Sendable () throws -> Void = {
      held.value = tracked(Probe(), "kept")
      throw CancellationError()
    }
    await expectIssues([("`kept` outlived the test: \(unexplained)", line)]) {
      await #expect(throws: CancellationError.self) {
        try await NoLeaksTrait.noLeaks.provideScope(
          for: test, testCase: .current, performing: body)
      }
    }
    held.value = nil
  }
}
