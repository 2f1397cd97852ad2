// `@unchecked Sendable` invariant: the stored properties are constants; the closures that they can hold were
// passed in as `@Sendable`.

internal import FanoutEngine
public import FanoutOperators

/// A policy for the values that wait for a subscriber of a shared publisher.
///
/// A value waits if the subscriber has not asked for it yet. Each subscriber has a backlog of its own, so a slow
/// subscriber changes nothing for the others. Only ``WhenFull/wait`` is different: there the slowest subscriber sets
/// the pace of the upstream.
///
/// | policy | a slow subscriber | the upstream | memory, beside the replay |
/// | --- | --- | --- | --- |
/// | ``unbounded`` | loses nothing | runs on | all that the slowest lacks |
/// | ``WhenFull/dropOldest`` | keeps the newest values | runs on | at most the limit, and the rest of its replay |
/// | ``WhenFull/dropNewest`` | keeps the oldest values, and takes new ones when there is room | runs on | at most the limit, and the rest of its replay, for each slow subscriber |
/// | ``WhenFull/customError(_:)`` | gets what waits, then fails | runs on | at most the limit, and the rest of its replay, for each slow subscriber |
/// | ``WhenFull/rejoin`` | goes on where a newcomer would start | runs on | at most the limit, or all that it lacks as long as no start lies ahead |
/// | ``WhenFull/conflate(by:)`` | gets the newest value of each key | runs on | the limit, or one value for each key |
/// | ``WhenFull/wait`` | loses nothing | waits for it; a subject can't | at most the limit, if the upstream respects demand |
/// | ``WhenFull/wait(atMost:clock:then:)`` | loses nothing as long as it takes a value within the time | waits for it, but not for ever | as its second treatment says |
///
/// ``size(_:whenFull:)`` limits the number of values; ``limit(_:whenFull:)`` limits it, what they cost together, their
/// age, or several of these.
///
/// A newcomer gets its replay in full. The part that it has not requested yet does not count against the limit, and no
/// backlog drops it. Only with ``WhenFull/rejoin`` a newer start takes its place.
///
/// A sink takes every value, so nothing waits for it. A shared publisher with a backlog asks for everything when it
/// connects, and one with ``WhenFull/wait`` for what there is room for.
///
/// ```swift
/// import Fanout
/// import FanoutTestSupport
///
/// let source = PassthroughSubject<Int, Never>()
/// let shared = source.share(backlog: .size(2, whenFull: .dropOldest))
/// let fast = shared.sink { print("fast", $0) }
/// let slow = TestSubscriber<Int, Never>(initialDemand: .none)
/// shared.subscribe(slow)
/// for number in 1...4 { source.send(number) }
/// slow.request(.unlimited)
/// print("slow", slow.values)
/// fast.cancel()
/// slow.cancel()
/// // Prints:
/// // fast 1
/// // fast 2
/// // fast 3
/// // fast 4
/// // slow [3, 4]
/// ```
public struct Backlog<Value, Failure: Error>: @unchecked Sendable {
  /// The treatment of a value that arrives when the backlog is full.
  ///
  /// A backlog is full if it would exceed its limit with the value.
  public struct WhenFull: @unchecked Sendable {
    typealias Policy = BacklogPolicy<Value, Subscribers.Completion<Failure>>

    /// Returns the policy for a number of values.
    let policy: (_ count: Int) -> Policy

    /// Drops the oldest values that wait, as many as must go.
    ///
    /// A value that alone exceeds a limit of the cost is dropped too, with all that waits in front of it.
    public static var dropOldest: Self { Self { .droppingOldest($0) } }

    /// Drops the value that has arrived.
    public static var dropNewest: Self { Self { .droppingNewest($0) } }

