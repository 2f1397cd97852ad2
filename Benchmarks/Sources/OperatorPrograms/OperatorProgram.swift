/// One operator between a subject and a sink, as it is written with one of the libraries.
package struct OperatorProgram: Sendable {
  /// The operator as it is written, for example `drop(while:)`.
  package let title: String

  /// Makes everything ready for so many values, and returns what sends them.
  package let ready: @Sendable (_ values: Int) -> () -> Void

  /// Makes a subject, and returns what attaches one more subscription to it.
  package let attach: @Sendable () -> () -> AnyObject

  package init(
    _ title: String, ready: @escaping @Sendable (_ values: Int) -> () -> Void,
    attach: @escaping @Sendable () -> () -> AnyObject
  ) {
    self.title = title
    self.ready = ready
    self.attach = attach
  }

  /// One word for the operator: `drop-while` for `drop(while:)`.
  package var word: String {
    title.reduce(into: "") { word, letter in
      if letter.isUppercase { word += "-" }
      if letter.isLetter || letter.isNumber {
        word += letter.lowercased()
      } else if !word.hasSuffix("-") {
        word += "-"
      }
    }.split(separator: "-").joined(separator: "-")
  }
}

/// Programs one below the other, without commas: so the compiler looks at each of them by itself.
@resultBuilder
package enum OperatorProgramList {
  package static func buildExpression(_ program: OperatorProgram) -> [OperatorProgram] { [program] }

  package static func buildBlock(_ parts: [OperatorProgram]...) -> [OperatorProgram] {
    Array(parts.joined())
  }
}
