import Foundation
import NIOCore

/// The state of an item behind its newest change: what browsers are sent.
struct Update: Sendable {
  enum Outcome: Sendable {
    case item(Item)
    case removed(Item.ID)
  }

  let position: Position
  let outcome: Outcome

  fileprivate var event: String {
    let data =
      switch outcome {
      case .item(let item): #"{"item":\#(String(decoding: JSON.bytes(item), as: UTF8.self))}"#
      case .removed(let id): JSON.text(["removed": id])
      }
    return Event.text("change", id: position, data: data)
  }
}

/// The newest changes in a part of a board's log, with the text that all event streams send for them.
///
/// It is made once, and shared: the id is that of the last change.
struct Batch: Sendable {
  let last: Position
  private let positions: [Position]
  /// The events of all changes, and where each begins.
  private let text: ByteBuffer
  private let starts: [Int]

  /// Creates a batch of updates in the order of their positions; nil if there is none.
  init?(_ updates: [Update]) {
    guard let last = updates.last?.position else { return nil }
    self.last = last
    positions = updates.map(\.position)
    var text = ByteBuffer()
    starts = updates.map { update in
      defer { text.writeString(update.event) }
      return text.writerIndex
    }
    self.text = text
  }

  /// Returns the events behind a position.
  func events(after position: Position) -> ByteBuffer {
    guard let index = positions.firstIndex(where: { $0 > position }) else { return ByteBuffer() }
    let start = starts[index]
    return text.getSlice(at: start, length: text.writerIndex - start) ?? text
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
  /// Returns an item as `JSONEncoder` would write it, without what that costs for each one.
  ///
  /// A snapshot has thousands of them, and event streams wait while it is made.
  static func bytes(_ item: Item) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(item.text.utf8.count + 100)
    bytes += #"{"column":"\#(item.column.rawValue)","id":"#.utf8
    append(item.id, to: &bytes)
    bytes +=
      #","rank":\#(Int64(exactly: item.rank).map(String.init) ?? "\(item.rank)"),"text":"#.utf8
    append(item.text, to: &bytes)
    bytes.append(UInt8(ascii: "}"))
    return bytes
  }

  private static func append(_ text: String, to bytes: inout [UInt8]) {
    let quote = UInt8(ascii: "\"")
    let backslash = UInt8(ascii: "\\")
    bytes.append(quote)
    for byte in text.utf8 {
      switch byte {
      case quote, backslash: bytes += [backslash, byte]
      case 0..<0x20:
        let digits = String(byte, radix: 16)
        bytes += #"\u\#(String(repeating: "0", count: 4 - digits.count))\#(digits)"#.utf8
      default: bytes.append(byte)
      }
    }
    bytes.append(quote)
  }

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
