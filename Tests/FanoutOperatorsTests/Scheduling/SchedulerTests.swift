import Dispatch
import FanoutCore
import FanoutOperators
import TestFixtures
import TestThreads
import Testing

struct SchedulerTests {
  @Test func `the immediate scheduler runs everything within the call, and a repetition once`() {
    let scheduler = ImmediateScheduler.shared
    let notes = Notes<Int>()
    scheduler.schedule { notes.append(1) }
    scheduler.schedule(after: scheduler.now.advanced(by: .seconds(60))) { notes.append(2) }
    let repeating = scheduler.schedule(after: scheduler.now, interval: 1) { notes.append(3) }
    #expect(notes.all == [1, 2, 3])
    repeating.cancel()
  }

  @Test func `the immediate scheduler knows one moment, and spans that are numbers`() {
    typealias Stride = ImmediateScheduler.SchedulerTimeType.Stride
    let now = ImmediateScheduler.shared.now
    #expect(now.distance(to: now.advanced(by: 7)) == 0)
    #expect(Stride.seconds(5) == 0)
    #expect(Stride.seconds(0.5) == 0)
    #expect(Stride.milliseconds(5) + .microseconds(5) + .nanoseconds(5) == 0)
    #expect(Stride(2) * 3 - 1 + 4 == 9)
    #expect(Stride(exactly: UInt64.max) == nil)
    #expect(2.9 as Stride == 2)
    #expect(Stride(1) < 2)
  }

  @Test func `a queue runs an action later, and at a moment or after it`() {
    let queue = DispatchQueue(label: "test")
    let isOver = Gate()
    let start = queue.now
    queue.schedule { isOver.open() }
    #expect(isOver.wait())
    for tolerance in [queue.minimumTolerance, .milliseconds(1)] {
      let group = DispatchGroup()
      let came = Shared<DispatchQueue.SchedulerTimeType?>(nil)
      let due = queue.now.advanced(by: .milliseconds(3))
      queue.schedule(after: due, tolerance: tolerance, options: .init(group: group)) {
        came.value = queue.now
      }
      #expect(group.wait(timeout: .now() + patience) == .success)
      #expect(came.value.map { $0 >= due } == true)
    }
    #expect(start < queue.now)
  }

  @Test func `options reach the queue`() {
    let queue = DispatchQueue(label: "test", attributes: .concurrent)
    let group = DispatchGroup()
    let mayGo = Gate()
    queue.schedule(options: .init(qos: .userInitiated, flags: .barrier, group: group)) {
      mayGo.wait()
    }
    #expect(group.wait(timeout: .now()) == .timedOut)
    mayGo.open()
    #expect(group.wait(timeout: .now() + patience) == .success)
  }

  @Test func `O2: a cancelled timeout leaves the group of its action, long before its time`() {
    let (queue, group) = (DispatchQueue(label: "test"), DispatchGroup())
    let source = PassthroughSubject<Int, Never>()
    let options = DispatchQueue.SchedulerOptions(group: group)
    source.timeout(.seconds(1_000_000), scheduler: queue, options: options).sink { _ in }.cancel()
    #expect(group.wait(timeout: .now() + patience) == .success)
  }

  @Test func `O1: a repetition goes on until it is cancelled, and lets go of its action`() {
    let queue = DispatchQueue(label: "test")
    let gone = Gate()
    let third = Gate()
    let count = Shared(0)
    let repeating: any Cancellable
    do {
      let token = Token { gone.open() }
      repeating = queue.schedule(after: queue.now, interval: .milliseconds(1)) {
        withExtendedLifetime(token) {}
        if count.increment() == 3 { third.open() }
      }
    }
    #expect(third.wait())
    repeating.cancel()
    #expect(gone.wait())
    let before = count.value
    queue.sync {}
    #expect(count.value == before)
  }

  @Test func `O1: an action with a tolerance is let go of when it has run`() {
    let queue = DispatchQueue(label: "test")
    let gone = Gate()
    do {
      let token = Token { gone.open() }
      queue.schedule(after: queue.now, tolerance: .milliseconds(1)) {
        withExtendedLifetime(token) {}
      }
    }
    #expect(gone.wait())
  }

  @Test func `spans of a queue's time are nanoseconds, numbers are seconds`() {
    typealias Stride = DispatchQueue.SchedulerTimeType.Stride
    #expect(Stride.seconds(2).magnitude == 2_000_000_000)
    #expect(Stride.seconds(0.5) == .milliseconds(500))
    #expect(Stride.milliseconds(3) == .microseconds(3000))
    #expect(3 as Stride == .seconds(3))
    #expect(1.5 as Stride == .milliseconds(1500))
    #expect(Stride.seconds(3) * 2 == .seconds(6))
    #expect(Stride.seconds(.max) == .nanoseconds(.max))
    #expect(Stride.seconds(-1e300).magnitude == .min)
    #expect(Stride.nanoseconds(.max) + 1 == .nanoseconds(.max))
    #expect(Stride.nanoseconds(.min) - 1 == .nanoseconds(.min))
    #expect(Stride(exactly: UInt64.max) == nil)
    #expect(Stride(.milliseconds(2)) == .milliseconds(2))
    #expect(Stride(.never) == .nanoseconds(.max))
    let moment = DispatchQueue.SchedulerTimeType(DispatchTime(uptimeNanoseconds: 5_000))
    #expect(moment.advanced(by: .nanoseconds(7)).dispatchTime.uptimeNanoseconds == 5_007)
    #expect(moment.distance(to: moment.advanced(by: .nanoseconds(-7))) == .nanoseconds(-7))
    #expect(moment.advanced(by: .nanoseconds(.max)).dispatchTime == .distantFuture)
  }
}
