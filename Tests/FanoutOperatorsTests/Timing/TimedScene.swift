import FanoutCore
import FanoutOperators
import FanoutTestSupport
import TestFixtures

/// An upstream whose values come at times that a test chooses, and virtual time.
struct TimedScene {
  let scheduler = TestScheduler()
  let upstream = TestPublisher<Int, Broken>()

  /// Schedules values of the upstream, each at its time, and its end.
  func play(
    _ values: [(time: Int, value: Int)],
    end: (time: Int, completion: Subscribers.Completion<Broken>)? = nil
  ) {
    for (time, value) in values {
      scheduler.schedule(after: .init(time)) { [upstream] in upstream.send(value) }
    }
    if let end {
      scheduler.schedule(after: .init(end.time)) { [upstream] in
        upstream.send(completion: end.completion)
      }
    }
  }

  /// Returns the calls that a subscriber of a publisher receives, with their times; all of them are in order.
  func calls<P: Publisher>(
    of publisher: P, demand: Subscribers.Demand = .unlimited,
    requests: [(time: Int, demand: Subscribers.Demand)] = []
  ) -> [String] where P.Output: Sendable {
    let subscriber = TestSubscriber<P.Output, P.Failure>(
      initialDemand: demand, scheduler: scheduler)
    publisher.subscribe(subscriber)
    for (time, demand) in requests {
      scheduler.schedule(after: .init(time)) { subscriber.request(demand) }
    }
    try? scheduler.run()
    subscriber.cancel()
    guard subscriber.violations == [] else { return subscriber.violations }
    return subscriber.timedEvents.dropFirst().map(\.description)
  }
}

/// A scheduler that runs everything at once, while its clock shows the same time for ever.
struct FrozenScheduler: Scheduler, Sendable {
  typealias SchedulerTimeType = TestScheduler.SchedulerTimeType
  typealias SchedulerOptions = Never

  var now: SchedulerTimeType { 7 }
  var minimumTolerance: SchedulerTimeType.Stride { 0 }

  func schedule(options: Never?, _ action: @escaping @Sendable () -> Void) { action() }

  func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: Never?,
    _ action: @escaping @Sendable () -> Void
  ) { action() }

  func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride, options: Never?, _ action: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    action()
    return Subscriptions.empty
  }
}
