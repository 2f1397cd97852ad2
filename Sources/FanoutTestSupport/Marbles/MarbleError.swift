/// What can't be read in a line of marbles.
public struct MarbleError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The line.
  public let text: String

  /// The place in it, counted in characters from 1.
  public let column: Int

  /// What is wrong there.
  public let problem: String

  /// What to do about it.
  public let advice: String

  /// All of that, with the line and a pointer to the place.
  public var description: String {
    // On one line, so that the pointer stands under its place.
    let line = String(text.map { $0.isWhitespace ? " " : $0 })
    return """
      Marbles, column \(column): \(problem)
        \(line)
        \(String(repeating: " ", count: column - 1))^
      \(advice)
      """
  }
}
