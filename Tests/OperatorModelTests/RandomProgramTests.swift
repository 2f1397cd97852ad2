internal import OperatorModel
internal import Testing

/// Fanout's operators behave like the reference, in random chains.
struct RandomProgramTests {
  @Test(arguments: 0..<4)
  func `D1 D7 D8 D9 D14 O2 O6 Q1 Q2 Q3 Q4 Q5 Q6: random chains of operators match the reference`(
    quarter: UInt64
  ) throws {
    let count = programCount(12_000) / 4
    let first = firstSeed + quarter * count
    try ProgramPlayer().play(seeds: first..<first + count)
  }

  @Test func `the programs that find the planted faults find none in Fanout's operators`() throws {
    try ProgramPlayer { FanoutWorkshop(planting: { _ in nil }) }.play(seeds: 1..<500)
  }
}
