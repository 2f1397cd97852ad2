package import Fanout
internal import FanoutEngine

extension AsyncMapSubscription: AdditionalReferences {
  package var additionalReferences: [HeldReference] {
    var held: [HeldReference] = [.busy("downstream")]
    _ = inspect { held = downstream.map { [.value("downstream", $0)] } ?? [] }
    let transform = transform.withLock { $0 }
    return held + stage.heldReferences + (transform.map { [.closure("transform", $0)] } ?? [])
  }
}

extension AsyncMapWorkers: ReferenceListing {
  package var heldReferences: [HeldReference] {
    let (owner, places, end) = state.withLock {
      ($0.owner, $0.window.places, $0.window.completion)
    }
    var held: [HeldReference] = owner.map { [.value("state.owner", $0)] } ?? []
    for place in places {
      switch place {
      case .waiting(let input): held.append(.value("state.window.values", input))
      case .ready(let output): held.append(.value("state.window.results", output))
      case .empty, .working: break
      }
    }
    if let end { held.append(.value("state.window.end", end)) }
    return held
  }
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
    let (result, failure) = state.withLock { ($0.calls.result, $0.failure) }
    var held = stage.heldReferences
    if let source = pullSource.object { held.append(.value("pullSource", source)) }
    if let result { held.append(.value("state.calls.result", result)) }
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
  package static var call: String { "elements()" }
  package var isOver: Bool { cursor.hasLeft }
  package var waitingTasks: Int { cursor.waitingCount }
}
