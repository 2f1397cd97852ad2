import Testing

@testable import relay

struct RelayRunTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  @Test func `the sample's table`() throws {
    let lines = try run()
    #expect(lines.first == "The sample, testsrc.h264: 200 frames, 4 keyframes.")
    let start = try #require(lines.firstIndex { $0.hasPrefix("mode ") })
    #expect(
      lines[start...].joined(separator: "\n") == """
        mode            viewer  joined at  first frame  received  replayed  starts on keyframe  file read
        --------------  ------  ---------  -----------  --------  --------  ------------------  ---------
        unshared             1          0            0       200   own run  yes                 3 times
                             2         66            0       200   own run  yes
                             3        133            0       200   own run  yes
        share()              1          0            0       200         0  yes                 once
                             2         66           66       134         0  no
                             3        133          133        67         0  no
        .latest              1          0            0       200         0  yes                 once
                             2         66           65       135         1  no
                             3        133          132        68         1  no
        .sinceKeyframe       1          0            0       200         0  yes                 once
                             2         66           50       150        16  yes
                             3        133          100       100        33  yes
        .all                 1          0            0       200         0  yes                 once
                             2         66            0       200        66  yes
                             3        133            0       200       133  yes

        """)
    #expect(lines.allSatisfy { $0.count <= 100 })
  }

  @Test func `the sample's timeline`() throws {
    let lines = try run()
    let start = try #require(lines.firstIndex { $0.contains(".sinceKeyframe") })
    #expect(
      lines[start + 2...start + 3].joined(separator: "\n") == """
          viewer 2   k..................K=====>-------------K-------------------K-------------------
          viewer 3   k..................k...................K============>------K-------------------
        """)
  }

  @Test func `each viewer's bytes are written`() throws {
    let output = folder.path("out")
    try #expect(run("--output", output).contains("What each viewer received lies in \(output)."))
    let names = TestFolder.names(in: output)
    #expect(names.count == 15)
    let written = try Dictionary(
      uniqueKeysWithValues: names.map { ($0, try bytes(at: folder.path("out/" + $0))) })
    let sample = try sampleBytes()
    #expect(written["unshared-viewer1.h264"] == sample)
    #expect(written["all-viewer3.h264"] == sample)
    let late = try #require(written["sinceKeyframe-viewer2.h264"])
    #expect(accessUnits(of: Stream(bytes: late)).units.map(\.isKeyframe).firstIndex(of: true) == 0)
    #expect(sample.suffix(late.count) == late[...])
  }

  @Test func `bad input writes nothing`() throws {
    let output = folder.path("out")
    let empty = try folder.file([])
    #expect(throws: RelayError.empty(empty)) { try run(empty, "--output", output) }
    #expect(throws: RelayError.missing(output)) { try ByteFile(path: output) }
  }

  @Test func `help is printed, whatever else is asked`() throws {
    try #expect(run("--help", "/nowhere").contains { $0.hasPrefix("usage: relay [FILE]") })
  }

  @Test func `without ffmpeg nothing is verified, and a line says so`() throws {
    try #expect(
      run("--verify").contains("Nothing is verified: there is no ffmpeg on the search path."))
    #expect(FFmpeg(program: "no-such-program") == nil)
  }

  @Test(.enabled("needs ffmpeg") { FFmpeg() != nil })
  func `a keyframe viewer decodes from its first frame, a plain share viewer does not`() throws {
    let lines = try run("--verify", ffmpeg: FFmpeg())
    let start = try #require(lines.firstIndex { $0.hasPrefix("Decoded by ffmpeg") })
    let rows = lines[(start + 4)...].filter { !$0.isEmpty }.map { $0.dropFirst(24) }
    let decoded = [
      "200 of 200", "200 of 200", "200 of 200", "200 of 200", "100 of 134", "  50 of 67",
      "200 of 200", "100 of 135", "  50 of 68", "200 of 200", "150 of 150", "100 of 100",
      "200 of 200", "200 of 200", "200 of 200",
    ]
    #expect(rows.map { String($0.prefix(10)) } == decoded)
    #expect(rows[4].hasSuffix("joined between keyframes: 66-99 need frames it missed"))
    #expect(rows[10].hasSuffix(" 0  starts on a keyframe"))
  }

  @Test func `the slow viewer's table`() throws {
    let plain = try run()
    let lines = try run("--slow-viewer")
    #expect(lines.starts(with: plain.dropLast()))
    let start = try #require(lines.firstIndex { $0.hasPrefix("backlog ") })
    #expect(
      lines[start...].joined(separator: "\n") == """
        backlog       received  missed  frames behind  starts on keyframe  end
        ------------  --------  ------  -------------  ------------------  ------------------------
        .unbounded         208       0      up to 102  1 of 1              finished
        .dropOldest        119      89       up to 18  1 of 87             finished
        .dropNewest        119      89       up to 34  1 of 87             finished
        .rejoin            130      78       up to 32  4 of 4              finished
        .wait              208       0       up to 16  1 of 1              finished
        .customError        30       1       up to 32  1 of 1              failed, 172 frames early

        A start is the first frame, and the first one after each gap.

        """)
    let rejoin = try #require(lines.firstIndex { $0.contains("whenFull: .rejoin") })
    #expect(
      lines[rejoin + 1] == """
          slow       K--------:.........K---------..........K--------:.........K-------------------
        """)
    #expect(lines.allSatisfy { $0.count <= 100 })
  }

  @Test func `the slow viewer's bytes are written`() throws {
    let output = folder.path("out")
    _ = try run("--slow-viewer", "--output", output)
    let names = TestFolder.names(in: output).map { folder.path("out/" + $0) }
    #expect(names.count == 21)
    for mode in BacklogMode.allCases {
      let path = folder.path("out/slow-\(mode.rawValue).h264")
      #expect(names.contains(path))
      if mode == .unbounded || mode == .wait { #expect(try bytes(at: path) == sampleBytes()) }
    }
  }

  @Test(.enabled("needs ffmpeg") { FFmpeg() != nil })
  func `a slow viewer decodes unless its backlog drops frames`() throws {
    let lines = try run("--slow-viewer", "--verify", ffmpeg: FFmpeg())
    let start = try #require(lines.firstIndex { $0.hasPrefix("The slow viewer:") })
    let rows = lines[(start + 4)...].filter { !$0.isEmpty }
    #expect(rows.count == 6)
    for (row, mode) in zip(rows, BacklogMode.allCases) {
      #expect(row.hasPrefix(mode.shortName))
      #expect(row.contains("       0  starts") == mode.promisesDecoding)
      #expect(row.contains("went on between keyframes 86 times") == !mode.promisesDecoding)
    }
  }
}
