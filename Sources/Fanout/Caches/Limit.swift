// `@unchecked Sendable` invariant: the properties are constants; the closure was passed in as `@Sendable`.

internal import FanoutEngine

/// A limit for the values that a late subscriber receives: their number, or what they cost together.
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

  /// No limit.
  public static var unlimited: Self { Limit(count: .max, cost: nil) }

  /// Creates a limit for the number of values.
  ///
  /// - Parameter count: The greatest number of values, 1 or more. A smaller number traps.
  /// - Returns: The limit.
  public static func count(_ count: Int) -> Self {
    trap(unless: count > 0, "Limit.count(\(count)): no value could be replayed; pass 1 or more.")
    return Limit(count: count, cost: nil)
  }

  /// Creates a limit for the sum of what the values cost: their bytes, their duration, or whatever you count.
  ///
  /// - Parameters:
  ///   - limit: The greatest sum, 1 or more. A smaller number traps.
  ///   - cost: The closure that returns the cost of a value, 0 or more. The delivering thread calls it once a value,
  ///     with no lock held.
  /// - Returns: The limit.
  @preconcurrency
  public static func cost(_ limit: Int, of cost: @escaping @Sendable (Value) -> Int) -> Self {
    trap(unless: limit > 0, "Limit.cost(\(limit)): no value could be replayed; pass 1 or more.")
    return Limit(count: .max, cost: (cost, limit))
  }
}
