import Foundation
import NIOCore

/// The state of an item behind a change: what browsers are sent.
struct Update: Sendable {
  enum Outcome: Sendable {
    case item(Item)
    case removed(Item.ID)
    /// The item has changed again since, so only that change is sent.
    case superseded
  }

  let position: Position
  let outcome: Outcome
}

/// Consecutive entries of a board's log, with the text that all event streams send for them.
///
/// It is made once, and shared: the id is that of the last entry.
struct Batch: Sendable {
  let updates: [Update]
  let last: Position
  /// The events of all updates.
  let frame: ByteBuffer

  /// Creates a batch; `updates` is not empty.
  init?(_ updates: [Update]) {
    guard let last = updates.last?.position else { return nil }
    self.updates = updates
    self.last = last
    frame = ByteBuffer(string: Self.text(of: updates[...]))
  }

  /// Returns the events behind a position.
  func frame(after position: Position) -> ByteBuffer {
    guard let first = updates.first?.position, first <= position else { return frame }
    let start = updates.firstIndex { $0.position > position } ?? updates.endIndex
    return ByteBuffer(string: Self.text(of: updates[start...]))
  }

  private static func text(of updates: ArraySlice<Update>) -> String {
    var text = ""
    for update in updates {
      guard let data = update.data else { continue }
      text += Event.text("change", id: update.position, data: data)
    }
    return text
  }
}

extension Update {
  /// The data of the event, or nil if none is to be sent.
  fileprivate var data: String? {
    switch outcome {
    case .item(let item): JSON.text(["item": item])
    case .removed(let id): JSON.text(["removed": id])
    case .superseded: nil
    }
  }
}

/// The text of server-sent events.
enum Event {
  static func text(_ name: String, id: Position? = nil, data: String) -> String {
    let id = id.map { "id: \($0)\n" } ?? ""
    return "\(id)event: \(name)\ndata: \(data)\n\n"
  }
}

/// Values as JSON on one line.
enum JSON {
  static func text(_ value: some Encodable) -> String {
    String(decoding: data(value), as: UTF8.self)
  }

  static func data(_ value: some Encodable) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
    // The values are strings and finite numbers, which have a JSON form.
    return (try? encoder.encode(value)) ?? Data("null".utf8)
  }
}
