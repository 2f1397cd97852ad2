import Foundation
import HTTPTypes

/// The greatest sizes that the service accepts; those of texts are bytes of UTF-8.
enum Limits {
  static let title = 400
  static let text = 2_000
  static let body = 16_384
  static let itemsOfBoard = 2_000
  static let boards = 1_000
}

/// The body of a request that makes a board.
struct NewBoard: Decodable {
  let id: String
  let title: String

  func validated() throws -> Board {
    let letters = id.utf8.allSatisfy {
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "-")
    }
    guard (1...40).contains(id.utf8.count), letters else {
      throw BoardError(
        .badRequest,
        "The id \(BoardError.quoted(id)) will not do. Use 1 to 40 letters a–z, digits and hyphens.")
    }
    return Board(id: id, title: try checked(title, "title", upTo: Limits.title))
  }
}

/// The body of a request that makes an item.
struct NewItem: Decodable {
  let text: String
  let column: String
  let rank: Double?

  /// Returns the item; without a rank, it is to be the last of its column.
  func validated() throws -> (item: Item, isRanked: Bool) {
    let item = Item(
      id: Item.makeID(), text: try checked(text, "text", upTo: Limits.text),
      column: try checked(column: column), rank: try checked(rank: rank ?? 0))
    return (item, rank != nil)
  }
}

/// The body of a request that changes an item.
struct ItemEdit: Decodable {
  let text: String?
  let column: String?
  let rank: Double?

  func validated() throws -> Change.Edit {
    guard text != nil || column != nil || rank != nil else {
      throw BoardError(.badRequest, "Nothing is to be changed. Send text, column or rank.")
    }
    return Change.Edit(
      text: try text.map { try checked($0, "text", upTo: Limits.text) },
      column: try column.map { try checked(column: $0) },
      rank: try rank.map { try checked(rank: $0) })
  }
}

private func checked(_ text: String, _ name: String, upTo limit: Int) throws -> String {
  guard text.utf8.count <= limit else {
    throw BoardError(
      .badRequest, "The \(name) has \(text.utf8.count) bytes. Send at most \(limit).")
  }
  // The database ends a text at U+0000, and JSON needs six bytes for each other one of these.
  if let control = text.unicodeScalars.first(where: \.isControl) {
    let number = String(control.value, radix: 16, uppercase: true)
    let code = String(repeating: "0", count: 4 - number.count) + number
    throw BoardError(
      .badRequest, "The \(name) has the control character U+\(code). Send it without.")
  }
  guard text.unicodeScalars.contains(where: \.isVisible) else {
    throw BoardError(.badRequest, "The \(name) is blank. Send one that can be seen.")
  }
  return text
}

extension Unicode.Scalar {
  /// Whether it is a control character other than a tab and the end of a line.
  fileprivate var isControl: Bool {
    properties.generalCategory == .control && !["\t", "\n", "\r"].contains(self)
  }

  fileprivate var isVisible: Bool {
    !properties.isWhitespace && !properties.isDefaultIgnorableCodePoint
  }
}

private func checked(column name: String) throws -> Column {
  guard let column = Column(rawValue: name) else {
    let columns = Column.allCases.map(\.rawValue).joined(separator: ", ")
    throw BoardError(
      .badRequest, "There is no column \(BoardError.quoted(name)). The columns are \(columns).")
  }
  return column
}

private func checked(rank: Double) throws -> Double {
  guard rank.isFinite, abs(rank) <= 1e12 else {
    throw BoardError(.badRequest, "The rank is too great. Send a number from -1e12 to 1e12.")
  }
  return rank
}

extension JSONDecoder {
  /// Decodes the body of a request; the error says what is wrong with it.
  static func read<Body: Decodable>(_ type: Body.Type, from data: Data) throws -> Body {
    do {
      return try JSONDecoder().decode(type, from: data)
    } catch DecodingError.keyNotFound(let key, _) {
      throw BoardError(.badRequest, "\"\(key.stringValue)\" is missing. Send it.")
    } catch DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context)
    {
      let path = context.codingPath.map(\.stringValue).joined(separator: ".")
      throw BoardError(
        .badRequest,
        path.isEmpty
          ? "The body is no JSON object. Send one."
          : "\"\(path)\" has the wrong type. Text is a string, a rank is a number.")
    } catch {
      throw BoardError(
        .badRequest, "The body is not JSON. Send an object such as {\"text\":\"…\"}.")
    }
  }
}
