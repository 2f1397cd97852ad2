import Fanout
import FanoutTestSupport
import Testing

/// Virtual time in ticks, and its conversions from other units.
struct VirtualTimeTests {
  typealias Time = TestScheduler.SchedulerTimeType

  @Test func `a tick is a millisecond, and fractions are rounded up`() {
    #expect(Time.Stride.seconds(2) == 2000)
    #expect(Time.Stride.seconds(0.0015) == 2)
    #expect(Time.Stride.milliseconds(7) == 7)
    #expect(Time.Stride.microseconds(1) == 1)
    #expect(Time.Stride.microseconds(2000) == 2)
    #expect(Time.Stride.nanoseconds(1_000_001) == 2)
    #expect(Time.Stride.nanoseconds(-1_000_001) == -1)
    #expect(Time.Stride.seconds(-0.0015) == -1)
  }

  @Test func `times out of range saturate`() {
    let most = Time.Stride(.max)
    let least = Time.Stride(.min)
    #expect(Time.Stride.seconds(.max) == most)
    #expect(Time.Stride.seconds(Int.min) == least)
    #expect(Time.Stride.seconds(1e300) == most)
    #expect(Time.Stride.seconds(-Double.infinity) == least)
    #expect(most + 1 == most)
    #expect(least + -1 == least)
    #expect(most - -1 == most)
    #expect(least - 1 == least)
    #expect(most * -2 == least)
    #expect(least.magnitude == most)
    #expect(Time(5).advanced(by: most) == Time(.max))
    #expect(Time(.min).distance(to: Time(.max)) == most)
  }

  @Test func `times are strideable`() {
    #expect(Time(3).distance(to: 5) == 2)
    #expect(Time(3).advanced(by: -4) == -1)
    #expect(Array(stride(from: Time(0), to: 6, by: 2)) == [0, 2, 4])
    #expect(Time(1) < 2)
    #expect(Time.Stride(exactly: UInt64.max) == nil)
    #expect(Time.Stride(exactly: UInt8(3)) == 3)
    #expect("\(Time(3)) \(Time.Stride(4))" == "3 4")
    var stride: Time.Stride = 3
    stride *= -2
    #expect(stride == -6)
    #expect(stride.magnitude == 6)
    #expect(-stride == 6)
  }

  @Test func `a repetition at the end of time runs once`() throws {
    let scheduler = TestScheduler()
    let ticking = scheduler.schedule(after: Time(.max), interval: 1) {}
    try scheduler.run(atMost: 1)
    #expect(scheduler.now == Time(.max))
    ticking.cancel()
  }

  /// Schedules as a publisher does that knows only the protocol.
  private func delay<Clock: Scheduler>(
    _ clock: Clock, _ delay: Clock.SchedulerTimeType.Stride,
    _ action: @escaping @Sendable () -> Void
  ) {
    clock.schedule(after: clock.now.advanced(by: delay), tolerance: delay, action)
  }

  @Test func `a test scheduler works through the Scheduler protocol`() {
    let scheduler = TestScheduler()
    let upstream = PassthroughSubject<Int, Never>()
    let subscriber = TestSubscriber<Int, Never>(scheduler: scheduler)
    upstream.subscribe(subscriber)
    delay(scheduler, .seconds(1)) { upstream.send(1) }
    let ticking = scheduler.schedule(after: 500, interval: 1000, tolerance: 5) { upstream.send(2) }
    scheduler.advance(by: .seconds(2))
    ticking.cancel()
    #expect(
      subscriber.timedEvents == [
        TimedEvent(.subscription, at: 0), TimedEvent(.value(2), at: 500),
        TimedEvent(.value(1), at: 1000), TimedEvent(.value(2), at: 1500),
      ])
    #expect(scheduler.minimumTolerance == 0)
    subscriber.cancel()
  }
}
