internal import FuzzedPrograms
internal import OperatorModel
internal import Testing

/// The chains of operators that the fuzzer has found worth keeping, each once.
struct CorpusTests {
  @Test func `Q1 to Q6, D1, D7, D8, D9: every chain of the fuzzer's corpus does as the reference`()
    throws
  {
    let corpus = try inputs(in: "CorpusOfOperators")
    #expect(!corpus.isEmpty)
    for input in corpus {
      var choices = ByteChoices(input.bytes)
      do {
        try ProgramPlayer().play(Program(by: &choices))
      } catch {
        Issue.record("Fuzz/CorpusOfOperators/\(input.name): \(error)")
      }
    }
  }
}
