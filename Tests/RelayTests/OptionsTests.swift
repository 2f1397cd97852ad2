import Testing

@testable import relay

struct OptionsTests {
  @Test func `nothing asked for is the sample`() throws {
    #expect(try Options(arguments: []) == Options())
  }

  @Test(arguments: [
    ["a.h264", "--output", "out", "--verify"], ["--verify", "--output=out", "a.h264"],
    ["--output", "out", "--verify", "--", "a.h264"],
  ])
  func `options stand in any order`(arguments: [String]) throws {
    var expected = Options()
    expected.path = "a.h264"
    expected.output = "out"
    expected.verifies = true
    #expect(try Options(arguments: arguments) == expected)
  }

  @Test func `the slow viewer`() throws {
    var expected = Options()
    expected.showsSlowViewer = true
    #expect(try Options(arguments: ["--slow-viewer"]) == expected)
  }

  @Test func `a name may begin with a dash behind two dashes`() throws {
    #expect(try Options(arguments: ["--", "-a"]).path == "-a")
  }

  @Test(arguments: ["--help", "-h"])
  func `help`(argument: String) throws {
    #expect(try Options(arguments: [argument]).showsHelp)
  }

  @Test(arguments: [
    (["--fast"], "there is no option --fast"), (["-v"], "there is no option -v"),
    (["-"], "there is no option -"), (["a", "b"], "one file at a time, not a and b"),
    (["--output"], "--output needs the name of a folder"),
    (["--output="], "--output needs the name of a folder"),
    (["--output", "--verify"], "--output needs the name of a folder"),
  ])
  func `wrong options are usage errors`(arguments: [String], problem: String) {
    #expect(throws: RelayError.usage(problem)) { try Options(arguments: arguments) }
    #expect(RelayError.usage(problem).exitCode == 64)
  }

  @Test(
    arguments: [
      (.usage("x"), 64), (.unusableOutput("x", reason: "y"), 64), (.missing("x"), 66),
      (.folder("x"), 66), (.unreadable("x", reason: "y"), 66), (.empty("x"), 66),
      (.noStartCode("x"), 66), (.noPicture("x"), 66), (.foreign("x", .mp4), 66),
      (.undecodable, 70), (.tooSlow, 70),
      (.unfinished("share()"), 70), (.unwritten("x", reason: "y"), 74),
    ] as [(RelayError, Int32)])
  func `every error is one line with its exit code`(error: RelayError, code: Int32) {
    #expect(error.exitCode == code)
    #expect(!error.message.contains("\n"))
  }
}
