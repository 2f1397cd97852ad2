import Fanout
import FanoutTestSupport
import XCTest

/// A scheduler of the user's own, written as for Combine in Swift 5 mode.
final class OwnSchedulerTests: XCTestCase {
  private struct Immediately: Scheduler {
    typealias SchedulerTimeType = TestScheduler.SchedulerTimeType
    typealias SchedulerOptions = Never

    var now: SchedulerTimeType { 0 }
    var minimumTolerance: SchedulerTimeType.Stride { 0 }

    func schedule(options: Never?, _ action: @escaping () -> Void) { action() }

    func schedule(
      after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: Never?,
      _ action: @escaping () -> Void
    ) { action() }

    func schedule(
      after date: SchedulerTimeType, interval: SchedulerTimeType.Stride,
      tolerance: SchedulerTimeType.Stride, options: Never?, _ action: @escaping () -> Void
    ) -> Cancellable {
      action()
      return AnyCancellable {}
    }
  }

  func testEveryShortFormReachesIt() {
    var runs = 0
    let scheduler = Immediately()
    scheduler.schedule { runs += 1 }
    scheduler.schedule(after: 1) { runs += 1 }
    scheduler.schedule(after: 1, tolerance: 1) { runs += 1 }
    scheduler.schedule(after: 1, interval: 1) { runs += 1 }.cancel()
    scheduler.schedule(after: 1, interval: 1, tolerance: 1) { runs += 1 }.cancel()
    XCTAssertEqual(runs, 5)
  }
}
