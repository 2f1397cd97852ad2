import Foundation
import GRDB
import Logging
import Testing

@testable import LiveBoard

@Suite(.timeLimit(.minutes(30)))
struct StartTests {
  private let folder = TemporaryFolder()

  /// The error with which a service does not start.
  private func error(
    _ path: String, options change: (inout Options) -> Void = { _ in }
  ) async -> String? {
    var options = Options()
    options.port = 0
    options.database = path
    change(&options)
    do {
      let running = try await RunningService.start(options)
      try await running.stop()
      return nil
    } catch {
      return "\(error)"
    }
  }

  private func expectLine(_ text: String?, _ parts: String...) {
    #expect(text?.contains("\n") == false, "\(text ?? "it started")")
    for part in parts { #expect(text?.contains(part) == true, "\(text ?? "it started")") }
  }

  @Test("A file that is no database is told in one line, and stays as it is")
  func damaged() async throws {
    let path = folder.path("board.sqlite")
    let file = URL(fileURLWithPath: path)
    for bytes in [
      Data("some text, longer than a head".utf8), Data((0..<8_192).map { UInt8($0 % 251) }),
    ] {
      try bytes.write(to: file)
      expectLine(await error(path), path, "is no database", "Restore a backup")
      #expect(try Data(contentsOf: file) == bytes)
    }
  }

  @Test("A database with damaged pages does not start")
  func damagedPages() async throws {
    let path = folder.path("board.sqlite")
    do {
      let store = try Store(path: path)
      let board = Board(id: "b", title: "b")
      #expect(try await store.insert(board, epoch: .now))
      let feed = EmbeddedFeed(store: store)
      for number in 0..<400 {
        let item = Item(id: "item \(number)", text: "text", column: .todo, rank: 0)
        _ = try await feed.append(.add(item), isRanked: true, to: "b")
      }
      try store.database.close()
    }
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    for start in stride(from: 4_096 * 2, to: bytes.count, by: 4_096) {
      bytes.replaceSubrange(start..<start + 64, with: Data(repeating: 0xa5, count: 64))
    }
    try bytes.write(to: URL(fileURLWithPath: path))
    expectLine(await error(path), path, "is damaged")
  }

  @Test("The database of another program is told in one line")
  func foreign() async throws {
    let path = folder.path("board.sqlite")
    let database = try DatabaseQueue(path: path)
    try await database.write { try $0.execute(sql: "CREATE TABLE boards (name TEXT)") }
    try database.close()
    expectLine(await error(path), path, "another program")
  }

  @Test("A place where no database can be made is told in one line")
  func noPlace() async throws {
    expectLine(await error("/proc/none/board.sqlite"), "/proc/none", "--database")
    let path = folder.path("folder")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    expectLine(await error(path), path, "--database")
  }

  @Test("A port that is taken, and an address that is not here, are told in one line")
  func port() async throws {
    try await RunningService.with { service in
      expectLine(
        await error(folder.path("a.sqlite")) { $0.port = service.port }, "\(service.port)",
        "is taken", "--port")
      expectLine(
        await error(folder.path("b.sqlite")) { $0.monitoringPort = service.port },
        "\(service.port)", "is taken", "--monitoring-port")
    }
    expectLine(await error(folder.path("c.sqlite")) { $0.host = "192.0.2.1" }, "--host")
  }

  @Test("A second service on a database is told to use Redis, until the first has ended")
  func twice() async throws {
    let path = folder.path("board.sqlite")
    try await RunningService.with(options: { $0.database = path }) { _ in
      expectLine(await error(path), path, "--redis")
    }
    // Connections that are being closed retain the database a little longer than the service runs.
    while let told = await error(path) { expectLine(told, path, "--redis") }
  }

  @Test("A database that was put back begins new epochs, so that ids behind its end are told")
  func restored() async throws {
    let (path, copy) = (folder.path("board.sqlite"), folder.path("copy.sqlite"))
    var last = ""
    try await RunningService.with(options: { $0.database = path }) { service in
      try await service.makeBoard()
      _ = try await service.add("one")
      try service.service.boards.store.database.backup(to: DatabaseQueue(path: copy))
      for text in ["two", "three"] { last = try await service.add(text).position }
    }
    for isNew in [false, true] {
      let restored = folder.path("restored \(isNew).sqlite")
      try FileManager.default.copyItem(atPath: copy, toPath: restored)
      try await RunningService.with(
        options: {
          $0.database = restored
          $0.beginsEpochs = isNew
        }
      ) { service in
        if !isNew { for text in ["other", "more"] { _ = try await service.add(text) } }
        var stream = try await service.stream(after: last)
        let start = try await stream.events(upTo: "live").map(\.name)
        #expect(start == (isNew ? ["missed", "snapshot", "live"] : ["live"]))
      }
    }
  }
}
