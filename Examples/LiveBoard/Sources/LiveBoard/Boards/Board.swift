import Foundation

/// A board, without its items.
struct Board: Codable, Hashable, Sendable {
  typealias ID = String

  let id: ID
  let title: String
}

/// A column of a board.
enum Column: String, Codable, Hashable, Sendable, CaseIterable {
  case todo
  case doing
  case done
}

/// An item of a board.
struct Item: Codable, Hashable, Sendable {
  typealias ID = String

  let id: ID
  var text: String
  var column: Column
  /// The order within the column; equal ranks are ordered by id.
  var rank: Double

  static func makeID() -> ID {
    String(UInt64.random(in: 0 ... .max), radix: 36)
  }
}

/// The whole state of a board at a position of its log.
struct Snapshot: Sendable {
  let board: Board
  let position: Position
  let items: [Item]
}

/// A change of an item, as a writer asks for it and as the log of Redis carries it.
enum Change: Codable, Hashable, Sendable {
  case add(Item)
  /// Replaces the parts that are not nil. Of an item that is not there, it changes nothing.
  case edit(Item.ID, Edit)
  case remove(Item.ID)

  struct Edit: Codable, Hashable, Sendable {
    var text: String?
    var column: Column?
    var rank: Double?

    func apply(to item: inout Item) {
      if let text { item.text = text }
      if let column { item.column = column }
      if let rank { item.rank = rank }
    }
  }

  var item: Item.ID {
    switch self {
    case .add(let item): item.id
    case .edit(let id, _), .remove(let id): id
    }
  }

  func apply(to items: inout [Item.ID: Item]) {
    switch self {
    case .add(let item): items[item.id] = item
    case .edit(let id, let edit):
      guard var item = items[id] else { return }
      edit.apply(to: &item)
      items[id] = item
    case .remove(let id): items[id] = nil
    }
  }
}
