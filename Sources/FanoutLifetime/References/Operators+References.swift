package import Fanout
internal import FanoutCore
internal import FanoutEngine
internal import FanoutOperators

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
    state.withLock { _ in held }.map { [.value("held", $0)] } ?? []
  }
}

extension HeldValue: ReferenceListing {
  package var heldReferences: [HeldReference] {
    [.value("downstream", downstream), .value("value", value)]
  }
}

extension PrintedLines: ReferenceListing {
  package var heldReferences: [HeldReference] {
    var held: [HeldReference] = [.busy("stream")]
    _ = drain.inspect {
      held = stream.map { [.value("stream", $0)] } ?? []
    } runOut: {
      runOut()
    }
    return held
  }
}

extension StepBody: AdditionalReferences, CompleteListing {
  /// The stored properties of the step, by their own names, and the state, so that a new operator
  /// needs no listing.
  package var additionalReferences: [HeldReference] {
    let constants = Mirror(reflecting: step).children.filter { !isEmpty($0.value) }
    return constants.map { .value(Self.name(ofConstant: $0.label ?? ""), $0.value) }
      + (_isPOD(State.self) ? [] : [quietly(Self.stateName) { state }])
  }

  /// The name of the state, which is that of what it is to the operator.
  package static var stateName: String {
    switch operatorName {
    case "Collect", "CollectByCount": "values"
    case "ReplaceEmpty", "ReplaceError", "ReplaceNil", "Contains": "output"
    case "Decode": "decoder"
    case "Encode": "encoder"
    case "RemoveDuplicates", "Last", "LastWhere", "Comparison": "last"
    case "Scan", "Reduce": "result"
    default: "state"
    }
  }

  /// Returns the name of a constant: for the closure of a ``ClosureStep``, that of the user's
  /// closure in it.
  private static func name(ofConstant label: String) -> String {
    switch (label, operatorName) {
    case ("decide", "Comparison"): "areInIncreasingOrder"
    case ("decide", "Reduce"): "nextPartialResult"
    case ("decide", _): "predicate"
    default: label
    }
  }

  /// The name of the operator, without the `Try` of a throwing sister.
  private static var operatorName: String {
    let name = operatorPartName.prefix { $0 != "." }
    return String(name.hasPrefix("Try") ? name.dropFirst("Try".count) : name)
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
  /// The class's name as if it were nested in the operator's type, such as `Map.Body`.
  static var operatorPartName: String { get }
}

extension OperatorPart {
  /// Returns the name of a part of the operator to which a step or a group of closures belongs.
  static func name(_ role: String, of step: any Any.Type) -> String {
    if let step = step as? any ValueStep.Type { return "\(name(ofOperatorOf: step)).\(role)" }
    if let handlers = step as? any EventHandlers.Type {
      return "\(name(ofOperatorOf: handlers)).\(role)"
    }
    let path = Ownership.name(of: step).split(separator: ".")
    return (path.dropLast() + [Substring(role)]).joined(separator: ".")
  }

  private static func name<Step: ValueStep>(ofOperatorOf step: Step.Type) -> String {
    Ownership.name(of: Step.Operator.self)
  }

  private static func name<Handlers: EventHandlers>(
    ofOperatorOf handlers: Handlers.Type
  ) -> String {
    Ownership.name(of: Handlers.Operator.self)
  }
}

extension StepBody: OperatorPart {
  static var operatorPartName: String { name("Body", of: Step.self) }
}

extension StepSubscription: OperatorPart {
  static var operatorPartName: String { name("Inner", of: Step.self) }
}

extension FinalStepSubscription: OperatorPart {
  static var operatorPartName: String { name("Inner", of: Step.self) }
}

extension TrailingStepSubscription: OperatorPart {
  static var operatorPartName: String { name("Inner", of: Step.self) }
}

extension HandlingSubscription: OperatorPart {
  static var operatorPartName: String { name("Inner", of: Handlers.self) }
}

extension ResumingBody: OperatorBodyListing, AdditionalReferences, CompleteListing, OperatorPart {
  var operatorReferences: [HeldReference] { [.value("downstream", downstream.receiver)] }

  /// The closure that continues, by the name of what it holds of the user's.
  package var additionalReferences: [HeldReference] {
    let name =
      switch Ownership.name(of: Operator.self) {
      case "Concatenate": "suffix"
      case "Retry", "RetryAfter": "retry.upstream"
      default: "handler"
      }
    return [.value(name, state)]
  }

  static var operatorPartName: String { "\(Ownership.name(of: Operator.self)).Body" }
}

extension ResumingSubscription: AdditionalReferences, OperatorPart {
  static var operatorPartName: String { "\(Ownership.name(of: Operator.self)).Inner" }

  package var additionalReferences: [HeldReference] {
    next.object.map { [.value("next", $0)] } ?? []
  }
}

extension ResumingChain: ReferenceListing {
  package var heldReferences: [HeldReference] {
    [.value("state", state.withLock { $0 })]
  }
}

extension ResumingSteps: ReferenceListing {
  package var heldReferences: [HeldReference] {
    waiting.withLock { $0 }.map { .closure("waiting", $0) }
  }
}

extension ResumedBody: OperatorBodyListing, CompleteListing, OperatorPart {
  var operatorReferences: [HeldReference] { [.value("downstream", downstream.receiver)] }

  static var operatorPartName: String { "\(Ownership.name(of: Operator.self)).ResumedBody" }
}

extension Recovery: ReferenceListing, OperatorPart {
  package var heldReferences: [HeldReference] { stage.heldReferences }

  static var operatorPartName: String { "\(Ownership.name(of: Operator.self)).Recovery" }
}

extension ResumingAttempt: OperatorPart {
  static var operatorPartName: String { "\(Ownership.name(of: Operator.self)).Attempt" }
}
