package import Fanout
internal import FanoutEngine

extension Publishers.Share: ReferenceListing {
  package var heldReferences: [HeldReference] {
    [.value("upstream", upstream), .value("sharing", sharing)]
  }
}

extension Publishers.ShareState: ReferenceListing {
  package var heldReferences: [HeldReference] {
    [.value("upstream", upstream), .value("sharing", sharing)]
  }
}

extension CurrentValue: ReferenceListing {
  package var heldReferences: [HeldReference] { [.value("origin", origin)] }
}

extension FollowedValue: ReferenceListing {
  package var heldReferences: [HeldReference] {
    [.value("followed", followed), .value("link", link)]
  }
}

extension MappedValue: ReferenceListing {
  package var heldReferences: [HeldReference] {
    [.value("source", source), .closure("transform", transform)]
  }
}

extension Publishers.Autoconnect: ReferenceListing {
  package var heldReferences: [HeldReference] {
    [.value("upstream", upstream), .value("way", way)]
  }
}

extension CountedCore: ReferenceListing {
  package var heldReferences: [HeldReference] {
    [.value("core", core), .value("counter", counter)]
  }
}

extension Generations: ReferenceListing {
  package var heldReferences: [HeldReference] {
    [.closure("isOver", isOver), .closure("make", make)]
      + (newest.withLock { $0 }.map { [.value("newest", $0)] } ?? [])
  }
}

extension GenerationOwner: ReferenceListing {
  package var heldReferences: [HeldReference] {
    [.value("publisher", publisher), .value("generation", generation)]
  }
}

extension Publishers.Multicast: ReferenceListing {
  package var heldReferences: [HeldReference] {
    [
      .value("upstream", upstream), .closure("createSubject", createSubject),
      .value("target", target),
    ]
  }
}

extension UpstreamShareCore: AdditionalReferences {
  package var additionalReferences: [HeldReference] {
    [.value("hub", hub), .value("upstream", upstream)]
  }
}

extension SubjectClaims: AdditionalReferences {
  package var additionalReferences: [HeldReference] {
    let held: [HeldReference] = [
      .value("upstream", upstream), .closure("createSubject", createSubject),
    ]
    return held + (made.object.map { [.value("made", $0)] } ?? [])
  }
}

extension Claim: ReferenceListing {
  package var heldReferences: [HeldReference] {
    [.value("claims", claims), .value("connection", connection)]
  }
}

extension ConnectionClaims: ReferenceListing {
  package var heldReferences: [HeldReference] {
    [.value("state", state.withLock { $0 })] + additionalReferences(of: self)
  }
}

extension UpstreamConnection: ReferenceListing {
  package var heldReferences: [HeldReference] {
    stage.heldReferences + [.closure("subscribing", subscribing)]
  }
}

extension UpstreamConnection.Body: AdditionalReferences {
  package var additionalReferences: [HeldReference] {
    [.value("target", target)]
  }
}

extension LingeringCounter: ReferenceListing {
  package var heldReferences: [HeldReference] {
    [.value("inner", inner)] + (timer.map { [.value("timer", $0)] } ?? [])
  }
}

extension ScheduledGraceTimer: ReferenceListing {
  package var heldReferences: [HeldReference] { [.value("scheduler", scheduler)] }
}

extension ThresholdCounter: ReferenceListing {
  package var heldReferences: [HeldReference] { [.value("inner", inner)] }
}

extension ConnectableClaims: AdditionalReferences {
  package var additionalReferences: [HeldReference] { [.value("upstream", upstream)] }
}

extension ConnectableConnection: ReferenceListing {
  package var heldReferences: [HeldReference] {
    [.value("upstream", upstream), .value("state", state.withLock { $0 })]
  }
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
    [.unretained("counter", counter)]
  }
}

extension RelayedSubscription.Body: AdditionalReferences {
  package var additionalReferences: [HeldReference] {
    let held: [HeldReference] = [.value("downstream", downstream), .value("parent", parent)]
    return held + (counter.map { [.value("counter", $0)] } ?? [])
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
