package import Fanout
internal import FanoutEngine

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
