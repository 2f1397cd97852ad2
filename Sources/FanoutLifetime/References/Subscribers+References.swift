package import Fanout
internal import FanoutEngine

extension Subscribers.Sink: ReferenceListing {
  package var heldReferences: [HeldReference] { stage.heldReferences }
}

extension Subscribers.Sink.Body: AdditionalReferences {
  package var additionalReferences: [HeldReference] {
    let completing = self as? Subscribers.Sink<Input, Failure>.CompletingBody
    return [.closure("receiveValue", receiveValue)]
      + (completing.map { [.closure("receiveCompletion", $0.receiveCompletion)] } ?? [])
  }
}

extension Subscribers.Assign: ReferenceListing {
  package var heldReferences: [HeldReference] { stage.heldReferences }
}

extension Subscribers.Assign.Body: AdditionalReferences {
  package var additionalReferences: [HeldReference] { [.value("object", object)] }
}

extension WeakAssign: ReferenceListing {
  package var heldReferences: [HeldReference] { stage.heldReferences }
}

extension WeakAssign.Body: AdditionalReferences {
  package var additionalReferences: [HeldReference] {
    object.map { [.unretained("object", $0)] } ?? []
  }
}

extension AnySubscriberBox: ReferenceListing {
  package var heldReferences: [HeldReference] {
    [
      .value("base", base), .closure("receiveSubscription", receiveSubscription),
      .closure("receiveValue", receiveValue), .closure("receiveCompletion", receiveCompletion),
    ]
  }
}

extension AnyCancellable: ReferenceListing {
  package var heldReferences: [HeldReference] { body.withObject { [.value("body", $0)] } ?? [] }
}

extension Cancelled: ReferenceListing {
  package var heldReferences: [HeldReference] { [.value("canceller", canceller)] }
}

extension CancelledClosure: ReferenceListing {
  package var heldReferences: [HeldReference] { [.closure("run", run)] }
}

extension Subscribers.OneByOneSink: ReferenceListing {
  package var heldReferences: [HeldReference] {
    let end = handling.withLock { $0.end }
    return stage.heldReferences + (end.map { [.closure("handling.end", $0.receive)] } ?? [])
  }
}

extension Subscribers.OneByOneSink.Body: AdditionalReferences {
  package var additionalReferences: [HeldReference] {
    [.closure("handle", handle), .closure("receiveCompletion", receiveCompletion)]
  }
}
