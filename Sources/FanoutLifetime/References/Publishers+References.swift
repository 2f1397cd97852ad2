package import Fanout
internal import FanoutEngine

extension PromisedFuture: ReferenceListing {
  package var heldReferences: [HeldReference] {
    future.withObject { [.value("future", $0)] } ?? []
  }
}

extension PullSubscription: AdditionalReferences {
  package var additionalReferences: [HeldReference] {
    var references: [HeldReference] = [.busy("held")]
    _ = inspect {
      guard let known = held.copy() else { return references = [] }
      references = [
        .value("held.downstream", known.downstream), .value("held.elements", known.elements),
      ]
      if let next = known.next { references.append(.value("held.next", next)) }
      if let completes { references.append(.closure("completes", completes)) }
    }
    let describing = describe.withLock { $0 }.map { [HeldReference.closure("describe", $0)] } ?? []
    return references + describing
  }
}
