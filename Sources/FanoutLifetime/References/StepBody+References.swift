internal import FanoutCore
internal import FanoutEngine

extension StepBody: AdditionalReferences {
  /// The stored properties of the step and of the state, by their own names, so that a new operator
  /// needs no listing.
  package var additionalReferences: [HeldReference] {
    let constants = Mirror(reflecting: step).children.filter { !isEmpty($0.value) }
    // A number, which has a mirror of its own, has no properties that Swift code could name.
    let changing =
      State.self is any CustomReflectable.Type ? [] : StoredProperty.all(of: State.self)
    return constants.map { .value($0.label ?? "", $0.value) }
      + changing.enumerated().map { index, property in
        quietly(property.name) { Array(Mirror(reflecting: state).children)[index].value }
      }
  }

  /// Whether a value is nil, or of a type that holds no references.
  private func isEmpty(_ value: Any) -> Bool {
    func isTrivial<Value>(_ value: Value) -> Bool { _isPOD(Value.self) }
    if _openExistential(value, do: isTrivial) { return true }
    let mirror = Mirror(reflecting: value)
    return mirror.displayStyle == .optional && mirror.children.isEmpty
  }
}
