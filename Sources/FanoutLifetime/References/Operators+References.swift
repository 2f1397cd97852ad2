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
    return constants.map { .value($0.label ?? "", $0.value) }
      + (_isPOD(State.self) ? [] : [quietly(Self.stateName) { state }])
  }

  /// The name of the state.
  package static var stateName: String {
    (Step.self as? any StateNaming.Type)?.stateName ?? "state"
  }

  /// Whether a value is nil, or of a type that holds no references.
  private func isEmpty(_ value: Any) -> Bool {
    func isTrivial<Value>(_ value: Value) -> Bool { _isPOD(Value.self) }
    if _openExistential(value, do: isTrivial) { return true }
    let mirror = Mirror(reflecting: value)
    return mirror.displayStyle == .optional && mirror.children.isEmpty
  }
}

/// A step that has a word of its own for its state.
private protocol StateNaming {
  static var stateName: String { get }
}

extension Publishers.Collect.Step: StateNaming { static var stateName: String { "values" } }
extension Publishers.CollectByCount.Step: StateNaming { static var stateName: String { "values" } }
extension Publishers.ReplaceEmpty.Step: StateNaming { static var stateName: String { "output" } }
extension Publishers.Decode.Step: StateNaming { static var stateName: String { "decoder" } }
extension Publishers.Encode.Step: StateNaming { static var stateName: String { "encoder" } }
extension RemoveDuplicatesStep: StateNaming { static var stateName: String { "last" } }
extension Publishers.ReplaceNil.Step: StateNaming { static var stateName: String { "output" } }
extension ScanStep: StateNaming { static var stateName: String { "result" } }
extension ReduceStep: StateNaming { static var stateName: String { "result" } }
extension Publishers.Last.Step: StateNaming { static var stateName: String { "last" } }
extension LastWhereStep: StateNaming { static var stateName: String { "last" } }
extension ComparisonStep: StateNaming { static var stateName: String { "last" } }
extension Publishers.Contains.Step: StateNaming { static var stateName: String { "output" } }

/// A generic class that all operators share, named after the operator that uses it.
protocol OperatorPart: AnyObject {
  /// The class's name as if it were nested in the operator's type, such as `Map.Body`.
  static var operatorPartName: String { get }
}

extension OperatorPart {
  /// Returns the name of a part of the operator to which a step or an observer belongs.
  static func name(_ role: String, of step: any Any.Type) -> String {
    if let observer = step as? any DeliveryObserver.Type { return "\(observer.name).\(role)" }
    let path = Ownership.name(of: step).split(separator: ".")
    // A step that lies in no operator is that of an operator and of its throwing sister.
    if path.count == 1, let step = step as? any ValueStep.Type {
      return "\(step.name.map { "\($0)" } ?? String(path[0].dropLast("Step".count))).\(role)"
    }
    return (path.dropLast() + [Substring(role)]).joined(separator: ".")
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

extension ObservedSubscription: OperatorPart {
  static var operatorPartName: String { name("Inner", of: Observer.self) }
}

extension Resuming.Body: AdditionalReferences, CompleteListing, OperatorPart {
  package var additionalReferences: [HeldReference] {
    Mirror(reflecting: step).children.map { .value($0.label ?? "", $0.value) }
  }
  static var operatorPartName: String { name("Body", of: Step.self) }
}

extension Resuming.Inner: AdditionalReferences, OperatorPart {
  static var operatorPartName: String { name("Inner", of: Step.self) }

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

extension ChainedReceiver: ReferenceListing {
  package var heldReferences: [HeldReference] { FanoutLifetime.additionalReferences(of: self) }
}

extension Resuming.ResumedBody: OperatorPart {
  static var operatorPartName: String { name("ResumedBody", of: Step.self) }
}

extension Resuming.Recovery: AdditionalReferences, OperatorPart {
  static var operatorPartName: String { name("Recovery", of: Step.self) }

  package var additionalReferences: [HeldReference] { stage.heldReferences }
}

extension Resuming.Attempt: AdditionalReferences, OperatorPart {
  static var operatorPartName: String { name("Attempt", of: Step.self) }

  package var additionalReferences: [HeldReference] { stage.heldReferences }
}
