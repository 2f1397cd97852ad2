internal import FanoutTestSupport

#if canImport(Dispatch)
  internal import Dispatch
#endif

extension DeliveryContract {
  /// The number of seconds without progress after which a program counts as hanging.
  @TaskLocal package static var patience = 60

  /// Plays one program, or a number of random ones, on the publisher under test and on the model,
  /// and throws the shortest program that shows a difference.
  ///
  /// The programs run on a thread of their own, so that a program that hangs is reported rather
  /// than waited for. On a platform without Dispatch they run on this thread.
  static func checkPrograms<Value, Failure: Error>(
    _ trial: Trial<Value, Failure>, count: Int, seed: UInt64?, only program: Program?
  ) throws(Violation) {
    let run = ProgramRun(trial)
    let first = firstSeed(seed)
    let play: @Sendable () -> Void = {
      if let program { run.play(program) } else { run.play(count: max(count, 0), from: first) }
    }
    #if canImport(Dispatch)
      let thread = TestThread(play)
      var last = 0
      while !thread.join(atMost: .seconds(patience)) {
        let (played, current, seed) = run.progress
        if played == last { throw run.hang(current, seed) }
        last = played
      }
    #else
      play()
    #endif
    if let violation = run.violation { throw violation }
  }

  /// Returns the first seed: the caller's, the value of the environment variable `FANOUT_SEED`, or
  /// 1.
  static func firstSeed(_ seed: UInt64?) -> UInt64 {
    if let seed { return seed }
    return LeakSanitizer.setting("FANOUT_SEED").flatMap { UInt64($0) } ?? 1
  }
}
