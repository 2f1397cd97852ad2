package import Fanout
internal import FanoutEngine

extension Generations: CompleteListing {
  package var heldReferences: [HeldReference] {
    [.closure("isOver", isOver), .closure("make", make)]
      + (newest.withLock { $0 }.map { [.value("newest", $0)] } ?? [])
  }
}

extension ConnectionClaims: ReferenceListing {
  package var heldReferences: [HeldReference] {
    [.value("state", state.withLock { $0 })] + additionalReferences(of: self)
  }
}

extension SubjectClaims: AdditionalReferences {
  package var additionalReferences: [HeldReference] {
    made.object.map { [.value("made", $0)] } ?? []
  }
}

extension UpstreamConnection: ReferenceListing {
  package var heldReferences: [HeldReference] {
    stage.heldReferences
  }
}

extension ConnectableConnection: ReferenceListing {
  package var heldReferences: [HeldReference] { [.value("state", state.withLock { $0 })] }
}

extension CountedSubscription: AdditionalReferences {
  /// The counter, read only while its owner is retained.
  package var additionalReferences: [HeldReference] {
    counter.map { [.unretained("counter", $0)] } ?? []
  }
}

extension DeliveriesSubscription: AdditionalReferences {
  /// The counter, read only while its owner is retained.
  package var additionalReferences: [HeldReference] {
    counter.map { [.unretained("counter", $0)] } ?? []
  }
}

extension CountedSink: AdditionalReferences {
  /// Read while the owner is retained, which retains the counter.
  package var additionalReferences: [HeldReference] {
    [.unretained("counter", counter.takeUnretainedValue())]
  }
}

extension BroadcastCore: ReferenceListing {
  package var heldReferences: [HeldReference] {
    pendingEnd.withLock { $0 }.map { [.value("pendingEnd", $0)] } ?? []
  }
}

extension BroadcastRoom: ReferenceListing {
  package var heldReferences: [HeldReference] {
    state.withLock { Array($0.turns.members) }.map { .value("state.turns", $0) }
  }
}

extension ReducedCell: ReferenceListing {
  package var heldReferences: [HeldReference] {
    // While this thread runs the closure, the state is changing.
    state.isHeldHere ? [] : [.value("state.recorded", state.withLock { $0.recorded })]
  }
}

/// A connection that knows whether it lives for its own sake or for its subscribers.
protocol ClaimedConnection: AnyObject {
  /// Whether a caller of `connect()` has not released its claim.
  var isClaimedByHand: Bool { get }
}

extension UpstreamConnection: ClaimedConnection {
  var isClaimedByHand: Bool { stage.withBody { $0.target.isClaimedByHand } ?? false }
}
