#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

extension DeliveryContract {
  /// Plays one program, or as many random ones as were asked for, on what is under test and on the
  /// model, and throws the shortest that makes a difference.
  static func checkPrograms<Value, Failure: Error>(
    _ trial: Trial<Value, Failure>, count: Int, seed: UInt64?, only program: Program?
  ) throws(Violation) {
    if let program {
      guard let difference = trial.difference(program) else { return }
      throw Violation(difference, of: program, seed: nil, trial)
    }
    let first = seed ?? environmentSeed ?? 1
    for offset in 0..<UInt64(max(count, 0)) {
      let seed = first &+ offset
      let program = Program(seed: seed, trial.vocabulary)
      guard let difference = trial.difference(program) else { continue }
      let shortest = program.shortened { trial.difference($0) != nil }
      throw Violation(trial.difference(shortest) ?? difference, of: shortest, seed: seed, trial)
    }
  }

  /// Where to begin, if somebody who wants to see a failure again says so.
  private static var environmentSeed: UInt64? {
    guard let text = getenv("FANOUT_SEED") else { return nil }
    return UInt64(String(cString: text))
  }
}

extension DeliveryContract.Violation {
  fileprivate init<Value, Failure: Error>(
    _ difference: Difference, of program: DeliveryContract.Program, seed: UInt64?,
    _ trial: Trial<Value, Failure>
  ) {
    self.init(
      summary: difference.broken.text, rules: difference.broken.rules, seed: seed,
      program: program, details: "It shows \(difference.when):\n\(difference.logs)",
      test: program.test(
        named: seed.map { "the program of seed \($0)" } ?? "the program", calling: trial.call.text))
  }
}
