import FanoutTestSupport
import Foundation
import Testing

@testable import LiveBoard

@Suite(.timeLimit(.minutes(30)))
struct EventStreamTests {
  @Test("A browser that comes late gets the snapshot, and then the changes")
  func late() async throws {
    try await RunningService.with { service in
      try await service.makeBoard()
      let first = try await service.add("one")
      var stream = try await service.stream()
      let start = try await stream.events(2)
      #expect(start.map(\.name) == ["snapshot", "live"])
      #expect(start.first?.id == first.position)
      #expect(start.first?.texts == ["one"])
      let second = try await service.add("two")
      let change = try await stream.next()
      #expect(change?.id == second.position)
      #expect(change?.texts == ["two"])
      try await service.request(.DELETE, "/api/boards/b/items/\(first.id)")
      #expect(try await stream.next()?.data == #"{"removed":"\#(first.id)"}"#)
    }
  }

  @Test("A browser that comes back gets what it has missed: from the replay, without a read")
  func replay() async throws {
    try await RunningService.with { service in
      try await service.makeBoard()
      var watching = try await service.stream()
      _ = try await watching.events(upTo: "live")
      let known = try await service.add("one")
      _ = try await service.add("two")
      _ = try await service.add("three")
      _ = try await watching.events(3)
      let reads = service.metric("liveboard_history_reads_total")
      var back = try await service.stream(after: known.position)
      #expect(try await back.events(upTo: "live").flatMap(\.texts) == ["two", "three"])
      #expect(service.metric("liveboard_history_reads_total") == reads)
    }
  }

