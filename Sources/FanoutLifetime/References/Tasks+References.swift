package import Fanout
internal import FanoutEngine

extension AsyncMapSubscription: AdditionalReferences {
  package var additionalReferences: [HeldReference] {
    var held: [HeldReference] = [.busy("downstream")]
    _ = inspect { held = receiver.map { [.value("downstream", $0)] } ?? [] }
    let transform = workers.state.withLock { _ in self.transform.map { $0 as Any } }
    return held + stage.heldReferences + (transform.map { [.closure("transform", $0)] } ?? [])
  }
}

extension AsyncMapWorkers: ReferenceListing {
  package var heldReferences: [HeldReference] {
    let (owner, waiting, ready, end) = state.withLock { window in
      (
        self.owner, inputs.values, window.readyValues.map { results.slot(of: $0).pointee }, self.end
      )
    }
    return (owner.map { [.value("state.owner", $0)] } ?? [])
      + waiting.map { .value("state.window.values", $0) }
      + ready.map { .value("state.window.results", $0) }
      + (end.map { [.value("state.window.end", $0)] } ?? [])
  }
}

extension Iteration: ReferenceListing {
  package var heldReferences: [HeldReference] {
    let (elements, owner) = state.withLock { (self.elements, $0.owner) }
    return (elements.map { [.value("state.elements", $0)] } ?? [])
      + (owner.map { [.value("state.owner", $0)] } ?? [])
  }
}

extension AwaitedValues: ReferenceListing {
  package var heldReferences: [HeldReference] {
    let (value, failure) = state.withLock { state in
      // Whatever another call fetches just now belongs to it.
      guard case .value = state.calls.result, let slot else { return (nil as Input?, self.failure) }
      return (slot.pointee, self.failure)
    }
    var held = stage.heldReferences
    if let source = pullSource.object { held.append(.value("pullSource", source)) }
    if let value { held.append(.value("state.calls.result", value)) }
    if let failure { held.append(.value("state.failure", failure)) }
    return held
  }
}

extension AwaitedValues: ValueLoop {
  package static var call: String { "values" }
  package var isOver: Bool { state.withLock { $0.isOver } }
  package var waitingTasks: Int { state.withLock { $0.calls.count } }
}

extension ElementCursor: ReferenceListing {
  package var heldReferences: [HeldReference] { [.value("cursor", cursor)] }
}

extension ElementCursor: ValueLoop {
  package static var call: String { "values" }
  package var isOver: Bool { cursor.hasLeft }
  package var waitingTasks: Int { cursor.waitingCount }
}
