/// A line of text that describes the values of a publisher and their times.
///
/// Each character stands for a tick:
///
/// | text | meaning |
/// | --- | --- |
/// | `-` | a tick in which nothing happens |
/// | `a` | a value; any character that means nothing else, digits too |
/// | `\|` | the publisher finishes |
/// | `#` | the publisher fails |
/// | `(ab\|)` | several events in one tick; the group takes one tick, however long it is |
///
/// White space means nothing and serves to align lines. Nothing can follow `|` or `#`. `^` is
/// reserved. Silence at the end means nothing: `a--` equals `a`.
///
/// A line in the source is trusted: if it cannot be read, the program stops and reports why. For a
/// text from elsewhere use ``init(parsing:)``, which throws. ``description`` is the inverse:
/// `Marbles(parsing: marbles.description)` equals `marbles`, unless the marbles were drawn from a
/// record that breaks the contract.
///
/// The idea is that of RxJS's marble tests. There a group takes as many ticks as it has characters.
///
/// ```swift
/// import FanoutTestSupport
///
/// let marbles: Marbles = "-a-(bc) -- |"
/// print(marbles)
/// for mark in marbles.marks { print("at", mark.tick, mark.sign) }
/// do { _ = try Marbles(parsing: "-a-(b-c)") } catch { print(error) }
/// // Prints:
/// // -a-(bc)--|
/// // at 1 a
/// // at 3 b
/// // at 3 c
/// // at 6 |
/// // Marbles, column 6: no time passes inside a group, so `-` can't stand there.
/// //   -a-(b-c)
/// //        ^
/// // Take it out, or close the group before it.
/// ```
public struct Marbles: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// Every event, in order.
  public let marks: [Mark]

  init(_ marks: [Mark]) { self.marks = marks }

  /// Reads a line.
  ///
  /// - Parameter text: The line.
  /// - Throws: ``MarbleError``, with the problem and its place.
  public init(parsing text: String) throws(MarbleError) {
    var parser = MarbleParser(text)
    try parser.readAll()
    marks = parser.marks
  }

  /// Reads a line written in the source; traps with the reason if it cannot be read.
  ///
  /// - Parameter value: The line.
  public init(stringLiteral value: String) {
    do { try self.init(parsing: value) } catch { fatalError("\(error)") }
  }

  /// The line, without white space and without silence at the end.
  public var description: String {
    var text = ""
    var tick = 0
    var rest = marks[...]
    while let first = rest.first {
      let group = rest.prefix { $0.tick == first.tick }
      rest = rest.dropFirst(group.count)
      text += String(repeating: "-", count: max(0, first.tick - tick))
      let signs = group.map(\.sign.description).joined()
      text += group.count > 1 ? "(\(signs))" : signs
      tick = first.tick + 1
    }
    return text
  }

  /// Returns the line, or nil if it extends beyond a tick.
  func description(upToTick last: Int) -> String? {
    (marks.last?.tick ?? 0) <= last ? description : nil
  }
}