  @Test("A browser that comes back gets what it has missed: from the database, once")
  func database() async throws {
    try await RunningService.with { service in
      try await service.makeBoard()
      let known = try await service.add("one")
      let item = try await service.add("two")
      _ = try await service.add("three")
      for text in ["two a", "two b"] {
        try await service.request(
          .PATCH, "/api/boards/b/items/\(item.id)", json: #"{"text":"\#(text)"}"#)
      }
      #expect(service.service.boards.observed == [])
      var back = try await service.stream(after: known.position)
      // The newest change of each item is enough.
      #expect(try await back.events(upTo: "live").flatMap(\.texts) == ["three", "two b"])
      #expect(service.metric("liveboard_history_reads_total") == 1)
    }
  }

  @Test(
    "An unknown id is told, and gets a snapshot",
    arguments: ["garbage", "0-0", "-1", "000000000001aaaaaaaa-1-0", "HEAD-99-0", "HEAD-1-0-0"])
  func unknown(id: String) async throws {
    try await RunningService.with { service in
      try await service.makeBoard()
      let known = try await service.add("one")
      let epoch = known.position.split(separator: "-")[0]
      var stream = try await service.stream(
        after: id.replacingOccurrences(of: "HEAD", with: epoch))
      let start = try await stream.events(upTo: "live")
      #expect(start.map(\.name) == ["missed", "snapshot", "live"])
      #expect(start.first?.data == #"{"count":null}"#)
      #expect(start[1].texts == ["one"])
      _ = try await service.add("two")
      #expect(try await stream.next()?.texts == ["two"])
    }
  }

  @Test("An id that the log has forgotten is told")
  func trimmed() async throws {
    try await RunningService.with { service in
      try await service.makeBoard()
      let forgotten = try await service.add("one")
      let kept = try await service.add("two")
      _ = try await service.add("three")
      try await service.service.boards.store.database.write { db in
        if let row = try BoardRow.find("b", in: db) { try Store.trim(row, keeping: 1, in: db) }
      }
      var old = try await service.stream(after: forgotten.position)
      let told = try await old.events(upTo: "live")
      #expect(told.map(\.name) == ["missed", "snapshot", "live"])
      // The ids of the embedded log count.
      #expect(told.first?.data == #"{"count":2}"#)
      var new = try await service.stream(after: kept.position)
      #expect(try await new.events(upTo: "live").flatMap(\.texts) == ["three"])
    }
  }

  @Test("A browser that stalls conflates; its ids ascend, and the others do not notice")
  func stalled() async throws {
    // However long the test takes, the service does not close the connection.
    try await RunningService.with(options: { $0.stalled = 3_600 }) { service in
      try await service.makeBoard()
      var items: [String] = []
      for number in 0..<4 { items.append(try await service.add("\(number)").id) }
      var quick = try await service.stream()
      var slow = try await service.stream()
      _ = try await quick.events(upTo: "live")
      _ = try await slow.events(upTo: "live")
      try await slow.stall()
      // Two kilobytes each, so that the buffers of the sockets are full before the end.
      let padding = String(repeating: "😀", count: 490)
      let feed = service.service.boards.feed
      var end: Position?
      for number in 0..<800 {
        let edit = Change.Edit(text: "\(number) \(padding)")
        end = try await feed.append(.edit(items[number % 4], edit), isRanked: true, to: "b")
        // One change for each event: it stays no more behind than its socket.
        #expect(try await quick.next()?.texts.first?.hasPrefix("\(number) ") == true)
      }
      // A short one, which comes from the store, in front of live ones.
      end = try await feed.append(
        .edit(items[0], Change.Edit(text: "short")), isRanked: true, to: "b")
      #expect(try await quick.next()?.texts == ["short"])
      for number in 0..<100 {
        let edit = Change.Edit(text: "\(800 + number) \(padding)")
        end = try await feed.append(.edit(items[1 + number % 3], edit), isRanked: true, to: "b")
        _ = try await quick.next()
      }
      #expect(service.metric("liveboard_batches_read_again_total") > 0)
      try await slow.resume()
      var last: [String: String] = [:]
      var ids: [Position] = []
      while ids.last != end {
        guard let event = try await slow.next() else { break }
        #expect(event.name == "change")
        ids.append(try #require(event.id.flatMap { Position($0) }))
        let number = event.texts.first?.split(separator: " ").first.map(String.init) ?? ""
        last[number == "short" ? number : "\((Int(number) ?? 0) % 3)"] = number
      }
      #expect(last.values.sorted() == ["897", "898", "899", "short"])
      #expect(ids == ids.sorted() && Set(ids).count == ids.count)
      #expect(ids.count < 700)
      #expect(service.metric("liveboard_missed_told_total") == 0)
    }
  }

  @Test("A board is observed while somebody watches it, and five seconds longer")
  func grace() async throws {
    let clock = TestScheduler()
    try await RunningService.with(clock: clock) { service in
      try await service.makeBoard()
      let boards = service.service.boards
      #expect(boards.observed == [])
      var one = try await service.stream()
      var other = try await service.stream()
      _ = try await one.events(upTo: "live")
      _ = try await other.events(upTo: "live")
      #expect(boards.observed == ["b"])
      #expect(service.metric("liveboard_board_connections_total") == 1)
      one.connection.close()
      other.connection.close()
      try await until { service.metric("liveboard_streams") == 0 }
      clock.advance(by: .milliseconds(4_999))
      #expect(boards.observed == ["b"])
      var third = try await service.stream()
      _ = try await third.events(upTo: "live")
      #expect(service.metric("liveboard_board_connections_total") == 1)
      third.connection.close()
      try await until { service.metric("liveboard_streams") == 0 }
      clock.advance(by: .seconds(5))
      #expect(boards.observed == [])
      try await until { service.metric("liveboard_observed_boards") == 0 }
    }
  }

  @Test("At a graceful end what waits is written, then the end, and the response is closed")
  func gracefulEnd() async throws {
    // All but the first change wait to be gathered when the end begins.
    try await RunningService.with(options: { $0.gathering = 1_000 }) { service in
      try await service.makeBoard()
      var stream = try await service.stream()
      _ = try await stream.events(upTo: "live")
      for number in 1...20 { _ = try await service.add("\(number)") }
      await service.beginStopping()
      let rest = try await stream.events(upTo: "end")
      #expect(rest.dropLast().flatMap(\.texts) == (1...20).map(String.init))
      #expect(try await stream.next() == nil)
    }
  }

  @Test("A stalled browser does not keep the service from its end")
  func endBesideStalled() async throws {
    try await RunningService.with(options: { $0.graceful = 1 }) { service in
      try await service.makeBoard()
      let item = try await service.add("0")
      let stalled = try await service.stream()
      try await until { service.metric("liveboard_streams") == 1 }
      try await stalled.stall()
      try await service.editAtLength(item.id)
      let start = ContinuousClock.now
      try? await service.stop()
      #expect(start.duration(to: .now) < .seconds(4))
    }
  }

  @Test(
    "A log that begins anew is told once, also beside a browser that stalls and has yet to learn of it"
  )
  func resetBesideStalled() async throws {
    try await RunningService.with(options: { $0.graceful = 1 }) { service in
      try await service.makeBoard()
      let item = try await service.add("0")
      var quick = try await service.stream()
      let slow = try await service.stream()
      _ = try await quick.events(upTo: "live")
      try await until { service.metric("liveboard_streams") == 2 }
      try await slow.stall()
      let boards = service.service.boards
      try await service.editAtLength(item.id) { _ = try await quick.next() }
      let row = try #require(try await boards.store.find("b"))
      let position = Position(epoch: .now(after: row.epoch), entry: .zero)
      try await boards.store.reset("b", to: position, items: [])
      let first = try await service.add("first")
      var told = try await quick.events(upTo: "live")
      if told.last?.name == "live", !told.contains(where: { $0.texts == ["first"] }) {
        told.append(try #require(try await quick.next()))
      }
      let second = try await service.add("second")
      told.append(try #require(try await quick.next()))
      #expect(told.filter { $0.name == "missed" }.count == 1)
      #expect(told.last?.texts == ["second"])
      #expect(first.position != second.position)
    }
  }
}
