public import FanoutCore

extension Publisher {
  /// Delivers a value once no other has followed it for some time, as a clock measures it.
  ///
  /// It is ``debounce(for:scheduler:options:)`` on a ``ClockScheduler``, which says where values
  /// are delivered: by default on the cooperative pool.
  ///
  /// - Parameters:
  ///   - dueTime: The length of the pause, zero or more; a negative one traps.
  ///   - clock: The clock that measures the pause.
  /// - Returns: A publisher of the last value of each burst.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let typed = ["f", "fa", "fan"].publisher
  /// for await text in typed.debounce(for: .seconds(5)).values { print("search for", text) }
  /// // Prints:
  /// // search for fan
  /// ```
  @preconcurrency
  public func debounce<C: Clock>(
    for dueTime: Duration, clock: C = ContinuousClock()
  ) -> Publishers.Debounce<Self, ClockScheduler<C>> where C.Duration == Duration, Output: Sendable {
    debounce(for: ClockInterval(dueTime), scheduler: clock.scheduler)
  }

  /// Delivers at most one value in each interval, as a clock measures it.
  ///
  /// It is ``throttle(for:scheduler:latest:)`` on a ``ClockScheduler``, which says where values are
  /// delivered: by default on the cooperative pool.
  ///
  /// - Parameters:
  ///   - interval: The least time between two deliveries, zero or more; a negative one traps.
  ///   - clock: The clock that measures the interval.
  ///   - latest: Whether the newest value of an interval is delivered, and not the first.
  /// - Returns: A publisher of a part of the values.
  ///
  /// ```swift
  /// import Fanout
  /// import FanoutTestSupport
  ///
  /// let clock = TestScheduler()
  /// let positions = PassthroughSubject<Int, Never>()
  /// let shown = positions.throttle(for: .milliseconds(10), clock: clock, latest: true).sink {
  ///   print("at", clock.now, "position", $0)
  /// }
  /// for position in 1...5 {
  ///   positions.send(position)
  ///   clock.advance(by: .milliseconds(4))
  /// }
  /// shown.cancel()
  /// // Prints:
  /// // at 0 position 1
  /// // at 10 position 3
  /// // at 20 position 5
  /// ```
  @preconcurrency
  public func throttle<C: Clock>(
    for interval: Duration, clock: C = ContinuousClock(), latest: Bool
  ) -> Publishers.Throttle<Self, ClockScheduler<C>> where C.Duration == Duration, Output: Sendable {
    throttle(for: ClockInterval(interval), scheduler: clock.scheduler, latest: latest)
  }

  /// Delivers values and the completion some time after they have come, as a clock measures it.
  ///
  /// It is ``delay(for:tolerance:scheduler:options:)`` on a ``ClockScheduler``, which says where
  /// values are delivered: by default on the cooperative pool.
  ///
  /// - Parameters:
  ///   - interval: The time between the arrival of a value and its delivery, zero or more; a
  ///     negative one traps.
  ///   - tolerance: The allowed lateness.
  ///   - clock: The clock that measures the time.
  /// - Returns: A publisher of the same values.
  ///
  /// ```swift
  /// import Fanout
  /// import FanoutTestSupport
  ///
  /// let clock = TestScheduler()
  /// let words = ["later"].publisher.delay(for: .seconds(1), clock: clock)
  ///   .sink { print("at", clock.now, $0) }
  /// clock.advance(by: .seconds(2))
  /// words.cancel()
  /// // Prints:
  /// // at 1000 later
  /// ```
  @preconcurrency
  public func delay<C: Clock>(
    for interval: Duration, tolerance: Duration = .zero, clock: C = ContinuousClock()
  ) -> Publishers.Delay<Self, ClockScheduler<C>> where C.Duration == Duration, Output: Sendable {
    delay(
      for: ClockInterval(interval), tolerance: ClockInterval(tolerance),
      scheduler: clock.scheduler)
  }

