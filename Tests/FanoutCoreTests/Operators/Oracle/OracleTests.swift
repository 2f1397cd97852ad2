import FanoutCore
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// Each synchronous operator against a function over an array, in random programs.
struct OracleTests {
  private static func firstDifference(_ tested: OracleCase, _ seeds: Range<UInt64>) -> String? {
    for seed in seeds {
      if let difference = tested.difference(seed) { return "FANOUT_SEED=\(seed): \(difference)" }
    }
    return nil
  }

  @Test(arguments: OracleCase.all)
  func `D7 D8 D9: an operator agrees with a function over an array`(tested: OracleCase) {
    let difference = Self.firstDifference(tested, OracleProgram.seeds)
    if let difference { Issue.record("\(tested.name), \(difference)") }
  }

  @Test func `D7 D8 D9: chains of three operators agree with functions over an array`() {
    let parts = OracleCase.all.compactMap { tested in tested.chained.map { (tested.name, $0) } }
    for seed in seeds(300) {
      var chance = SeededChance(seed: seed)
      let chosen = (0..<3).compactMap { _ in parts.randomElement(using: &chance) }
      let name = chosen.map(\.0).joined(separator: ", ")
      let chain = chosen[1].1.followed(by: chosen[2].1)
      let tested = OracleCase(name, chosen[0].1.followed(by: chain))
      guard let difference = tested.difference(seed) else { continue }
      Issue.record("\(name), FANOUT_SEED=\(seed): \(difference)")
      return
    }
  }

  @Test(arguments: PlantedFault.allCases)
  func `the programs find a planted fault`(fault: PlantedFault) {
    let tested = OracleCase("with a fault") { upstream in
      Planting(upstream: upstream, fault: fault)
    } oracle: {
      Outcome($0.values, $0.end)
    }
    #expect((Self.firstDifference(tested, 1..<301) == nil) == (fault == .none))
  }
}
