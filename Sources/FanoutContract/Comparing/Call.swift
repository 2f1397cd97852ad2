internal import Fanout

/// A call of a check for one program, as Swift to paste.
struct Call {
  /// The arguments other than the program.
  let arguments: [String]
  /// The type under test; the call makes it without arguments, because its initialiser is unknown.
  let type: String

  /// Makes a call for values of a type.
  ///
  /// - Parameters:
  ///   - arguments: The other arguments of the check.
  ///   - values: The type of the values. Unless it is `Int`, the user has to fill in how a value is
  ///     made.
  ///   - checked: The type under test.
  init<Value, Checked>(_ arguments: [String] = [], values: Value.Type, _ checked: Checked.Type) {
    let isNumber = values is Int.Type
    self.arguments = arguments + (isNumber ? [] : ["value: { … }", "number: { … }"])
    type = "\(checked)"
  }

  var text: String {
    let arguments = (["only: program"] + arguments).joined(separator: ", ")
    let line = "try DeliveryContract.check(\(arguments)) { \(type)() }"
    guard line.count > 90 else { return line }
    return "try DeliveryContract.check(\(arguments)) {\n  \(type)()\n}"
  }
}

extension Call {
  /// Makes the call for a subject.
  static func of<S: Subject>(
    _ promise: DeliveryContract.Promise, _ failure: S.Failure?, _ subject: S.Type
  ) -> Call {
    let ends = failure.map { ["failingWith: \($0)"] } ?? []
    return Call(["promising: \(promise)"] + ends, values: S.Output.self, subject)
  }
}
