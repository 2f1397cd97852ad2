import FanoutCore
import FanoutOperators
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// The forms of the operators that take a clock.
@Suite(.timeLimit(.minutes(30)))
struct ClockFormsTests {
  private typealias Upstream = AnyPublisher<String, Never>

  /// The operators twice: on a scheduler, and on a clock.
  private static let forms:
    [(
      name: String, scheduled: @Sendable (Upstream, TestScheduler) -> Upstream,
      clocked: @Sendable (Upstream, any Clock<Duration>) -> Upstream
    )] = [
      (
        "debounce", { $0.debounce(for: 3, scheduler: $1).eraseToAnyPublisher() },
        { debounced($0, $1) }
      ),
      (
        "throttle", { $0.throttle(for: 3, scheduler: $1, latest: true).eraseToAnyPublisher() },
        { throttled($0, $1) }
      ),
      ("delay", { $0.delay(for: 3, scheduler: $1).eraseToAnyPublisher() }, { delayed($0, $1) }),
      ("timeout", { $0.timeout(3, scheduler: $1).eraseToAnyPublisher() }, { limited($0, $1) }),
      (
        "measureInterval",
        { $0.measureInterval(using: $1).map { "\($0.ticks)" }.eraseToAnyPublisher() },
        { measured($0, $1) }
      ),
      (
        "collect by time",
        { $0.collect(.byTime($1, 4)).map { $0.joined() }.eraseToAnyPublisher() },
        { collected($0, $1) }
      ),
      (
        "collect by time or count",
        { $0.collect(.byTimeOrCount($1, 4, 2)).map { $0.joined() }.eraseToAnyPublisher() },
        { counted($0, $1) }
      ),
    ]

  private static func debounced(_ upstream: Upstream, _ clock: some Clock<Duration>) -> Upstream {
    upstream.debounce(for: .milliseconds(3), clock: clock).eraseToAnyPublisher()
  }

  private static func throttled(_ upstream: Upstream, _ clock: some Clock<Duration>) -> Upstream {
    upstream.throttle(for: .milliseconds(3), clock: clock, latest: true).eraseToAnyPublisher()
  }

  private static func delayed(_ upstream: Upstream, _ clock: some Clock<Duration>) -> Upstream {
    upstream.delay(for: .milliseconds(3), clock: clock).eraseToAnyPublisher()
  }

  private static func limited(_ upstream: Upstream, _ clock: some Clock<Duration>) -> Upstream {
    upstream.timeout(.milliseconds(3), clock: clock).eraseToAnyPublisher()
  }

  private static func measured(_ upstream: Upstream, _ clock: some Clock<Duration>) -> Upstream {
    upstream.measureInterval(clock: clock).map { "\($0 / .milliseconds(1))".prefix { $0 != "." } }
      .map { String($0) }.eraseToAnyPublisher()
  }

  private static func collected(_ upstream: Upstream, _ clock: some Clock<Duration>) -> Upstream {
    upstream.collect(.byTime(.milliseconds(4), clock: clock)).map { $0.joined() }
      .eraseToAnyPublisher()
  }

  private static func counted(_ upstream: Upstream, _ clock: some Clock<Duration>) -> Upstream {
    upstream.collect(.byTimeOrCount(.milliseconds(4), 2, clock: clock)).map { $0.joined() }
      .eraseToAnyPublisher()
  }

  @Test(arguments: ["12-3----4-|", "123--4-5----6|", "------1|", "12345678|"])
  func `T1: on a test scheduler the form with a clock does what the other does, at once`(
    marbles: String
  ) throws {
    for form in Self.forms {
      let scheduler = TestScheduler()
      let upstream = try scheduler.hot(Marbles(parsing: marbles)).eraseToAnyPublisher()
      let scheduled = form.scheduled(upstream, scheduler).record(scheduler: scheduler)
      let clocked = form.clocked(upstream, scheduler).record(scheduler: scheduler)
      try scheduler.run()
      #expect(clocked.timedEvents == scheduled.timedEvents, "\(form.name)")
    }
  }

  @Test func `T1: on a clock of a user's own the operators take their time from it`() async throws {
    let hand = TestScheduler()
    let clock = SleepingClock(hand)
    let source = PassthroughSubject<Int, Never>()
    let debounced = source.debounce(for: .milliseconds(3), clock: clock).record(scheduler: hand)
    source.send(1)
    source.send(2)
    try await hand.advance(by: 3, sleepers: 1, within: .seconds(1800))
    #expect(try await debounced.waitForValues(1, within: .seconds(1800)) == [2])
    let delayed = source.delay(for: .milliseconds(5), clock: clock).record(scheduler: hand)
    source.send(3)
    source.send(completion: .finished)
    try await debounced.waitForEnd(within: .seconds(1800))
    try await hand.advance(by: 5, sleepers: 1, within: .seconds(1800))
    try await delayed.waitForEnd(within: .seconds(1800))
    #expect(delayed.values == [3])
  }

  @Test func `D7: a cancel takes the sleep of an operator back`() async throws {
    let hand = TestScheduler()
    let source = PassthroughSubject<Int, Never>()
    let waiting = source.timeout(.seconds(3600), clock: SleepingClock(hand)).sink { _ in }
    try await hand.waitForSleepers(1, within: .seconds(1800))
    waiting.cancel()
    #expect(hand.sleeperCount == 0)
  }

  @Test func `without a clock the forms use the continuous one`() {
    let upstream = Empty<Int, Never>()
    let debounced: Publishers.Debounce<Empty<Int, Never>, ClockScheduler<ContinuousClock>> =
      upstream.debounce(for: .seconds(1))
    #expect(debounced.dueTime == 1)
    #expect(upstream.throttle(for: .seconds(2), latest: true).interval == 2)
    #expect(upstream.delay(for: .seconds(3), tolerance: .seconds(1)).tolerance == 1)
    #expect(upstream.timeout(.seconds(4)).interval == 4)
    let arrays = upstream.collect(.byTime(.seconds(1))).sink { _ in }
    let counted = upstream.collect(.byTimeOrCount(.seconds(1), 2)).sink { _ in }
    let times: some Publisher<Duration, Never> = upstream.measureInterval()
    let suspending = upstream.delay(for: .seconds(1), clock: .suspending)
    withExtendedLifetime((arrays, counted, times, suspending)) {}
  }

  @Test func `T1: ticks on a clock are its instants, one interval apart`() async throws {
    let hand = TestScheduler()
    let ticks = SleepingClock(hand).ticks(every: .seconds(2)).record(scheduler: hand)
    try await hand.advance(by: .seconds(6), sleepers: 1, within: .seconds(1800))
    #expect(try await ticks.waitForValues(3, within: .seconds(1800)) == [2000, 4000, 6000])
    ticks.cancel()
    await hand.waitForNoSleepers()
    let (direct, ran) = (TestScheduler(), Shared(0))
    func clocked(_ clock: some Clock<Duration>) -> AnyCancellable {
      clock.ticks(every: .seconds(1)).sink { _ in ran.increment() }
    }
    let shown = clocked(direct)
    direct.advance(by: .seconds(3))
    #expect(ran.value == 3)
    shown.cancel()
    #expect(direct.scheduledCount == 0)
  }
}