    /// Drops the value that has arrived and ends the subscriber.
    ///
    /// The subscriber gets what waits as it asks for it, and then the failure that the closure returns.
    /// A publisher that cannot fail needs `setFailureType(to:)` in front of `share`.
    ///
    /// - Parameter makeFailure: The closure that returns the failure. The delivering thread calls it once for the
    ///   subscriber, with no lock held; for a `for await` loop that may be any thread that sends.
    /// - Returns: The treatment.
    @preconcurrency
    public static func customError(_ makeFailure: @escaping @Sendable () -> Failure) -> Self {
      Self { .ending($0) { .failure(makeFailure()) } }
    }

    /// Lets the subscriber go on where a newcomer would start, if that lies ahead of its place.
    ///
    /// It never goes back and never gets a value twice. Under ``Replay/sinceKeyframe(where:)`` it goes on at a
    /// keyframe, and as long as none lies ahead, it loses nothing. Under ``Replay/none`` and under a cache of
    /// your own it goes on with the next value, behind what is left of its replay. ``Replay/all`` has no start ahead,
    /// so this combination traps.
    public static var rejoin: Self { Self { .rejoining($0) } }

    /// Asks the upstream for no more values than there is room for in every backlog.
    ///
    /// An upstream that ignores demand is not slowed down: what it sends unrequested waits. A subject
    /// drops what is not requested. So it is asked for everything, and what comes waits beyond the limit: nothing is
    /// lost, and ``SharedPublisher/status`` shows how much waits. B6 says behind which operators that holds. What a
    /// value costs is known only when it has come. So under a limit of the cost or the age the upstream is asked for
    /// one value at a time, as long as the limit is not reached.
    public static var wait: Self { Self { .waiting($0) } }

    /// Asks the upstream for no more values than there is room for, but does not wait for ever for a subscriber that
    /// takes none.
    ///
    /// If a backlog has been full for that time, and its subscriber has taken nothing, the upstream stops waiting for
    /// it. What arrives is then treated as `other` says. When the subscriber has taken a value, the upstream waits for
    /// it again.
    ///
    /// Each value that it takes begins the time anew. So a subscriber that takes a trickle, one value each time just
    /// before the time is over, holds everything back for as long as it does so. If a client may do that, let it join
    /// with a backlog of its own that limits how far it may be behind in all:
    /// `joining(backlog: .size(1000, whenFull: .customError { TooSlow() }))`. The upstream does not wait for it then.
    ///
    /// A limit of the age is reached without an event. It is looked at when a value arrives, when the subscriber takes
    /// one, and when no other subscriber holds the upstream back.
    ///
    /// - Parameters:
    ///   - interval: The time, 0 or more. A negative one traps.
    ///   - clock: The clock that measures the time. Its task retains nothing of the shared publisher, and is cancelled
    ///     when the subscriber leaves.
    ///   - other: The treatment when the time is over: to drop, to fail, or to rejoin. Another one traps.
    /// - Returns: The treatment.
    ///
    /// ```swift
    /// import Fanout
    /// import FanoutTestSupport
    ///
    /// let clock = TestScheduler()
    /// let shared = (1...9).publisher.multicast(
    ///   replay: .none,
    ///   backlog: .size(2, whenFull: .wait(atMost: .seconds(5), clock: clock, then: .dropOldest)))
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

