/// The error of marbles in which a character stands for nothing.
struct MissingMeaning: Error, CustomStringConvertible {
  let marbles: Marbles
  let what: String
  let `where`: String

  var description: String {
    "Marbles \(marbles): there is no \(what). Give one in `\(`where`)`, or take it out of the line."
  }
}
