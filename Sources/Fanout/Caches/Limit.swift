// `@unchecked Sendable` invariant: the properties are constants; the closures were passed in as
// `@Sendable`, or read a clock, which is `Sendable`.

internal import FanoutEngine

/// A limit for values that are replayed or that wait: their number, what they cost together, or
/// their age.
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
  let age: (now: () -> Int64, limit: Int64)?

  private init(
    count: Int = .max, cost: (of: (Value) -> Int, limit: Int)? = nil,
    age: (now: () -> Int64, limit: Int64)? = nil
  ) {
    self.count = count
    self.cost = cost
    self.age = age
  }

  /// The limits beside the number; nil if there are none.
  var measured: ValueLimits<Value>? {
    cost == nil && age == nil ? nil : ValueLimits(cost: cost, age: age)
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

  /// Creates a limit for the sum of what the values cost: their bytes, their duration, or whatever
  /// you count.
  ///
  /// - Parameters:
  ///   - limit: The greatest sum, 1 or more. A smaller number traps.
  ///   - cost: The closure that returns the cost of a value; less than 0 counts as 0. The
  ///     delivering thread calls it with no lock held: once for a value that a replay keeps, and
  ///     once for each subscriber for which it waits. For loops that share a backlog with
  ///     ``Backlog/WhenFull/dropOldest`` the thread that sends calls it, once for each value and
  ///     before that is accepted.
  /// - Returns: The limit.
  @preconcurrency
  public static func cost(_ limit: Int, of cost: @escaping @Sendable (Value) -> Int) -> Self {
    trap(unless: limit > 0, "Limit.cost(\(limit)): no value could be kept; pass 1 or more.")
    return Limit(cost: (cost, limit))
  }

  /// Creates a limit for the age of the values.
  ///
  /// In a replay, the age of a value is the time since it was accepted; in a backlog, the time
  /// since it began to wait for that subscriber. No timer runs: the age is looked at when another
  /// value comes, and when a subscriber joins or requests a value.
  ///
  /// - Parameters:
  ///   - interval: The greatest age, 0 or more. A value of exactly this age is not too old. A
  ///     negative one traps.
  ///   - clock: The clock that measures the age. No task sleeps on it.
  /// - Returns: The limit.
  public static func age<C: Clock>(_ interval: Duration, clock: C = ContinuousClock()) -> Self
  where C.Duration == Duration {
    trap(unless: interval >= .zero, "Limit.age(\(interval)): the age is negative; pass 0 or more.")
    let origin = clock.now
    let now = {
      // The clock is captured first: graphs find nothing behind an instant, whose type they don't
      // know.
      let instant = clock.now
      return origin.duration(to: instant).nanoseconds
    }
    return Limit(age: (now, interval.nanoseconds))
  }

  /// Creates a limit that is exceeded when one of several is.
  ///
  /// - Parameter limits: The limits. Of counts the smallest holds. Two limits of the cost, or of
  ///   the age, trap.
  /// - Returns: The limit.
  public static func all(_ limits: Limit...) -> Self { all(limits) }

  static func all(_ limits: [Limit]) -> Self {
    let costs = limits.compactMap(\.cost)
    let ages = limits.compactMap(\.age)
    trap(
      unless: costs.count < 2 && ages.count < 2,
      "Limit: there are two limits of the cost or of the age; pass one of each kind at most.")
    return Limit(
      count: limits.map(\.count).min() ?? .max, cost: costs.first, age: ages.first)
  }
}

extension Duration {
  /// The number of nanoseconds, so far within its range that the difference of two is too.
  fileprivate var nanoseconds: Int64 {
    let bound = Duration.nanoseconds(Int64.max / 2)
    let (seconds, attoseconds) = min(max(self, .zero - bound), bound).components
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }
}
