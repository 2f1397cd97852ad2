// `@unchecked Sendable` invariant: the only stored property is a constant; the scheduler in it is
// `Sendable`, and an interval of time is a plain number.

internal import FanoutEngine
public import FanoutOperators

/// The moment at which a shared publisher disconnects from its upstream.
///
/// | policy | disconnects |
/// | --- | --- |
/// | ``whenIdle`` | when the last subscriber has left |
/// | ``whenIdle(for:clock:)`` | when there has been no subscriber for a while |
/// | ``whenIdle(for:scheduler:)`` | the same |
/// | ``whenReleased`` | when the shared publisher and its subscriptions have been released |
///
/// An end of the upstream ends the connection under each of them. A connection that is claimed by
/// `connect()` stays until that claim is released too.
public struct Disconnect: @unchecked Sendable {
  enum Policy {
    case whenIdle
    case afterGrace(any GracePeriod)
    case whenReleased
  }

  let policy: Policy

  /// Returns a counter that acts on this policy, around the counter of a connection.
  func counter(around counter: SubscriberCounter) -> SubscriberCounter {
    switch policy {
    case .whenIdle: counter
    case .afterGrace(let period): LingeringCounter(counter, timer: period.makeTimer())
    case .whenReleased: LingeringCounter(counter, timer: nil)
    }
  }

  /// Disconnects when the last subscriber has left.
  public static var whenIdle: Self { Disconnect(policy: .whenIdle) }

  /// Disconnects when there has been no subscriber for some time.
  ///
  /// Within this time the connection, its replay and its order live on, and a new subscriber finds
  /// them. The time ends in one of four ways: a subscriber comes, the time is up and the connection
  /// closes, the upstream ends, or the shared publisher is released. Then no subscriber can come
  /// any more, and the connection closes at once.
  ///
  /// - Parameters:
  ///   - interval: The time, 0 or more. A negative one traps.
  ///   - scheduler: The scheduler that measures the time and closes the connection. It retains
  ///     nothing of the shared publisher. When that is released, the action is taken back. A
  ///     scheduler of your own keeps it until its time: a few hundred bytes for each shared
  ///     publisher.
  /// - Returns: The policy.
  ///
  /// ```swift
  /// import Fanout
  /// import FanoutTestSupport
  ///
  /// let clock = TestScheduler()
  /// let location = PassthroughSubject<Int, Never>()
  /// let shared = location.handleEvents(receiveCancel: { print("off") })
  ///   .share(replay: .latest, disconnect: .whenIdle(for: .seconds(5), scheduler: clock))
  /// shared.sink { print("first", $0) }.cancel()
  /// clock.advance(by: .seconds(4))
  /// let second = shared.sink { print("second", $0) }
  /// location.send(1)
  /// second.cancel()
  /// clock.advance(by: .seconds(5))
  /// // Prints:
  /// // second 1
  /// // off
  /// ```
  public static func whenIdle<Context: Scheduler & Sendable>(
    for interval: Context.SchedulerTimeType.Stride, scheduler: Context
  ) -> Self {
    trap(
      unless: interval >= 0,
      """
      Disconnect.whenIdle(for: \(interval)): the time is negative; pass 0 or more, or use \
      .whenIdle.
      """
    )
    return Disconnect(
      policy: .afterGrace(ScheduledGracePeriod(interval: interval, scheduler: scheduler)))
  }

  /// Disconnects when there has been no subscriber for some time, as a clock measures it.
  ///
  /// It is ``whenIdle(for:scheduler:)`` on a ``ClockScheduler``: the connection closes in a task on
  /// the cooperative pool.
  ///
  /// - Parameters:
  ///   - interval: The time, 0 or more. A negative one traps.
  ///   - clock: The clock that measures the time.
  /// - Returns: The policy.
  ///
  /// ```swift
  /// import Fanout
  /// import FanoutTestSupport
  ///
  /// func share(
  ///   _ location: some Publisher<Int, Never>, clock: some Clock<Duration> = .continuous
  /// ) -> some SharedPublisher<Int, Never> {
  ///   location.share(replay: .latest, disconnect: .whenIdle(for: .seconds(5), clock: clock))
  /// }
  ///
  /// let clock = TestScheduler()
  /// let location = PassthroughSubject<Int, Never>()
  /// let shared = share(location.handleEvents(receiveCancel: { print("off") }), clock: clock)
  /// shared.sink { _ in }.cancel()
  /// clock.advance(by: .seconds(4))
  /// print("still on")
  /// clock.advance(by: .seconds(1))
  /// // Prints:
  /// // still on
  /// // off
  /// ```
  public static func whenIdle<C: Clock>(
    for interval: Duration, clock: C = ContinuousClock()
  ) -> Self where C.Duration == Duration {
    whenIdle(for: ClockInterval(interval), scheduler: clock.scheduler)
  }

  /// Disconnects when neither the shared publisher nor a subscription to it nor a claim of
  /// `connect()` is retained any more.
  ///
  /// The connection begins with the first subscriber.
  public static var whenReleased: Self { Disconnect(policy: .whenReleased) }
}
