import FanoutTestSupport
import TestFixtures
import Testing

/// Lines are parsed as intended, or rejected with a reason.
struct MarblesTests {
  private func read(_ text: String) throws -> String {
    try Marbles(parsing: text).marks.map { "\($0.sign)\($0.tick)" }.joined(separator: " ")
  }

  @Test(arguments: [
    ("", ""), ("---", ""), ("a", "a0"), ("a-b-|", "a0 b2 |4"), ("--#", "#2"), ("|", "|0"),
    ("a-b-(cd)|", "a0 b2 c4 d4 |5"), ("(ab)c", "a0 b0 c1"), ("(a|)", "a0 |0"), ("(#)", "#0"),
    (" a - \n b ", "a0 b2"), ("1é😀", "10 é1 😀2"),
  ])
  func `a valid line is parsed`(text: String, marks: String) throws {
    #expect(try read(text) == marks)
  }

  @Test(arguments: [
    ("a)", 2, "`)` closes no group."), ("(ab", 1, "this group is not closed."),
    ("-(a(b))", 4, "a group can't stand in a group."), ("a()", 3, "this group is empty."),
    ("(a-b)", 3, "no time passes inside a group, so `-` can't stand there."),
    ("a|b", 3, "nothing can follow the end, which is `|`."),
    ("#-", 2, "nothing can follow the end, which is `#`."),
    ("(|a)", 3, "nothing can follow the end, which is `|`."),
    ("|()", 2, "nothing can follow the end, which is `|`."),
    ("-^a", 2, "`^` has no meaning yet."),
  ])
  func `an invalid line is rejected with its column and problem`(
    text: String, column: Int, problem: String
  ) {
    let error = #expect(throws: MarbleError.self) { try Marbles(parsing: text) }
    #expect(error?.column == column)
    #expect(error?.problem == problem)
    #expect(error?.text == text)
    #expect(error?.advice.isEmpty == false)
  }

  @Test func `an error points at its place, also in a text of several lines`() {
    let error = #expect(throws: MarbleError.self) { try Marbles(parsing: "a\nb)c") }
    #expect(
      error?.description == """
        Marbles, column 4: `)` closes no group.
          a b)c
             ^
        Write `(` where it begins, or take this out.
        """)
  }

  @Test func `an invalid line in the source stops the program with the reason`() async {
    #expect(("a-(bc)|" as Marbles).marks.count == 4)
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { _ = "a(b" as Marbles }
    let text = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) }
    #expect(text?.contains("column 2: this group is not closed.") == true)
  }

  @Test func `the description has no white space and no silence at the end`() throws {
    #expect("\(try Marbles(parsing: " a- (bc) -- "))" == "a-(bc)")
    #expect("\(try Marbles(parsing: "(a)-"))" == "a")
    #expect(try Marbles(parsing: "a--") == "a")
    #expect(try Marbles(parsing: "-a") != "a")
  }

  /// Returns a random valid line, made from a seed.
  private func randomMarbles(_ generator: inout SeededChance) -> String {
    var text = ""
    let letters = Array("abcXYZ0189éß€漢😀*!?,.:")
    for _ in 0..<Int.random(in: 0...12, using: &generator) {
      text += String(repeating: "-", count: Int.random(in: 0...3, using: &generator))
      let count = Int.random(in: 1...3, using: &generator)
      let values = (0..<count).map { _ in letters.randomElement(using: &generator) ?? "a" }
      text += count > 1 || Bool.random(using: &generator) ? "(\(String(values)))" : String(values)
      if Int.random(in: 0..<4, using: &generator) == 0 { text += " " }
    }
    let ends = ["", "-", "|", "#", "--|", "(a|)", "(#)", "(bc#)"]
    return text + (ends.randomElement(using: &generator) ?? "")
  }

  @Test(arguments: 0..<20)
  func `parsing a description gives the same marbles`(seed: UInt64) throws {
    var generator = SeededChance(seed: seed)
    for _ in 0..<100 {
      let text = randomMarbles(&generator)
      let marbles = try Marbles(parsing: text)
      #expect(try Marbles(parsing: marbles.description) == marbles, "\(text)")
    }
  }

  @Test(arguments: 0..<20)
  func `marbles that are played and recorded equal the original`(seed: UInt64) throws {
    var generator = SeededChance(seed: seed)
    for _ in 0..<20 {
      let marbles = try Marbles(parsing: randomMarbles(&generator))
      let scheduler = TestScheduler()
      let cold = scheduler.cold(marbles, error: Broken()).record(scheduler: scheduler)
      let hot = scheduler.hot(marbles, error: Broken()).record(scheduler: scheduler)
      try scheduler.run()
      let values = Dictionary(
        marbles.marks.compactMap { mark -> (Character, String)? in
          guard case .value(let character) = mark.sign else { return nil }
          return (character, String(character))
        }, uniquingKeysWith: { first, _ in first })
      #expect(Marbles(cold.timedEvents, values: values) == marbles)
      try hot.expectMarbles(marbles, values: values)
      #expect(cold.violations + hot.violations == [])
    }
  }
}
