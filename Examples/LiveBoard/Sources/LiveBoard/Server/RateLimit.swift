import Synchronization

/// A rate: so many in a second, and more at once after a pause.
struct TokenBucket {
  /// The number in a second.
  let rate: Double
  /// The greatest number at once.
  let burst: Double
  private var tokens: Double
  private var last: ContinuousClock.Instant

  init(rate: Double, burst: Double, now: ContinuousClock.Instant) {
    (self.rate, self.burst) = (rate, burst)
    (tokens, last) = (burst, now)
  }

  /// Whether it is as after a long pause.
  func isFull(at now: ContinuousClock.Instant) -> Bool { tokens(at: now) >= burst }

  /// Takes one; returns the seconds until there is one again if there is none.
  mutating func take(at now: ContinuousClock.Instant) -> Double? {
    (tokens, last) = (tokens(at: now), max(last, now))
    guard tokens >= 1 else { return (1 - tokens) / rate }
    tokens -= 1
    return nil
  }

  private func tokens(at now: ContinuousClock.Instant) -> Double {
    let seconds = last.duration(to: now) / .seconds(1)
    return min(burst, tokens + max(0, seconds) * rate)
  }
}

/// A limit of how often something happens, for each address.
final class RateLimit: Sendable {
  private struct State {
    var buckets: [String: TokenBucket] = [:]
    /// The number of buckets at which those that are full again are forgotten.
    var room = 1_024
  }

  private let rate: Double
  private let burst: Double
  private let now: @Sendable () -> ContinuousClock.Instant
  private let state = Mutex(State())

  /// Creates a limit.
  ///
  /// - Parameters:
  ///   - count: The number that an address may have in a period, or 0 if there is no limit.
  ///   - period: The period.
  ///   - burst: The number that an address may have at once.
  ///   - now: The closure that returns the time.
  init(
    _ count: Int, in period: Duration, burst: Int,
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    rate = Double(count) / (period / .seconds(1))
    self.burst = Double(burst)
    self.now = now
  }

  /// Counts one; returns the whole seconds that the address has to wait if it has had too many.
  func wait(for address: String) -> Int? {
    guard rate > 0 else { return nil }
    let now = now()
    return state.withLock { state in
      if state.buckets.count >= state.room, state.buckets[address] == nil {
        state.buckets = state.buckets.filter { !$0.value.isFull(at: now) }
        state.room = max(1_024, state.buckets.count * 2)
      }
      let seconds = state.buckets[address, default: TokenBucket(rate: rate, burst: burst, now: now)]
        .take(at: now)
      return seconds.map { max(1, Int($0.rounded(.up))) }
    }
  }

  /// The number of addresses that are known.
  var count: Int { state.withLock { $0.buckets.count } }
}