    /// Asks the upstream for no more values than there is room for, but does not wait for ever for a subscriber that
    /// takes none; a scheduler measures the time.
    ///
    /// - Parameters:
    ///   - interval: The time, 0 or more. A negative one traps.
    ///   - scheduler: The scheduler that measures the time. It retains nothing of the shared publisher. Its action
    ///     delivers what the upstream then sends, if no other thread does. When the subscriber leaves, the action is
    ///     taken back. A scheduler of your own keeps it until its time: a few hundred bytes for each subscriber.
    ///   - other: The treatment when the time is over: to drop, to fail, or to rejoin. Another one traps.
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
        Backlog wait(atMost:then:): the second treatment waits or conflates; pass .dropOldest, .dropNewest, \
        .customError or .rejoin.
        """)
      return Self { count in
        .waiting(count).waiting(then: other.policy(count)) {
          ScheduledTimer(on: scheduler, interval)
        }
      }
    }

    /// Lets one value wait for each key: the newest, in the place of the first that waited.
    ///
    /// That begins when the backlog is full, and lasts until the subscriber has taken all that waits. So a subscriber
    /// that is a little late gets every value, and one that is slow gets the newest of each key; never an older value
    /// of a key after a newer one. More keys than the limit has room for wait nevertheless, one value each. What makes
    /// way is not missed (B1): it is counted as ``SharingStatus/Subscriber/conflated``. All that holds across
    /// connections too: after ``SharedPublisher/reconnect()`` a value takes the place of an older one of its key.
    ///
    /// Cost: amortised O(1) a value for each subscriber that lags.
    ///
    /// - Parameter key: The closure that returns a value's key. The delivering thread calls it once for each
    ///   subscriber for which the value waits, with no lock held; for a `for await` loop a thread that sends, or the
    ///   loop's, does.
    /// - Returns: The treatment.
    ///
    /// ```swift
    /// import Fanout
    /// import FanoutTestSupport
    ///
    /// let prices = PassthroughSubject<(name: String, price: Int), Never>()
    /// let shared = prices.share(backlog: .size(1, whenFull: .conflate(by: \.name)))
    /// let slow = TestSubscriber<(name: String, price: Int), Never>(initialDemand: .none)
    /// shared.subscribe(slow)
    /// for (name, price) in [("tea", 1), ("milk", 2), ("tea", 3), ("tea", 4)] {
    ///   prices.send((name, price))
    /// }
    /// slow.request(.unlimited)
    /// for value in slow.values { print(value.name, value.price) }
    /// slow.cancel()
    /// // Prints:
    /// // tea 4
    /// // milk 2
    /// ```
    @preconcurrency
    public static func conflate<Key: Hashable & SendableMetatype>(
      by key: @escaping @Sendable (Value) -> Key
    ) -> Self {
      conflating(by: key, nil)
    }

    /// Lets one value wait for each key, made of all values of that key.
    ///
    /// This is ``conflate(by:)`` with a closure. The closure gets the value that waits and the value that arrives. What
    /// it returns then waits in place of both.
    ///
    /// - Parameters:
    ///   - key: The closure that returns a value's key.
    ///   - merge: The closure that makes one value of an older and a newer one. Both are called with no lock held, on
    ///     the threads of ``conflate(by:)``.
    /// - Returns: The treatment.
    @preconcurrency
    public static func conflate<Key: Hashable & SendableMetatype>(
      by key: @escaping @Sendable (Value) -> Key,
      _ merge: @escaping @Sendable (_ old: Value, _ new: Value) -> Value
    ) -> Self {
      conflating(by: key, merge)
    }

    /// Lets one value wait, made of all that have arrived.
    ///
    /// It is ``conflate(by:_:)`` with one key for all values.
    ///
    /// - Parameter merge: The closure that makes one value of an older and a newer one. It is called with no lock held,
    ///   on the threads of ``conflate(by:)``.
    /// - Returns: The treatment.
    @preconcurrency
    public static func conflate(
      _ merge: @escaping @Sendable (_ old: Value, _ new: Value) -> Value
    ) -> Self {
      conflating(by: { _ in true }, merge)
    }

    init(_ policy: @escaping (_ count: Int) -> Policy) { self.policy = policy }

    static func conflating<Key: Hashable>(
      by key: @escaping (Value) -> Key, _ merge: ((_ old: Value, _ new: Value) -> Value)?
    ) -> Self {
      Self { count in
        .conflating(
          count,
          Conflation(
            makeIndex: {
              var index = PlacesByKey(key: key)
              return ConflationIndex(
                find: { index.find($0, at: $1, from: $2) }, removeAll: { index.removeAll() },
                copy: { index })
            }, merge: merge))
      }
    }
  }

  let policy: BacklogPolicy<Value, Subscribers.Completion<Failure>>

  init(_ policy: BacklogPolicy<Value, Subscribers.Completion<Failure>>) { self.policy = policy }

  /// A backlog without a limit: a subscriber loses nothing.
  ///
  /// Memory: every value that the slowest subscriber lacks, once for all of them.
  public static var unbounded: Self { Backlog(.unbounded) }

  /// Creates a policy for a backlog of limited size.
  ///
  /// Cost: O(1), amortised, for each value and each subscriber that lags, and for each request and each cancel. With
  /// ``WhenFull/wait`` every value takes a look at every subscriber. With ``WhenFull/dropOldest`` a request and a
  /// cancel of a full subscriber take O(log *n*), if *n* different sizes are in use.
  ///
  /// - Parameters:
  ///   - count: The greatest number of values that wait for a subscriber, 1 or more. A smaller number traps.
  ///   - whenFull: The treatment of a value that would be one too many.
  /// - Returns: The policy.
  public static func size(_ count: Int, whenFull: WhenFull) -> Self {
    trap(
      unless: count > 0,
      "Backlog.size(\(count)): no value could wait; pass 1 or more, or leave the backlog out.")
    return Backlog(whenFull.policy(count))
  }

  /// Creates a policy for a backlog with limits: of the number of values, of what they cost together, of their age.
  ///
  /// The backlog is full if one of the limits would be exceeded with the value that arrives. A value that alone exceeds
  /// a limit of the cost never waits: it is dropped, or fails the subscriber. A subscriber that has requested it gets
  /// it, because a value that is delivered does not wait. Only ``WhenFull/wait`` and ``WhenFull/conflate(by:)`` let it
  /// wait.
  ///
  /// With ``WhenFull/dropOldest`` a value that is too old is not delivered any more: its age is looked at when another
  /// value arrives and when the subscriber requests one. Under the other treatments the backlog is full while the
  /// oldest value that waits is too old, and what waits is delivered.
  ///
  /// Cost: O(1), amortised, for each value and each subscriber that lags, and a call of the closure that returns the
  /// cost. A `for await` loop with such a backlog takes its values one by one, unless the backlog is that of the
  /// publisher, and drops the oldest at a limit of the cost.
  ///
  /// - Parameters:
  ///   - limits: The limits: ``Limit/count(_:)``, ``Limit/cost(_:of:)``, ``Limit/age(_:clock:)``, one of each kind
  ///     at most. The call traps if there is no limit, or two of a kind.
  ///   - whenFull: The treatment of a value for which there is no room.
  /// - Returns: The policy.
  ///
  /// ```swift
  /// import Fanout
  /// import FanoutTestSupport
  ///
  /// let messages = PassthroughSubject<String, Never>()
  /// let shared = messages.share(
  ///   backlog: .limit(.count(100), .cost(8) { $0.utf8.count }, whenFull: .dropOldest))
  /// let slow = TestSubscriber<String, Never>(initialDemand: .none)
  /// shared.subscribe(slow)
  /// for message in ["one", "two", "three"] { messages.send(message) }
  /// slow.request(.unlimited)
  /// print(slow.values)
  /// slow.cancel()
  /// // Prints:
  /// // ["two", "three"]
  /// ```
  public static func limit(_ limits: Limit<Value>..., whenFull: WhenFull) -> Self {
    limit(all: limits, whenFull: whenFull)
  }

  package static func limit(all limits: [Limit<Value>], whenFull: WhenFull) -> Self {
    let limit = Limit.all(limits)
    trap(
      unless: limit.count < .max || limit.measured != nil,
      "Backlog.limit: there is no limit; pass a count, a cost or an age, or use .unbounded.")
    return Backlog(whenFull.policy(limit.count).limited(by: limit.measured))
  }
}

extension Backlog {
  /// Traps if the policy cannot be kept with a replay.
  func check(_ replay: Replay<Value>) {
    trap(
      unless: !policy.isRejoining || !replay.memory.isEverything,
      """
      Backlog .rejoin with Replay.all: a newcomer starts at the first value, so nothing lies ahead to go on \
      from; use .last, .sinceKeyframe, .latest or .none, or another backlog.
      """)
  }
}
