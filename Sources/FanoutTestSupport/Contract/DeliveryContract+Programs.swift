internal import Dispatch
internal import TestThreads

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

extension DeliveryContract {
  /// After how many seconds without progress a program is taken to hang.
  @TaskLocal package static var patience = 20

  /// Plays one program, or as many random ones as were asked for, on what is under test and on the
  /// model, and throws the shortest that makes a difference.
  ///
  /// They are played on a thread of its own, so that one that hangs is told of and not waited for.
  static func checkPrograms<Value, Failure: Error>(
    _ trial: Trial<Value, Failure>, count: Int, seed: UInt64?, only program: Program?
  ) throws(Violation) {
    let run = ProgramRun(trial)
    let first = firstSeed(seed)
    let thread = TestThread {
      if let program { run.play(program) } else { run.play(count: max(count, 0), from: first) }
    }
    var last = 0
    while !thread.join(atMost: .seconds(patience)) {
      let (played, current, seed) = run.progress
      if played == last { throw run.hang(current, seed) }
      last = played
    }
    if let violation = run.violation { throw violation }
  }

  /// Where to begin: as the caller says, or somebody who wants to see a failure again.
  static func firstSeed(_ seed: UInt64?) -> UInt64 {
    if let seed { return seed }
    return getenv("FANOUT_SEED").flatMap { UInt64(String(cString: $0)) } ?? 1
  }
}
