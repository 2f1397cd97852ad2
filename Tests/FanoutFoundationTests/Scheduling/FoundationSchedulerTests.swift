import Fanout
import FanoutFoundation
import FanoutTestSupport
import Foundation
import TestFixtures
import TestThreads
import Testing

@Suite(.timeLimit(.minutes(30)))
struct FoundationSchedulerTests {
  private let thread = LoopThread()
  private let queue = OperationQueue()

  /// A check of what every scheduler does.
  private func check<Clock: Scheduler>(_ clock: Clock)
  where Clock.SchedulerTimeType == DateSchedulerTime {
    let ran = Gate()
    clock.schedule { ran.open() }
    #expect(ran.wait())
    for tolerance in [clock.minimumTolerance, .milliseconds(1)] {
      let came = Shared<DateSchedulerTime?>(nil)
      let isOver = Gate()
      let due = DateSchedulerTime(Date()).advanced(by: .milliseconds(3))
      clock.schedule(after: due, tolerance: tolerance, options: nil) {
        came.value = DateSchedulerTime(Date())
        isOver.open()
      }
      #expect(isOver.wait())
      // A wall clock and the clock of a timer need not agree to the last digit.
      #expect(came.value.map { $0.advanced(by: .milliseconds(1)) >= due } == true)
    }
  }

  @Test func `a run loop runs an action later, and at a moment or after it`() {
    check(thread.runLoop)
    check(RunLoopScheduler(thread.runLoop))
    #expect(thread.stop())
  }

  @Test func `an operation queue runs an action later, and at a moment or after it`() {
    check(queue)
    check(OperationQueueScheduler(queue))
    #expect(thread.stop())
  }

  /// Returns whether a scheduler releases an action that is taken back before its date.
  private func releasesRevoked<Clock: Scheduler>(_ clock: Clock) -> Bool
  where Clock.SchedulerTimeType == DateSchedulerTime {
    let gone = Gate()
    let token = Token { gone.open() }
    let due = DateSchedulerTime(Date()).advanced(by: .seconds(1_000_000))
    let action = clock._scheduleRevocably(after: due, tolerance: 0, options: nil) { [token] in
      withExtendedLifetime(token) {}
    }
    _ = consume token
    action?.cancel()
    return gone.wait()
  }

  @Test func `O2: a run loop and an operation queue release an action that is taken back`() {
    #expect(releasesRevoked(thread.runLoop))
    #expect(releasesRevoked(RunLoopScheduler(thread.runLoop)))
    #expect(releasesRevoked(queue))
    #expect(releasesRevoked(OperationQueueScheduler(queue)))
    #expect(thread.stop())
  }

  @Test func `D2: a run loop runs actions in the order in which they were scheduled`() {
    let runLoop = RunLoopScheduler(thread.runLoop)
    let notes = Notes<Int>()
    let isOver = Gate()
    for number in 0..<100 { runLoop.schedule { notes.append(number) } }
    runLoop.schedule { isOver.open() }
    #expect(isOver.wait())
    #expect(notes.all == Array(0..<100))
    #expect(thread.stop())
  }

  @Test func `an action that is scheduled inside an action runs after it`() {
    let runLoop = RunLoopScheduler(thread.runLoop)
    let notes = Notes<Int>()
    let isOver = Gate()
    runLoop.schedule {
      runLoop.schedule {
        notes.append(2)
        isOver.open()
      }
      notes.append(1)
    }
    #expect(isOver.wait())
    #expect(notes.all == [1, 2])
    #expect(thread.stop())
  }

  /// A check that a repetition goes on until it is cancelled, and releases its action.
  private func checkRepetition<Clock: Scheduler>(_ clock: Clock, settle: () -> Void) {
    let gone = Gate()
    let third = Gate()
    let count = Shared(0)
    let repeating: any Cancellable
    do {
      let token = Token { gone.open() }
      repeating = clock.schedule(after: clock.now, interval: .milliseconds(1)) {
        withExtendedLifetime(token) {}
        if count.increment() == 3 { third.open() }
      }
    }
    #expect(third.wait())
    repeating.cancel()
    #expect(gone.wait())
    settle()
    let before = count.value
    settle()
    #expect(count.value == before)
  }

