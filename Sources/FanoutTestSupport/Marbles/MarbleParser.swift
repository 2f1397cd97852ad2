/// A parser that reads a line of marbles character by character.
struct MarbleParser {
  static let reserved: Set<Character> = ["-", "|", "#", "(", ")", "^"]

  private let text: String
  private(set) var marks: [Marbles.Mark] = []
  private var tick = 0
  private var column = 0
  private var end: Character?
  // The column at which the open group begins, and the number of marks before it.
  private var group: (column: Int, marksBefore: Int)?

  init(_ text: String) { self.text = text }

  mutating func readAll() throws(MarbleError) {
    for character in text {
      column += 1
      if !character.isWhitespace { try read(character) }
    }
    guard let group else { return }
    column = group.column
    throw wrong("this group is not closed.", "Write `)` behind it.")
  }

  private mutating func read(_ character: Character) throws(MarbleError) {
    if let end, character != ")" || group == nil {
      throw wrong("nothing can follow the end, which is `\(end)`.", "Take it out, or end later.")
    }
    switch character {
    case "-":
      guard group == nil else {
        throw wrong(
          "no time passes inside a group, so `-` can't stand there.",
          "Take it out, or close the group before it.")
      }
      tick += 1
    case "(": try open()
    case ")": try close()
    case "|": finish(.finished, character)
    case "#": finish(.failure, character)
    case "^":
      throw wrong("`^` has no meaning yet.", "Write another character for the value.")
    default: add(.value(character))
    }
  }

  private mutating func open() throws(MarbleError) {
    guard group == nil else {
      throw wrong("a group can't stand in a group.", "Close the first one with `)` before it.")
    }
    group = (column, marks.count)
  }

  private mutating func close() throws(MarbleError) {
    guard let group else {
      throw wrong("`)` closes no group.", "Write `(` where it begins, or take this out.")
    }
    guard marks.count > group.marksBefore else {
      throw wrong("this group is empty.", "Write `-` for a tick in which nothing happens.")
    }
    self.group = nil
    tick += 1
  }

  private mutating func finish(_ sign: Marbles.Sign, _ character: Character) {
    add(sign)
    end = character
  }

  private mutating func add(_ sign: Marbles.Sign) {
    marks.append(Marbles.Mark(tick: tick, sign: sign))
    if group == nil { tick += 1 }
  }

  private func wrong(_ problem: String, _ advice: String) -> MarbleError {
    MarbleError(text: text, column: column, problem: problem, advice: advice)
  }
}
