/// A description of the place at which a line of marbles cannot be read.
public struct MarbleError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The line.
  public let text: String

  /// The place in the line, counted in characters from 1.
  public let column: Int

  /// The problem at that place.
  public let problem: String

  /// The way to correct it.
  public let advice: String

  /// The problem and the advice, with the line and a pointer to the place.
  public var description: String {
    // The line's white space becomes blanks, so that the pointer stands under its place.
    let line = String(text.map { $0.isWhitespace ? " " : $0 })
    return """
      Marbles, column \(column): \(problem)
        \(line)
        \(String(repeating: " ", count: column - 1))^
      \(advice)
      """
  }
}
