/// An error for marbles in which a character has no meaning.
struct MissingMeaning: Error, CustomStringConvertible {
  let marbles: Marbles
  let what: String
  let `where`: String

  var description: String {
    "Marbles \(marbles): there is no \(what). Give one in `\(`where`)`, or take it out of the line."
  }
}
