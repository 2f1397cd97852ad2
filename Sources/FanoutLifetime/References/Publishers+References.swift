package import Fanout
internal import FanoutEngine

extension Future: ReferenceListing {
  package var heldReferences: [HeldReference] { [.value("hub", hub)] }
}

extension PromisedFuture: ReferenceListing {
  package var heldReferences: [HeldReference] {
    future.withObject { [.value("future", $0)] } ?? []
  }
}

extension PullSubscription: AdditionalReferences {
  package var additionalReferences: [HeldReference] {
    var held: [HeldReference] = [.busy("body")]
    _ = inspect {
      held = body.map { [.value("body", $0), .value("body.elements", $0.elements)] } ?? []
      if let next = body?.next { held.append(.value("body.next", next)) }
    }
    let describing = describe.withLock { $0 }.map { [HeldReference.closure("describe", $0)] } ?? []
    return held + describing
  }
}

extension PullSubscription.Body: ReferenceListing {
  // The subscription lists the state of deliveries, and reads it while none is running.
  package var heldReferences: [HeldReference] { [.value("downstream", downstream)] }
}

extension PublisherBox: ReferenceListing {
  package var heldReferences: [HeldReference] { [.value("base", base)] }
}
