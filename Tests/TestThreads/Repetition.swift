#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Chooses the seeds of a test's random programs: always the same, unless the environment sets others.
///
/// `FANOUT_SEED` is the first seed, 1 by default, and `FANOUT_PROGRAMS` the number of seeds.
///
/// - Parameter count: The number of seeds if the environment sets none, from 0 up.
/// - Returns: The seeds.
package func seeds(_ count: Int) -> Range<UInt64> {
  let first = number(of: "FANOUT_SEED") ?? 1
  return first..<first + (number(of: "FANOUT_PROGRAMS") ?? UInt64(count))
}

/// Chooses how often a test repeats what the order of threads decides.
///
/// `FANOUT_ROUNDS` says how much of the usual number to run, in percent: less under a sanitizer, more
/// where a run is for that alone.
///
/// - Parameter count: The usual number, from 1 up.
/// - Returns: The number of rounds, at least 1.
package func rounds(_ count: Int) -> Int {
  max(1, count * Int(number(of: "FANOUT_ROUNDS") ?? 100) / 100)
}

private func number(of variable: String) -> UInt64? {
  getenv(variable).flatMap { UInt64(String(cString: $0)) }
}
