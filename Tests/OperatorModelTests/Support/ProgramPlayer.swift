// `@unchecked Sendable` invariant: one thread plays; the state that another thread reads meanwhile
// is under the lock.

internal import Dispatch
import FanoutContract
internal import FanoutEngine
internal import FanoutTestSupport
internal import OperatorModel
internal import TestThreads
internal import Testing

/// A program whose result differs from the reference's, shortened as far as possible.
struct Finding: Error, CustomStringConvertible {
  let seed: UInt64?
  let program: Program
  let text: String

  var description: String {
    let name = seed.map { "the program of FANOUT_SEED=\($0)" } ?? "the program"
    return "\(name) goes wrong \(text)\n\nAs a test:\n\n\(program.test(named: name))"
  }
}

/// A player that runs programs on a thread of its own, so that a program that hangs is reported
/// rather than waited for.
final class ProgramPlayer: @unchecked Sendable {
  private struct State {
    var played = 0
    /// The number of programs played, with those that shorten one; it grows as long as nothing
    /// hangs.
    var tried = 0
    var current: Program?
    var finding: Finding?
  }

  private let makeWorkshop: @Sendable () -> any Workshop
  private let state = Lock(State())

  init(_ makeWorkshop: @escaping @Sendable () -> any Workshop = { FanoutWorkshop() }) {
    self.makeWorkshop = makeWorkshop
  }

  /// The number of programs begun, without those played to shorten one.
  var played: Int { state.withLock { $0.played } }

  /// Plays one program.
  func play(_ program: Program) throws(Finding) {
    try run { self.check(program, seed: nil) }
  }

  /// Plays the programs of a range of seeds, until one fails.
  func play(seeds: Range<UInt64>) throws(Finding) {
    try run {
      for seed in seeds {
        var chance = Chance(SeededChance(seed: seed))
        if !self.check(Program(by: &chance), seed: seed) { return }
      }
    }
  }

  private func run(_ body: @escaping @Sendable () -> Void) throws(Finding) {
    let thread = TestThread(body)
    var last = -1
    while !thread.join(atMost: .seconds(600)) {
      let now = state.withLock { $0 }
      if now.tried == last, let program = now.current {
        throw Finding(seed: nil, program: program, text: "because it does not come to its end")
      }
      last = now.tried
    }
    if let finding = state.withLock({ $0.finding }) { throw finding }
  }

  /// Plays a program, and shortens it if it fails; returns whether it passes.
  @discardableResult
  private func check(_ program: Program, seed: UInt64?) -> Bool {
    state.withLock { $0.played += 1 }
    guard let difference = difference(program) else { return true }
    let short = shortest(program, by: Program.shortenings) { self.difference($0) != nil }
    let finding = Finding(
      seed: seed, program: short, text: (self.difference(short) ?? difference).description)
    state.withLock { $0.finding = finding }
    return false
  }

  private func difference(_ program: Program) -> Difference? {
    state.withLock { state in
      state.tried += 1
      state.current = program
    }
    return program.difference(with: makeWorkshop())
  }
}

/// Plays a program as a finding prints it, and records its difference from the reference.
func expectAsReference(_ program: Program) throws {
  try ProgramPlayer().play(program)
}
