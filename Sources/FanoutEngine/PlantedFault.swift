#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#endif

/// The number of the fault that is switched on, from the environment variable `FANOUT_FAULT`; 0 for none.
public let plantedFault: Int = getenv("FANOUT_FAULT").map { Int(atoi($0)) } ?? 0
