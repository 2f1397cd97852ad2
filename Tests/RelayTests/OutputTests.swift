import Testing

@testable import relay

struct OutputTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  @Test func `files have their names only when all is well`() throws {
    let path = folder.path("out")
    do {
      let output = try OutputFolder(path: path)
      try output.file(named: "a").write([1, 2, 3])
      #expect(TestFolder.names(in: path) == ["a.part"])
      try output.commit()
    }
    #expect(TestFolder.names(in: path) == ["a"])
    #expect(try bytes(at: path + "/a") == [1, 2, 3])
    _ = folder.path("out/a")
  }

  @Test func `what is not committed leaves nothing, not even the folders made for it`() throws {
    let path = folder.path("out")
    do {
      let output = try OutputFolder(path: path + "/deep/er")
      try output.file(named: "a").write([1])
      #expect(TestFolder.names(in: path + "/deep") == ["er"])
    }
    #expect(TestFolder.names(in: path).isEmpty)
    #expect(throws: RelayError.missing(path)) { try ByteFile(path: path) }
  }

  @Test func `a temporary folder goes with its last owner`() throws {
    var path = ""
    do {
      let output = try OutputFolder()
      path = output.path
      try output.file(named: "a").write([1])
      try output.commit()
      #expect(TestFolder.names(in: path) == ["a"])
    }
    #expect(throws: RelayError.missing(path)) { try ByteFile(path: path) }
  }

  @Test func `a file cannot be the output folder, nor hold it`() throws {
    let path = try folder.file([1])
    #expect(throws: RelayError.self) { try OutputFolder(path: path) }
    #expect(throws: RelayError.self) { try OutputFolder(path: path + "/deeper") }
    #expect(try bytes(at: path) == [1])
  }
}
