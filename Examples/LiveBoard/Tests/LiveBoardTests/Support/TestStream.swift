import Foundation
import NIOCore
import NIOHTTP1

/// One event of a stream.
struct TestEvent: Hashable {
  var name = ""
  var id: String?
  var data = ""

  /// The text of the item that has changed, or of all items of a snapshot.
  var texts: [String] {
    let object = try? JSONSerialization.jsonObject(with: Data(data.utf8)) as? [String: Any]
    if let item = object?["item"] as? [String: Any] { return [item["text"] as? String ?? ""] }
    return (object?["items"] as? [[String: Any]] ?? []).compactMap { $0["text"] as? String }
  }
}

/// The browser's side of an event stream.
struct TestStream {
  let connection: TestConnection
  private var parts: AsyncStream<HTTPClientResponsePart>.Iterator
  private var received = ByteBuffer()

  init(_ connection: TestConnection) {
    self.connection = connection
    parts = connection.makePartIterator()
  }

  /// Waits for the first bytes of the response.
  mutating func begin() async throws {
    while received.readableBytes == 0 {
      switch await parts.next() {
      case .body(var bytes): received.writeBuffer(&bytes)
      case .head(let head) where head.status != .ok: throw ConnectionEnded()
      case .head: continue
      case .end, nil: throw ConnectionEnded()
      }
    }
  }

  /// Waits for the next event that is no `ping`; returns nil at the end of the response.
  mutating func next() async throws -> TestEvent? {
    while true {
      if let length = received.readableBytesView.firstRange(of: "\n\n".utf8).map({
        $0.upperBound - received.readerIndex
      }), let text = received.readString(length: length) {
        received.discardReadBytes()
        let lines = text.split(separator: "\n")
        var event = TestEvent()
        for line in lines {
          let parts = line.split(separator: ":", maxSplits: 1).map(String.init)
          let value = parts.last.map { String($0.drop { $0 == " " }) } ?? ""
          switch parts.first {
          case "event": event.name = value
          case "id": event.id = value
          case "data": event.data = value
          default: break
          }
        }
        guard !event.name.isEmpty, event.name != "ping" else { continue }
        return event
      }
      switch await parts.next() {
      case .body(var bytes): received.writeBuffer(&bytes)
      case .head(let head) where head.status != .ok: throw ConnectionEnded()
      case .head: continue
      case .end, nil: return nil
      }
    }
  }

  /// Returns the events up to one of a name, that one included.
  mutating func events(upTo name: String) async throws -> [TestEvent] {
    var events: [TestEvent] = []
    while let event = try await next() {
      events.append(event)
      if event.name == name { return events }
    }
    throw ConnectionEnded()
  }

  /// Returns so many events.
  mutating func events(_ count: Int) async throws -> [TestEvent] {
    var events: [TestEvent] = []
    while events.count < count {
      guard let event = try await next() else { throw ConnectionEnded() }
      events.append(event)
    }
    return events
  }

  /// Stops to read from the socket.
  func stall() async throws {
    try await connection.channel.setOption(.autoRead, value: false).get()
  }

  /// Reads again.
  func resume() async throws {
    try await connection.channel.setOption(.autoRead, value: true).get()
    connection.channel.read()
  }
}
