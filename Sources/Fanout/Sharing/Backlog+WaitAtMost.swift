internal import FanoutEngine
public import FanoutOperators

extension Backlog.WhenFull {
  /// Asks the upstream for no more values than there is room for, and waits only so long for
  /// a subscriber that takes none.
  ///
  /// If a backlog has been full for that time, and its subscriber has taken nothing, the upstream
  /// stops waiting for it. What arrives is then treated as `other` says. When the subscriber has
  /// taken a value, the upstream waits for it again. See also
  /// <doc:SlowSubscribers#A-wait-that-ends>.
  ///
  /// Each value that it takes begins the time anew. So a subscriber that takes a trickle, one
  /// value each time just before the time is over, holds everything back for as long as it does
  /// so. If a client may do that, let it join with a backlog of its own that limits how far it
  /// may be behind in all: `joining(backlog: .size(1000, whenFull: .customError { TooSlow() }))`.
  /// The upstream does not wait for it then.
  ///
  /// A limit of the age is reached without an event. It is looked at when a value arrives, when
  /// the subscriber takes one, and when no other subscriber holds the upstream back.
  ///
  /// - Parameters:
  ///   - interval: The time, 0 or more. A negative one traps.
  ///   - clock: The clock that measures the time. Its task retains nothing of the shared
  ///     publisher, and is cancelled when the subscriber leaves.
  ///   - other: The treatment when the time is over: to drop, to fail, or to rejoin. Another one
  ///     traps.
  /// - Returns: The treatment.
  ///
  /// ```swift
  /// import Fanout
  /// import FanoutTestSupport
  ///
  /// let clock = TestScheduler()
  /// let shared = (1...9).publisher.multicast(
  ///   replay: .none,
  ///   backlog: .size(
  ///     2,
  ///     whenFull: .wait(
  ///       atMost: .seconds(5), clock: clock, then: .dropOldest)))
  /// let stuck = TestSubscriber<Int, Never>(initialDemand: .none)
  /// shared.subscribe(stuck)
  /// let other = TestSubscriber<Int, Never>()
  /// shared.subscribe(other)
  /// let connection = shared.connect()
  /// print(other.values)
  /// clock.advance(by: .seconds(5))
  /// print(other.values)
  /// stuck.request(.unlimited)
  /// print(stuck.values)
  /// connection.cancel()
  /// // Prints:
  /// // [1, 2]
  /// // [1, 2, 3, 4, 5, 6, 7, 8, 9]
  /// // [8, 9]
  /// ```
  public static func wait<C: Clock>(
    atMost interval: Duration, clock: C = ContinuousClock(), then other: Self
  ) -> Self where C.Duration == Duration {
    wait(atMost: ClockInterval(interval), scheduler: clock.scheduler, then: other)
  }

  /// Asks the upstream for no more values than there is room for, and waits only so long for
  /// a subscriber that takes none; a scheduler measures the time.
  ///
  /// ``wait(atMost:clock:then:)`` has an example, and says more. See also
  /// <doc:SlowSubscribers#A-wait-that-ends>.
  ///
  /// - Parameters:
  ///   - interval: The time, 0 or more. A negative one traps.
  ///   - scheduler: The scheduler that measures the time. It retains nothing of the shared
  ///     publisher. Its action delivers what the upstream then sends, if no other thread does.
  ///     When the subscriber leaves, the action is taken back. A scheduler of your own keeps it
  ///     until its time: a few hundred bytes for each subscriber.
  ///   - other: The treatment when the time is over: to drop, to fail, or to rejoin. Another one
  ///     traps.
  /// - Returns: The treatment.
  public static func wait<Context: Scheduler & Sendable>(
    atMost interval: Context.SchedulerTimeType.Stride, scheduler: Context, then other: Self
  ) -> Self {
    trap(
      unless: interval >= 0,
      "Backlog wait(atMost: \(interval)): the time is negative; pass 0 or more.")
    trap(
      unless: other.policy(1).endsWait,
      """
      Backlog wait(atMost:then:): the second treatment waits or conflates; pass .dropOldest, \
      .dropNewest, .customError or .rejoin.
      """)
    return Self { count in
      .waiting(count).waiting(then: other.policy(count)) {
        ScheduledTimer(on: scheduler, interval)
      }
    }
  }
}
