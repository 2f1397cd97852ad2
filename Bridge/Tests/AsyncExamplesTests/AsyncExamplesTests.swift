import Testing

@testable import AsyncExamples

/// What the examples print, which is what `swift run AsyncExamples` prints.
@Suite(.timeLimit(.minutes(30)))
struct AsyncExamplesTests {
  @Test func `debounce on values keeps the last text`() async {
    #expect(await AsyncExamples.searchWhenTypingStops() == ["search for swift"])
  }

  @Test func `merge of values has all values of both`() async {
    #expect(
      await AsyncExamples.mergeTwoSources()
        == ["merged, then sorted: [1, 2, 3, 10, 11, 12]"])
  }

  @Test func `chunked(by:) on values groups what a newcomer gets`() async {
    #expect(
      await AsyncExamples.groupFramesByPicture()
        == ["group [20, 21, 22]", "group [30, 31]"])
  }

  @Test func `chunks(ofCount:) on values packs what is left, too`() async {
    #expect(
      await AsyncExamples.packValues()
        == ["pack [1, 2, 3]", "pack [4, 5, 6]", "pack [7]"])
  }
}
