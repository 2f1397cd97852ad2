import FanoutOperators
import Testing

struct ClockIntervalTests {
  @Test func `an interval is a duration, and counts in seconds`() {
    let interval: ClockInterval = 2
    #expect(interval.duration == .seconds(2))
    #expect((1.5 as ClockInterval).duration == .milliseconds(1500))
    #expect(
      ClockInterval.milliseconds(3) + .microseconds(4) + .nanoseconds(5)
        == ClockInterval(.nanoseconds(3_004_005)))
    #expect(ClockInterval.seconds(1) - .seconds(3) == ClockInterval(.seconds(-2)))
    #expect((0 - interval).magnitude == interval)
    #expect(interval * 3 == 6)
    #expect(ClockInterval(exactly: 7) == 7)
    #expect(ClockInterval(exactly: UInt64.max) == nil)
    #expect(-interval < 0 && interval > .milliseconds(1999))
    #expect("\(interval)" == "2.0 seconds")
  }

  @Test func `beyond its range an interval saturates`() {
    let longest = ClockInterval.seconds(.max)
    #expect(longest + longest == longest)
    #expect(ClockInterval.seconds(.min) - longest == .seconds(.min))
    #expect(longest * 2 == longest)
    #expect(ClockInterval.seconds(.infinity) == longest)
    #expect(ClockInterval.seconds(-.infinity) == .seconds(.min))
    let scheduler = ContinuousClock().scheduler
    #expect(scheduler.now < scheduler.now.advanced(by: longest))
  }
}
