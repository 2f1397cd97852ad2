import FanoutContract
import FanoutTestSupport
import TestFixtures
import Testing

struct StressRaceTests {
  private static let rounds: UInt64 = 300

  @Test(arguments: SharedKind.allCases)
  func `D1 D2 D4 D6 D7 D8 D9 D16: shared publishers keep the contract under concurrent threads`(
    kind: SharedKind
  ) {
    for seed in 0..<Self.rounds {
      let problems = StressRound.run(promising: kind.promise, seed: seed) { kind.make() }
      guard problems.isEmpty else {
        Issue.record("\(kind): \(problems.joined(separator: "\n"))")
        return
      }
    }
  }

  @Test(arguments: FaultySubject.Mistake.found)
  func `concurrent threads find a planted mistake`(mistake: FaultySubject.Mistake) {
    let found = (0..<2000).first { seed in
      !StressRound.run(
        promising: FaultySubject.promise, seed: UInt64(seed), isSlow: false, ends: false
      ) { FaultySubject(mistake) }.isEmpty
    }
    #expect(found != nil)
  }
}
