import FanoutTestSupport
import TestThreads
import Testing

@testable import FanoutEngine

struct StalledReceiversTests {
  @Test(arguments: seeds(20))
  func `the window is the greatest of those that slide, whoever comes and goes`(seed: UInt64) {
    var chance = SeededChance(seed: seed)
    var stalled = StalledReceivers()
    var counts: [Int] = []
    for _ in 0..<300 {
      if Bool.random(using: &chance), let place = counts.indices.randomElement(using: &chance) {
        stalled.changeSliding(by: -1, count: counts.remove(at: place))
      } else {
        counts.append(Int.random(in: 1...9, using: &chance))
        stalled.changeSliding(by: 1, count: counts[counts.count - 1])
      }
      #expect(stalled.windows.reduce(0) { $0 + $1.receivers } == counts.count)
      #expect(stalled.window == counts.max() ?? 0)
      #expect(stalled.windows.map(\.count) == Set(counts).sorted())
    }
  }
}
