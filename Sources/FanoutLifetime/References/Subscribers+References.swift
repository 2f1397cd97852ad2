package import Fanout
internal import FanoutEngine

extension Subscribers.Sink: ReferenceListing {
  package var heldReferences: [HeldReference] { stage.heldReferences }
}

extension Subscribers.Assign: ReferenceListing {
  package var heldReferences: [HeldReference] { stage.heldReferences }
}

extension WeakAssign: ReferenceListing {
  package var heldReferences: [HeldReference] { stage.heldReferences }
}

extension WeakAssign.Body: AdditionalReferences {
  package var additionalReferences: [HeldReference] {
    object.map { [.unretained("object", $0)] } ?? []
  }
}

extension AnyCancellable: ReferenceListing {
  package var heldReferences: [HeldReference] {
    var held: [HeldReference] = activity.isTaken ? [] : [.busy("activity")]
    _ = activity.inspect { held = [.value("activity", $0)] }
    return held
  }
}

extension Subscribers.OneByOneSink: ReferenceListing {
  package var heldReferences: [HeldReference] {
    let end = handling.withLock { $0.end }
    return stage.heldReferences + (end.map { [.closure("handling.end", $0.receive)] } ?? [])
  }
}