  @Test func `O1: a repetition of a run loop goes on until it is cancelled`() {
    checkRepetition(thread.runLoop) { thread.settle() }
    #expect(thread.stop())
  }

  @Test func `O1: a repetition of a queue goes on until it is cancelled`() {
    checkRepetition(queue) { queue.waitUntilAllOperationsAreFinished() }
    #expect(thread.stop())
  }

  @Test func `a repetition waits in its queue at most once, and not after a cancel`() {
    queue.isSuspended = true
    let count = Shared(0)
    let repeating = queue.schedule(after: queue.now, interval: .milliseconds(1)) {
      count.increment()
    }
    let hasOne = finishes { [queue] in while queue.operationCount == 0 { sched_yield() } }
    #expect(hasOne)
    // A clock beside it goes on meanwhile.
    let fifth = Gate()
    let (beside, ticks) = (OperationQueue(), Shared(0))
    let clock = beside.schedule(after: beside.now, interval: .milliseconds(1)) {
      if ticks.increment() == 5 { fifth.open() }
    }
    #expect(fifth.wait())
    clock.cancel()
    #expect(queue.operationCount == 1)
    repeating.cancel()
    queue.isSuspended = false
    queue.waitUntilAllOperationsAreFinished()
    #expect(count.value == 0)
    #expect(thread.stop())
  }

  @Test func `O1: an action is released when it has run`() {
    for run in [
      { (action: @escaping @Sendable () -> Void) in thread.runLoop.schedule(action) },
      { thread.runLoop.schedule(after: thread.runLoop.now, $0) },
      { queue.schedule($0) },
      { queue.schedule(after: queue.now, $0) },
    ] {
      let gone = Gate()
      do {
        let token = Token { gone.open() }
        run { withExtendedLifetime(token) {} }
      }
      #expect(gone.wait())
    }
    #expect(thread.stop())
  }

  @Test func `D1, D2: receive(on:) keeps the order on a run loop and on a concurrent queue`() {
    let onLoop = Notes<Int>()
    let onQueue = Notes<Int>()
    let (loopEnd, queueEnd) = (Gate(), Gate())
    let numbers = (0..<1000).publisher
    let first = numbers.receive(on: thread.runLoop).sink { _ in
      loopEnd.open()
    } receiveValue: {
      onLoop.append($0)
    }
    let second = numbers.receive(on: queue).sink { _ in
      queueEnd.open()
    } receiveValue: {
      onQueue.append($0)
    }
    #expect(loopEnd.wait())
    #expect(queueEnd.wait())
    #expect(onLoop.all == Array(0..<1000))
    #expect(onQueue.all == Array(0..<1000))
    first.cancel()
    second.cancel()
    #expect(thread.stop())
  }

  @Test func `spans are seconds, with a fraction`() {
    typealias Stride = RunLoop.SchedulerTimeType.Stride
    #expect(Stride.seconds(2).magnitude == 2)
    #expect(Stride.seconds(0.5) == .milliseconds(500))
    #expect(Stride.milliseconds(3) == .microseconds(3000))
    #expect(Stride.microseconds(3) == .nanoseconds(3000))
    #expect(3 as Stride == .seconds(3))
    #expect(1.5 as Stride == .milliseconds(1500))
    #expect(Stride.seconds(3) * 2 + 1 - 2 == .seconds(5))
    #expect(Stride(exactly: UInt64.max) == nil)
    #expect(Stride(2) < 3)
    let time = OperationQueue.SchedulerTimeType(Date(timeIntervalSinceReferenceDate: 5))
    #expect(time.advanced(by: 2).date == Date(timeIntervalSinceReferenceDate: 7))
    #expect(time.distance(to: time.advanced(by: -2)) == -2)
    #expect(time < time.advanced(by: 1))
    #expect(thread.stop())
  }
}
