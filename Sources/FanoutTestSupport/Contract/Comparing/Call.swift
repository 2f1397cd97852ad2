internal import Fanout

/// A call of a check for one program, as Swift to paste.
struct Call {
  /// Everything in the parentheses but the program.
  let arguments: [String]
  /// What is checked; made without arguments, as far as anyone can know.
  let type: String

  /// For values of this type.
  ///
  /// - Parameters:
  ///   - arguments: What the check was told besides.
  ///   - values: The type of the values; how they are made has to be filled in, except for numbers.
  ///   - checked: The type that is checked.
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
  /// For a subject.
  static func of<S: Subject>(
    _ promise: DeliveryContract.Promise, _ failure: S.Failure?, _ subject: S.Type
  ) -> Call {
    let ends = failure.map { ["failingWith: \($0)"] } ?? []
    return Call(["promising: \(promise)"] + ends, values: S.Output.self, subject)
  }
}
