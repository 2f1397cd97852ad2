// `@unchecked Sendable` invariant: the properties are constants; the closures were passed in as `@Sendable`, and the
// scheduler of an age is `Sendable`.

internal import FanoutEngine
public import FanoutOperators

/// A limit for values that are replayed or that wait: their number, what they cost together, or their age.
///
/// ```swift
/// import Fanout
///
/// let frames = PassthroughSubject<String, Never>()
/// let shared = frames.share(
///   replay: .sinceKeyframe(limit: .cost(8, of: { $0.utf8.count })) { $0.hasPrefix("key") })
/// let keeping = shared.sink { _ in }
/// for frame in ["key 1", "p", "p"] { frames.send(frame) }
/// let late = shared.sink { print("late", $0) }
/// frames.send("pp")
/// let later = shared.sink { print("later", $0) }
/// frames.send("key 2")
/// for subscriber in [keeping, late, later] { subscriber.cancel() }
/// // Prints:
/// // late key 1
/// // late p
/// // late p
/// // late pp
/// // late key 2
/// // later key 2
/// ```
public struct Limit<Value>: @unchecked Sendable {
  let count: Int
  let cost: (of: (Value) -> Int, limit: Int)?
  let makeAges: (() -> ValueAges)?

  private init(
    count: Int = .max, cost: (of: (Value) -> Int, limit: Int)? = nil,
    makeAges: (() -> ValueAges)? = nil
  ) {
    self.count = count
    self.cost = cost
    self.makeAges = makeAges
  }

  /// The limits beside the number; nil if there are none.
  var measured: ValueLimits<Value>? {
    cost == nil && makeAges == nil ? nil : ValueLimits(cost: cost, makeAges: makeAges)
  }

  /// No limit.
  public static var unlimited: Self { Limit() }

  /// Creates a limit for the number of values.
  ///
  /// - Parameter count: The greatest number of values, 1 or more. A smaller number traps.
  /// - Returns: The limit.
  public static func count(_ count: Int) -> Self {
    trap(unless: count > 0, "Limit.count(\(count)): no value could be kept; pass 1 or more.")
    return Limit(count: count)
  }

  /// Creates a limit for the sum of what the values cost: their bytes, their duration, or whatever you count.
  ///
  /// - Parameters:
  ///   - limit: The greatest sum, 1 or more. A smaller number traps.
  ///   - cost: The closure that returns the cost of a value; less than 0 counts as 0. The delivering thread calls it
  ///     with no lock held: once for a value that a replay keeps, and once for each subscriber for which it waits. For
  ///     loops that share a backlog with ``Backlog/WhenFull/dropOldest`` the thread that sends calls it, once for each
  ///     value and before that is accepted.
  /// - Returns: The limit.
  @preconcurrency
  public static func cost(_ limit: Int, of cost: @escaping @Sendable (Value) -> Int) -> Self {
    trap(unless: limit > 0, "Limit.cost(\(limit)): no value could be kept; pass 1 or more.")
    return Limit(cost: (cost, limit))
  }

  /// Creates a limit for the age of the values, which a scheduler measures.
  ///
  /// In a replay, the age of a value is the time since it was accepted; in a backlog, the time since it began to wait
  /// for that subscriber. No timer runs: the age is looked at when another value comes, and when a subscriber joins or
  /// requests a value.
  ///
  /// - Parameters:
  ///   - interval: The greatest age, 0 or more. A value of exactly this age is not too old. A negative one traps.
  ///   - scheduler: The scheduler whose clock measures the age. It is given no action.
  /// - Returns: The limit.
  public static func age<Context: Scheduler & Sendable>(
    _ interval: Context.SchedulerTimeType.Stride, scheduler: Context
  ) -> Self {
    trap(unless: interval >= 0, "Limit.age(\(interval)): the age is negative; pass 0 or more.")
    return Limit { ScheduledAges(scheduler, interval) }
  }

  /// Creates a limit for the age of the values, which a clock measures.
  ///
  /// It is ``age(_:scheduler:)`` with the time of a clock. No task sleeps.
  ///
  /// - Parameters:
  ///   - interval: The greatest age, 0 or more. A value of exactly this age is not too old. A negative one traps.
  ///   - clock: The clock that measures the age.
  /// - Returns: The limit.
  public static func age<C: Clock>(_ interval: Duration, clock: C = ContinuousClock()) -> Self
  where C.Duration == Duration {
    age(ClockInterval(interval), scheduler: clock.scheduler)
  }

  /// Creates a limit that is exceeded when one of several is.
  ///
  /// - Parameter limits: The limits. Of counts the smallest holds. Two limits of the cost, or of the age, trap.
  /// - Returns: The limit.
  public static func all(_ limits: Limit...) -> Self { all(limits) }

  static func all(_ limits: [Limit]) -> Self {
    let costs = limits.compactMap(\.cost)
    let ages = limits.compactMap(\.makeAges)
    trap(
      unless: costs.count < 2 && ages.count < 2,
      "Limit: there are two limits of the cost or of the age; pass one of each kind at most.")
    return Limit(
      count: limits.map(\.count).min() ?? .max, cost: costs.first, makeAges: ages.first)
  }
}

/// The ages of values in the time of a scheduler.
final class ScheduledAges<Context: Scheduler>: ValueAges {
  private let limit: Context.SchedulerTimeType.Stride
  private let scheduler: Context
  /// The times at which the values were added, from `start` on.
  private var times: [Context.SchedulerTimeType] = []
  private var start = 0

  init(_ scheduler: Context, _ limit: Context.SchedulerTimeType.Stride) {
    self.limit = limit
    self.scheduler = scheduler
    super.init()
  }

  override func append() { times.append(scheduler.now) }

  override func removeFirst() {
    guard start < times.count else { return }
    start += 1
    // The array is shortened when half of it is empty, so that this is O(1), amortised.
    guard start == times.count || (start > 16 && start * 2 > times.count) else { return }
    times.removeSubrange(..<start)
    start = 0
  }

  override func removeLast() {
    times.removeLast()
    guard start == times.count else { return }
    times.removeAll()
    start = 0
  }

  override func moveFirstBehind() {
    guard start < times.count else { return }
    times.append(times[start])
    removeFirst()
  }

  override func isFirstTooOld(now: Bool) -> Bool {
    guard start < times.count, let last = times.last else { return false }
    return times[start].distance(to: now ? scheduler.now : last) > limit
  }
}
