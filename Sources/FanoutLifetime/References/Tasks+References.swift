package import Fanout
internal import FanoutEngine

extension AsyncMapSubscription: AdditionalReferences {
  package var additionalReferences: [HeldReference] {
    let transform = transform.withLock { $0 }
    return (transform.map { [.closure("transform", $0)] } ?? [])
      + [.closure("makeFailure", makeFailure)]
  }
}

extension AsyncMapRun: ReferenceListing {
  package var heldReferences: [HeldReference] {
    switch phase.withLock({ $0 }) {
    case .working(let owner, _): [.value("phase.owner", owner)]
    case .ready(let output): [.value("phase.result", output)]
    case .done, .givenUp: []
    }
  }
}

extension AsyncSequenceSubscription: AdditionalReferences {
  package var additionalReferences: [HeldReference] { [.value("iteration", iteration)] }
}

extension Iteration: ReferenceListing {
  package var heldReferences: [HeldReference] {
    let (elements, owner) = state.withLock { ($0.elements, $0.owner) }
    return (elements.map { [.value("state.elements", $0)] } ?? [])
      + (owner.map { [.value("state.owner", $0)] } ?? [])
  }
}

extension AwaitedValues: ReferenceListing {
  package var heldReferences: [HeldReference] {
    let failure = state.withLock { $0.failure }
    return stage.heldReferences + (failure.map { [.value("state.failure", $0)] } ?? [])
  }
}

extension AwaitedValues: ValueLoop {
  package static var call: String { "values" }
  package var isOver: Bool { state.withLock { $0.isOver } }
  package var waitingTasks: Int { state.withLock { $0.waiters.count } }
}

extension ElementCursor: ReferenceListing {
  package var heldReferences: [HeldReference] { [.value("cursor", cursor)] }
}

extension ElementCursor: ValueLoop {
  package static var call: String { "elements()" }
  package var isOver: Bool { cursor.hasLeft }
  package var waitingTasks: Int { cursor.waitingCount }
}
