// `@unchecked Sendable` invariant: one thread plays and alone uses the trial; the state that
// another thread may read meanwhile is under the lock.

internal import FanoutEngine

/// A run that plays programs one after another, until one shows a difference.
final class ProgramRun<Value, Failure: Error>: @unchecked Sendable {
  typealias Program = DeliveryContract.Program
  typealias Violation = DeliveryContract.Violation

  private struct State {
    var played = 0
    var current = Program(steps: [])
    var seed: UInt64?
    var violation: Violation?
  }

  private let trial: Trial<Value, Failure>
  private let state = Lock(State())

  init(_ trial: Trial<Value, Failure>) { self.trial = trial }

  /// The violation found, if any.
  var violation: Violation? { state.withLock { $0.violation } }

  /// The number of programs begun, and the last of them with its seed.
  var progress: (Int, Program, UInt64?) {
    state.withLock { ($0.played, $0.current, $0.seed) }
  }

  /// Plays one program.
  func play(_ program: Program) {
    guard let difference = difference(program) else { return }
    found(Violation(difference, of: program, seed: nil, trial))
  }

  /// Plays the programs of a range of seeds.
  func play(count: Int, from first: UInt64) {
    for offset in 0..<UInt64(count) {
      let seed = first &+ offset
      let program = Program(seed: seed, trial.vocabulary)
      state.withLock { $0.seed = seed }
      guard let difference = difference(program) else { continue }
      let shortest = program.shortened { self.difference($0) != nil }
      found(Violation(self.difference(shortest) ?? difference, of: shortest, seed: seed, trial))
      return
    }
  }

  /// Makes the violation for a program that does not end.
  func hang(_ program: Program, _ seed: UInt64?) -> Violation {
    Violation(
      summary: "a program does not come to its end", rules: "D11", seed: seed, program: program,
      details: "It has not moved for \(DeliveryContract.patience) seconds. "
        + "Is a lock held while a subscriber is called?",
      test: Violation.test(of: program, seed, trial))
  }

  private func difference(_ program: Program) -> Difference? {
    state.withLock { state in
      state.played += 1
      state.current = program
    }
    return trial.difference(program)
  }

  private func found(_ violation: Violation) { state.withLock { $0.violation = violation } }
}

extension DeliveryContract.Violation {
  fileprivate init<Value, Failure: Error>(
    _ difference: Difference, of program: DeliveryContract.Program, seed: UInt64?,
    _ trial: Trial<Value, Failure>
  ) {
    self.init(
      summary: difference.broken.text, rules: difference.broken.rules, seed: seed,
      program: program, details: "It shows \(difference.when):\n\(difference.logs)",
      test: Self.test(of: program, seed, trial))
  }

  fileprivate static func test<Value, Failure: Error>(
    of program: DeliveryContract.Program, _ seed: UInt64?, _ trial: Trial<Value, Failure>
  ) -> String {
    program.test(
      named: seed.map { "the program of seed \($0)" } ?? "the program", calling: trial.call.text)
  }
}
