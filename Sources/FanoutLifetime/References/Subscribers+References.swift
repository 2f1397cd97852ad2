package import Fanout
package import FanoutEngine

extension Subscribers.Sink: ReferenceListing {
  package var heldReferences: [HeldReference] { stage.heldReferences }
}

extension SinkClosures: AdditionalReferences {
  package var additionalReferences: [HeldReference] {
    let ending = self as? EndingSinkClosures<Element, End>
    return [.closure("receiveValue", receiveValue)]
      + (ending.map { [.closure("receiveCompletion", $0.receiveCompletion)] } ?? [])
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
  package var heldReferences: [HeldReference] {
    var held: [HeldReference] = activity.isTaken ? [] : [.busy("activity")]
    _ = activity.inspect { held = [.value("activity", $0)] }
    return held
  }
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
