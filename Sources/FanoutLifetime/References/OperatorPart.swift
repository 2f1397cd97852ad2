internal import FanoutCore

/// A generic class that all operators share, named after the operator that uses it.
protocol OperatorPart: AnyObject {
  /// The generic argument that belongs to one operator: a type nested in the operator's own type.
  static var specifics: any Any.Type { get }
  /// The name that the class would have in the operator's own type.
  static var role: String { get }
}

extension OperatorPart {
  /// The class's name as if it were nested in the operator's type, such as `Map.Body`.
  static var operatorPartName: String {
    let path = Ownership.name(of: specifics).split(separator: ".")
    return (path.dropLast() + [Substring(role)]).joined(separator: ".")
  }
}

extension StepBody: OperatorPart {
  static var specifics: any Any.Type { Step.self }
  static var role: String { "Body" }
}

extension StepSubscription: OperatorPart {
  static var specifics: any Any.Type { Step.self }
  static var role: String { "Inner" }
}

extension FinalStepSubscription: OperatorPart {
  static var specifics: any Any.Type { Step.self }
  static var role: String { "Inner" }
}

extension ObservedSubscription: OperatorPart {
  static var specifics: any Any.Type { Observer.self }
  static var role: String { "Inner" }
}
