internal import Fanout

extension DeliveryContract {
  /// Runs crowds of threads on subjects of numbers.
  static func checkThreads<Base: Subject>(
    _ name: String, rounds: Int, seed: UInt64?, promising promise: Promise,
    value: @escaping @Sendable (Int) -> Base.Output,
    number: @escaping @Sendable (Base.Output) -> Int, _ makeSubject: () -> Base
  ) throws(Violation) {
    func make() -> NumberedSubject<Base> {
      NumberedSubject(makeSubject(), value: value, number: number)
    }
    for offset in 0..<UInt64(max(rounds, 0)) {
      let seed = firstSeed(seed) &+ offset
      let problems = StressRound.run(promising: promise, seed: seed) { make() }
      guard problems.isEmpty else {
        throw Violation(
          summary: "several threads at once are not served as the contract says",
          rules: "D1 D2 D4 D6 D7 D8 D9 D16", seed: seed, program: nil,
          details: "The crowd of seed \(seed), in this run:\n"
            + problems.joined(separator: "\n"), test: "")
      }
    }
  }
}
