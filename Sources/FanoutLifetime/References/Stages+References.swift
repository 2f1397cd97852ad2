internal import Fanout
package import FanoutEngine

extension ReceiverStage {
  /// The body, as a reference of the object that has this stage.
  var heldReferences: [HeldReference] { reference.withObject { [.value("stage", $0)] } ?? [] }
}

extension ReceiverBody: ReferenceListing {
  package final var heldReferences: [HeldReference] {
    // A sink on a hub is its own source, and not retained here: it may be gone.
    let source: [HeldReference] = retainedSource.map { [.value("source", $0)] } ?? []
    let operators = (self as? any OperatorBodyListing)?.operatorReferences ?? []
    return source + operators + FanoutLifetime.additionalReferences(of: self)
  }

  /// Returns a reference to state of deliveries, read while none is running.
  final func quietly(_ name: String, _ value: () -> Any) -> HeldReference {
    var held = HeldReference.busy(name)
    // Until it is there, it may come at any time, and deliver.
    _ = (adopted as? any DrainInspecting)?.inspect { held = .value(name, value()) }
    return held
  }
}

extension RelayedSource: ReferenceListing {
  package final var heldReferences: [HeldReference] {
    // Another thread may take it out and release it at any time.
    let waiting: [HeldReference] = waiting.isSet ? [.busy("waiting")] : []
    return stage.heldReferences + waiting + FanoutLifetime.additionalReferences(of: self)
  }
}

extension DrainedSource: ReferenceListing {
  package final var heldReferences: [HeldReference] {
    let receivers: HeldReference = .value("receivers", receivers.withLock { $0 })
    let queued = (self as? any QueueListing)?.queueReferences ?? []
    return queued + [receivers] + FanoutLifetime.additionalReferences(of: self)
  }
}
