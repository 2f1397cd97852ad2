import FanoutCore
import FanoutOperators
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

@Suite(.noLeaks) struct MeasureIntervalTests {
  private let scene = TimedScene()

  @Test func `the distances between the values, the first from the subscription on`() {
    scene.scheduler.advance(by: 5)
    scene.play([(8, 1), (8, 2), (20, 3)], end: (21, .failure(Broken())))
    let publisher = scene.upstream.measureInterval(using: scene.scheduler)
    #expect(
      scene.calls(of: publisher) == [
        "8: 3", "8: 0", "20: 12", "21: failure(Broken())",
      ])
  }

  @Test func `D8: demand passes through`() {
    scene.play([(1, 1), (3, 2)])
    let publisher = scene.upstream.measureInterval(using: scene.scheduler)
    let calls = scene.calls(of: publisher, demand: .none, requests: [(0, .max(2))])
    #expect(calls == ["1: 1", "3: 2"])
    #expect(scene.upstream.requests == [.max(2)])
  }

  @Test func `each subscriber measures for itself`() {
    let subject = PassthroughSubject<Int, Never>()
    let publisher = subject.measureInterval(using: scene.scheduler)
    let early = TestSubscriber<TestScheduler.SchedulerTimeType.Stride, Never>()
    publisher.subscribe(early)
    scene.scheduler.advance(by: 4)
    let late = TestSubscriber<TestScheduler.SchedulerTimeType.Stride, Never>()
    publisher.subscribe(late)
    scene.scheduler.advance(by: 2)
    subject.send(1)
    #expect(early.values == [6])
    #expect(late.values == [2])
    early.cancel()
    late.cancel()
  }

  @Test func `D7: a cancel while the time is read keeps the value from the subscriber`() {
    let held = Shared<AnyCancellable?>(nil)
    let clock = CallingScheduler { held.value?.cancel() }
    let notes = Notes<TestScheduler.SchedulerTimeType.Stride>()
    let subject = PassthroughSubject<Int, Never>()
    held.value = subject.measureInterval(using: clock).sink { notes.append($0) }
    subject.send(1)
    #expect(notes.all == [])
    held.value = nil
  }

  @Test func `O2: the scheduler is released at the cancel`() {
    weak var weakScheduler: TestScheduler?
    let subject = PassthroughSubject<Int, Never>()
    let sink: AnyCancellable
    do {
      let scheduler = TestScheduler()
      weakScheduler = scheduler
      sink = subject.measureInterval(using: scheduler).sink { _ in }
    }
    let isAlive = weakScheduler != nil
    #expect(isAlive)
    sink.cancel()
    let isGone = weakScheduler == nil
    #expect(isGone)
  }
}

/// A scheduler that runs a closure when it is asked for the time.
private struct CallingScheduler: Scheduler, Sendable {
  typealias SchedulerTimeType = TestScheduler.SchedulerTimeType
  typealias SchedulerOptions = Never

  let whenAsked: @Sendable () -> Void
  var now: SchedulerTimeType {
    whenAsked()
    return 0
  }
  var minimumTolerance: SchedulerTimeType.Stride { 0 }

  func schedule(options: Never?, _ action: @escaping @Sendable () -> Void) {}

  func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: Never?,
    _ action: @escaping @Sendable () -> Void
  ) {}

  func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride, options: Never?, _ action: @escaping @Sendable () -> Void
  ) -> any Cancellable { Subscriptions.empty }
}
