import FanoutContract
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

struct StressRaceTests {
  @Test(arguments: SharedKind.allCases)
  func `D1 D2 D4 D6 D7 D8 D9 D16: shared publishers keep the contract under concurrent threads`(
    kind: SharedKind
  ) {
    for seed in 0..<UInt64(rounds(40)) {
      let problems = StressRound.run(promising: kind.promise, seed: seed) { kind.make() }
      guard problems.isEmpty else {
        Issue.record("\(kind): \(problems.joined(separator: "\n"))")
        return
      }
    }
  }

  // Chance decides whether threads meet a mistake, so only a search plays this. The explorer finds each
  // of these mistakes in every run.
  @Test(.enabled(if: rounds(100) > 100), arguments: FaultySubject.Mistake.found)
  func `concurrent threads find a planted mistake`(mistake: FaultySubject.Mistake) {
    let found = (0..<rounds(2000)).first { seed in
      !StressRound.run(
        promising: FaultySubject.promise, seed: UInt64(seed), isSlow: false, ends: false
      ) { FaultySubject(mistake) }.isEmpty
    }
    #expect(found != nil)
  }
}
