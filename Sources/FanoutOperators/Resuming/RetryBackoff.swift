internal import FanoutEngine

/// The pauses between a failure and the next attempt.
///
/// Growing pauses with some chance in them are what a service that is overloaded needs from its
/// clients: see "Exponential Backoff And Jitter" in the AWS Architecture Blog, whose *equal jitter*
/// is a `jitter` of 0.5 here.
public struct RetryBackoff: Sendable {
  let pause: @Sendable (_ attempt: Int) -> Duration

  /// Creates pauses from a closure.
  ///
  /// - Parameter pause: The closure that returns the pause in front of a retry, zero or more. The
  ///   first retry in a row is number 0. It is called on the thread that failed, outside any lock.
  public init(_ pause: @escaping @Sendable (_ attempt: Int) -> Duration) { self.pause = pause }

  /// Returns pauses of one length.
  ///
  /// - Parameter pause: The length, zero or more; a negative one traps.
  /// - Returns: The pauses.
  public static func constant(_ pause: Duration) -> Self {
    trap(
      unless: pause >= .zero,
      "RetryBackoff.constant(\(pause)): a pause cannot be negative; pass zero or more.")
    return Self { _ in pause }
  }

  /// Returns pauses of which each is a multiple of the one before, up to a greatest one.
  ///
  /// - Parameters:
  ///   - first: The first pause, more than zero; any other traps.
  ///   - greatest: The greatest pause, at least the first; a shorter one traps.
  ///   - factor: The multiple, 1 or more; a smaller one traps.
  ///   - jitter: The part of each pause that chance decides, 0 to 1; any other traps. With 0.5 a
  ///     pause of 8 seconds takes 4 to 8 seconds.
  /// - Returns: The pauses.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let backoff = RetryBackoff.exponential(from: .seconds(1), to: .seconds(10), jitter: 0)
  /// print((0...4).map { backoff.pause(before: $0) })
  /// // Prints:
  /// // [1.0 seconds, 2.0 seconds, 4.0 seconds, 8.0 seconds, 10.0 seconds]
  /// ```
  public static func exponential(
    from first: Duration, to greatest: Duration, factor: Double = 2, jitter: Double = 0.5
  ) -> Self {
    trap(
      unless: first > .zero && greatest >= first && factor >= 1 && (0...1).contains(jitter),
      """
      RetryBackoff.exponential(from: \(first), to: \(greatest), factor: \(factor), jitter: \
      \(jitter)): pass a first pause of more than zero, a greatest one that is not shorter, a \
      factor of 1 or more and a jitter of 0 to 1.
      """)
    return Self { attempt in
      var pause = first
      var left = factor > 1 ? attempt : 0
      while left > 0, pause < greatest {
        // Before the multiplication, which traps where it overflows.
        pause = pause > greatest / factor ? greatest : pause * factor
        left -= 1
      }
      return jitter == 0 ? pause : pause - pause * Double.random(in: 0...jitter)
    }
  }

  /// Returns the pause in front of a retry.
  ///
  /// - Parameter attempt: The number of the retry in a row; the first is 0.
  /// - Returns: The pause, zero or more.
  public func pause(before attempt: Int) -> Duration { max(pause(attempt), .zero) }
}