  /// Ends when this publisher has sent no value for some time, as a clock measures it.
  ///
  /// It is ``timeout(_:scheduler:options:customError:)`` on a ``ClockScheduler``, which says where
  /// values are delivered: by default on the cooperative pool.
  ///
  /// - Parameters:
  ///   - interval: The longest time without a value, zero or more; a negative one traps.
  ///   - clock: The clock that measures the time.
  ///   - customError: The closure that makes the failure when the time is up, or nil to finish. It
  ///     runs once at most, on the scheduler.
  /// - Returns: A publisher of the same values.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// struct TooLate: Error {}
  ///
  /// let answers = PassthroughSubject<String, TooLate>()
  /// do {
  ///   let timely = answers.timeout(.milliseconds(1), customError: { TooLate() })
  ///   for try await answer in timely.values {
  ///     print(answer)
  ///   }
  /// } catch { print(error) }
  /// // Prints:
  /// // TooLate()
  /// ```
  @preconcurrency
  public func timeout<C: Clock>(
    _ interval: Duration, clock: C = ContinuousClock(),
    customError: (@Sendable () -> Failure)? = nil
  ) -> Publishers.Timeout<Self, ClockScheduler<C>> where C.Duration == Duration, Output: Sendable {
    timeout(ClockInterval(interval), scheduler: clock.scheduler, customError: customError)
  }

  /// Delivers, for each value, the time that has passed since the value before it, as a clock
  /// measures it.
  ///
  /// It is ``measureInterval(using:options:)``, whose times are durations here. Nothing is
  /// scheduled.
  ///
  /// - Parameter clock: The clock that tells the time.
  /// - Returns: A publisher of durations.
  ///
  /// ```swift
  /// import Fanout
  /// import FanoutTestSupport
  ///
  /// let clock = TestScheduler()
  /// let taps = PassthroughSubject<String, Never>()
  /// let rhythm = taps.measureInterval(clock: clock).sink { print($0) }
  /// for pause in [3, 1] {
  ///   clock.advance(by: .seconds(pause))
  ///   taps.send("tap")
  /// }
  /// rhythm.cancel()
  /// // Prints:
  /// // 3.0 seconds
  /// // 1.0 seconds
  /// ```
  public func measureInterval<C: Clock>(
    clock: C = ContinuousClock()
  ) -> Publishers.Map<Publishers.MeasureInterval<Self, ClockScheduler<C>>, Duration>
  where C.Duration == Duration {
    measureInterval(using: clock.scheduler).map { $0.duration }
  }
}

extension Publishers.TimeGroupingStrategy {
  /// Makes an array for each interval, as a clock measures it.
  ///
  /// - Parameters:
  ///   - interval: The length of an interval; a negative one traps.
  ///   - clock: The clock, on whose ``ClockScheduler`` the arrays are delivered.
  /// - Returns: The strategy.
  ///
  /// ```swift
  /// import Fanout
  /// import FanoutTestSupport
  ///
  /// let clock = TestScheduler()
  /// let readings = PassthroughSubject<Int, Never>()
  /// let stored = readings.collect(.byTime(.milliseconds(10), clock: clock)).sink { print($0) }
  /// for reading in 1...3 { readings.send(reading) }
  /// clock.advance(by: .milliseconds(10))
  /// stored.cancel()
  /// // Prints:
  /// // [1, 2, 3]
  /// ```
  public static func byTime<C: Clock>(_ interval: Duration, clock: C) -> Self
  where Context == ClockScheduler<C> {
    .byTime(clock.scheduler, ClockInterval(interval))
  }

  /// Makes an array for each interval, as a clock measures it, and also whenever the specified
  /// number of values has come.
  ///
  /// - Parameters:
  ///   - interval: The length of an interval; a negative one traps.
  ///   - count: The number of values that make an array, 1 or more. A smaller one traps.
  ///   - clock: The clock, on whose ``ClockScheduler`` the arrays are delivered.
  /// - Returns: The strategy.
  public static func byTimeOrCount<C: Clock>(_ interval: Duration, _ count: Int, clock: C) -> Self
  where Context == ClockScheduler<C> {
    .byTimeOrCount(clock.scheduler, ClockInterval(interval), count)
  }
}

extension Publishers.TimeGroupingStrategy where Context == ClockScheduler<ContinuousClock> {
  /// Makes an array for each interval of the specified length, on a `ContinuousClock`.
  ///
  /// - Parameter interval: The length of an interval; a negative one traps.
  /// - Returns: The strategy.
  public static func byTime(_ interval: Duration) -> Self {
    .byTime(interval, clock: ContinuousClock())
  }

  /// Makes an array for each interval of the specified length, on a `ContinuousClock`, and also
  /// whenever the specified number of values has come.
  ///
  /// - Parameters:
  ///   - interval: The length of an interval; a negative one traps.
  ///   - count: The number of values that make an array, 1 or more. A smaller one traps.
  /// - Returns: The strategy.
  public static func byTimeOrCount(_ interval: Duration, _ count: Int) -> Self {
    .byTimeOrCount(interval, count, clock: ContinuousClock())
  }
}
