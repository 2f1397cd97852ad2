import Foundation

/// An entry of a board's stream.
///
/// Each entry names the one in front of it. So a reader that has that one knows that it has missed
/// nothing, and a hole shows, whatever has made it: a trimmed stream, a deleted entry, or an end
/// that Redis lost when it was killed.
///
/// Another program that may write to Redis can put something else between them, and a later version of the
/// service other changes. Neither may stop a board: it is skipped.
struct RedisEntry: Sendable {
  let entry: EntryID
  /// Nil if the entry is none of a board.
  let epoch: Epoch?
  /// Nil if the entry names none, and the one in front of it is not known either.
  let previous: EntryID?
  /// Nil if it cannot be read.
  let change: Change?

  var isOfBoard: Bool { epoch != nil }

  init(entry: EntryID, epoch: Epoch?, previous: EntryID?, change: Change?) {
    self.entry = entry
    self.epoch = epoch
    self.previous = previous
    self.change = change
  }

  /// Returns consecutive entries of a stream.
  ///
  /// - Parameters:
  ///   - replies: The entries.
  ///   - front: The entry in front of the first one, or nil if it is not known.
  /// - Returns: The entries, in their order.
  /// - Throws: ``RedisError/malformed(_:)`` if the replies are no entries of a stream.
  static func list(_ replies: [RESP], behind front: EntryID?) throws -> [RedisEntry] {
    var front = front
    return try replies.map { reply in
      let entry = try RedisEntry(reply, behind: front)
      front = entry.entry
      return entry
    }
  }

  private init(_ reply: RESP, behind front: EntryID?) throws {
    guard let parts = reply.items, parts.count == 2,
      let entry = parts[0].text.flatMap(EntryID.init),
      let fields = parts[1].items?.map(\.text)
    else { throw RedisError.malformed("an entry") }
    var values: [String: String] = [:]
    for index in stride(from: 0, to: fields.count - 1, by: 2) {
      if let name = fields[index] { values[name] = fields[index + 1] }
    }
    guard let epoch = values["e"].flatMap(Epoch.init),
      let previous = values["p"].flatMap(EntryID.init)
    else {
      self.init(entry: entry, epoch: nil, previous: front, change: nil)
      return
    }
    let change = values["c"].flatMap {
      try? JSONDecoder().decode(Change.self, from: Data($0.utf8))
    }
    self.init(entry: entry, epoch: epoch, previous: previous, change: change)
  }
}
