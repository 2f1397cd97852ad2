internal import OperatorModel
internal import TestThreads
internal import Testing

/// Fanout's operators behave like the reference, in random chains.
struct RandomProgramTests {
  @Test(arguments: 0..<4)
  func `D1 D7 D8 D9 D14 O2 O6 Q1 Q2 Q3 Q4 Q5 Q6: random chains of operators match the reference`(
    quarter: UInt64
  ) throws {
    let all = seeds(3_000)
    let count = UInt64(all.count) / 4
    let first = all.lowerBound + quarter * count
    try ProgramPlayer().play(seeds: first..<(quarter == 3 ? all.upperBound : first + count))
  }

  @Test func `the programs that find the planted faults find none in Fanout's operators`() throws {
    try ProgramPlayer { FanoutWorkshop(planting: { _ in nil }) }.play(seeds: 1..<500)
  }
}
