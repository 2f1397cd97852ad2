import Foundation
import NIOCore
import NIOEmbedded
import Testing

@testable import LiveBoard

@Suite(.timeLimit(.minutes(30)))
struct SnapshotTests {
  @Test("An event stream gets the snapshot that is being sent, and then what has changed since")
  func older() async throws {
    try await RunningService.with { service in
      try await service.makeBoard()
      let first = try await service.add("one")
      let held = try #require(try await service.service.boards.snapshots.text(of: "b"))
      _ = try await service.add("two")
      var stream = try await service.stream()
      let start = try await stream.events(upTo: "live")
      #expect(start.map(\.name) == ["snapshot", "change", "live"])
      #expect(start.first?.id == first.position)
      #expect(start.flatMap(\.texts) == ["one", "two"])
      #expect(service.metric("liveboard_snapshots_made_total") == 1)
      withExtendedLifetime(held) {}
    }
  }

  @Test("A snapshot that is told in place of what is missing lies behind the id of the browser")
  func notBefore() async throws {
    try await RunningService.with { service in
      try await service.makeBoard()
      _ = try await service.add("one")
      let snapshots = service.service.boards.snapshots
      let held = try #require(try await snapshots.text(of: "b"))
      let second = try await service.add("two")
      let position = try #require(Position(second.position))
      let reading = Task { try await snapshots.text(of: "b", notBefore: position)?.position }
      held.withdraw()
      #expect(try await reading.value == position)
    }
  }

  @Test("A request gets the newest state, and a snapshot that is sent for too long is cut off")
  func current() async throws {
    try await RunningService.with { service in
      try await service.makeBoard()
      let feed = service.service.boards.feed
      for number in 0..<800 {
        let text = "\(number) " + String(repeating: "x", count: 900)
        let item = Item(id: Item.makeID(), text: text, column: .todo, rank: 0)
        _ = try await feed.append(.add(item), isRanked: true, to: "b")
      }
      // More than the buffers of a connection hold.
      let deaf = try await TestConnection.open(service.port)
      try await deaf.channel.setOption(.autoRead, value: false).get()
      try await deaf.send(.GET, "/api/boards/b")
      try await until { service.metric("liveboard_snapshots_made_total") == 1 }
      let last = try await service.add("last")
      var state = try await service.request(.GET, "/api/boards/b")
      // The deaf one may have taken a piece just now.
      while state.status == 503 { state = try await service.request(.GET, "/api/boards/b") }
      #expect(state["position"] == last.position)
      #expect(service.metric("liveboard_snapshots_withdrawn_total") == 1)
      try await deaf.channel.setOption(.autoRead, value: true).get()
      deaf.channel.read()
      await #expect(throws: ConnectionEnded.self) { try await deaf.response() }
    }
  }

  @Test("Readers that come at the same time wait for one snapshot")
  func oneSnapshot() async throws {
    try await RunningService.with { service in
      try await service.makeBoard()
      for number in 0..<50 { _ = try await service.add("\(number)") }
      let snapshots = service.service.boards.snapshots
      let texts = try await withThrowingTaskGroup(of: SnapshotText?.self) { group in
        for number in 0..<100 {
          group.addTask { try await snapshots.text(of: "b", isCurrent: number.isMultiple(of: 2)) }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(Set(texts.compactMap { $0.map(ObjectIdentifier.init) }).count == 1)
      #expect(service.metric("liveboard_snapshots_made_total") == 1)
    }
  }

  @Test("Beyond the bytes for all, the snapshots that are sent for longest are cut off")
  func bytes() async throws {
    try await RunningService.with { service in
      let store = service.service.boards.store
      for id in ["a", "b", "c"] {
        try await service.makeBoard(id)
        _ = try await service.add("one", to: id)
      }
      let probe = try #require(try await SharedSnapshots(store: store, limit: 0).text(of: "a"))
      // Their positions are not equally long.
      let snapshots = SharedSnapshots(store: store, limit: 2 * probe.length + probe.length / 2)
      let one = try #require(try await snapshots.text(of: "a"))
      let two = try #require(try await snapshots.text(of: "b"))
      #expect(!one.isWithdrawn)
      let three = try #require(try await snapshots.text(of: "c"))
      #expect([one, two, three].map(\.isWithdrawn) == [true, false, false])
      #expect(throws: SnapshotText.Withdrawn.self) { try one.piece(0) }
      // What is cut off comes back to a new one.
      #expect(try await snapshots.text(of: "a")?.isWithdrawn == false)
    }
  }

  @Test("A snapshot is the JSON of a board")
  func json() async throws {
    let board = Board(id: "b", title: #"A "board" / é"#)
    let items = [
      Item(id: "1", text: "one\n\"two\"", column: .todo, rank: 1),
      Item(id: "2", text: "😀", column: .done, rank: 2.5),
    ]
    let position = try #require(Position("000000000001aaaaaaaa-7-0"))
    for items in [items, []] {
      let text = await SnapshotText(Snapshot(board: board, position: position, items: items))
      var bytes = try text.piece(0)
      let data = Data(bytes.readBytes(length: bytes.readableBytes) ?? [])
      struct Read: Decodable {
        let board: Board
        let position: String
        let items: [Item]
      }
      let read = try JSONDecoder().decode(Read.self, from: data)
      #expect(read.board == board && read.items == items)
      #expect(read.position == position.description)
    }
  }

  @Test(
    "An item is the JSON of JSONEncoder",
    arguments: ["plain", "", "\"\\/", "line\nend\r\ttab\u{1}\u{1f}", "é 漢 😀 \u{7f}\u{2028}"])
  func item(text: String) throws {
    for rank in [0, 1, -1, 2.5, 1e12, -1e-12, 0.1, 1e-300] {
      let item = Item(id: "a\"b", text: text, column: .doing, rank: rank)
      let read = try JSONDecoder().decode(Item.self, from: Data(JSON.bytes(item)))
      #expect(read == item)
    }
  }
}
