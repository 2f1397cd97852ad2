internal import TermsModel
internal import TestThreads
internal import Testing

/// A shared publisher behaves like the reference, in random programs over all terms.
struct RandomTermsTests {
  @Test
  func `B1 to B7, D6, D8 to D10, D16, L1 to L5, L8, L9: subscribers get what the model says`() {
    for seed in seeds(400) {
      var author = Author(seed: seed)
      let program = author.write()
      guard program.difference != nil else { continue }
      let short = program.shortened { $0.difference != nil }
      let difference = short.difference?.description ?? ""
      Issue.record("FANOUT_SEED=\(seed), FANOUT_PROGRAMS=1: \(difference)\n\(short)")
      return
    }
  }
}
