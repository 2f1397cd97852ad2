package import Fanout
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
