package import Fanout
internal import FanoutCore
internal import FanoutEngine

/// The body of an operator, which lists its subscriber besides what its class adds.
protocol OperatorBodyListing: AnyObject {
  /// The references that every operator's body holds.
  var operatorReferences: [HeldReference] { get }
}

extension OperatorBody: OperatorBodyListing {
  var operatorReferences: [HeldReference] { [.value("downstream", downstream)] }
}

extension FinalValueSubscription: AdditionalReferences {
  package var additionalReferences: [HeldReference] {
    state.withLock { $0.held }.map { [.value("held", $0)] } ?? []
  }
}

extension PrintedLines: ReferenceListing {
  package var heldReferences: [HeldReference] {
    var held: [HeldReference] = [.busy("target.stream")]
    _ = drain.inspect {
      held = target.stream.map { [.value("target.stream", $0)] } ?? []
    } runOut: {
      runOut()
    }
    return held
  }
}

extension StepBody: AdditionalReferences {
  /// The stored properties of the step and of the state, by their own names, so that a new operator
  /// needs no listing.
  package var additionalReferences: [HeldReference] {
    let constants = Mirror(reflecting: step).children.filter { !isEmpty($0.value) }
    // A number, which has a mirror of its own, has no properties that Swift code could name.
    let changing =
      State.self is any CustomReflectable.Type ? [] : StoredProperty.all(of: State.self)
    let isRead = RuntimeReader.shared.reads(.properties)
    return constants.map { .value($0.label ?? "", $0.value) }
      + (isRead ? [] : [.unread("state", .properties)])
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

extension Publishers.Catch.Body: AdditionalReferences {
  package var additionalReferences: [HeldReference] { [.closure("handler", handler)] }
}

extension Publishers.Catch.Inner: AdditionalReferences {
  package var additionalReferences: [HeldReference] {
    next.object.map { [.value("next", $0)] } ?? []
  }
}

extension CatchChain: ReferenceListing {
  package var heldReferences: [HeldReference] {
    [.value("state", state.withLock { $0 }), .value("steps", steps)]
  }
}

extension CatchSteps: ReferenceListing {
  package var heldReferences: [HeldReference] {
    waiting.withLock { $0 }.map { .closure("waiting", $0) }
  }
}

extension CaughtReceiver: ReferenceListing {
  package var heldReferences: [HeldReference] { FanoutLifetime.additionalReferences(of: self) }
}

extension Publishers.Catch.Recovery: AdditionalReferences {
  package var additionalReferences: [HeldReference] { stage.heldReferences }
}

extension Publishers.Catch.Attempt: AdditionalReferences {
  package var additionalReferences: [HeldReference] { stage.heldReferences }
}
