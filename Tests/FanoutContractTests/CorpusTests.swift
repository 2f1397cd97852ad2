import FuzzedPrograms
import Testing

/// The programs that the fuzzer has found worth keeping, each once.
struct CorpusTests {
  @Test func `D1 to D10, D12, D13, D16, D17: every program of the fuzzer's corpus passes`() throws {
    let corpus = try inputs(in: "Corpus")
    #expect(!corpus.isEmpty)
    for input in corpus {
      do {
        try play(input.bytes)
      } catch {
        Issue.record("Fuzz/Corpus/\(input.name): \(error)")
      }
    }
  }
}
