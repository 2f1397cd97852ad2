package import Fanout
internal import FanoutEngine

/// A source with a queue, which lists that besides what its class adds.
protocol QueueListing: AnyObject {
  /// The references that every source with a queue holds.
  var queueReferences: [HeldReference] { get }
}

extension QueuedSubscription: QueueListing {
  var queueReferences: [HeldReference] {
    var held: [HeldReference] = [.busy("downstream")]
    _ = inspect { held = receiver.map { [.value("downstream", $0)] } ?? [] }
    held += [
      .value("items", state.withLock { _ in items.kept } as Any),
      .value("items.log", state.withLock { _ in items.values }),
    ]
    if let end = state.withLock({ _ in end }) { held.append(.value("waiting.end", end)) }
    return held + stage.heldReferences
  }
}

extension Publishers.Buffer.Inner: AdditionalReferences {
  package var additionalReferences: [HeldReference] {
    guard case .customError(let makeError) = whenFull.withLock({ $0 }) else { return [] }
    return [.closure("whenFull", makeError)]
  }
}

extension ScheduledSubscription: AdditionalReferences {
  package var additionalReferences: [HeldReference] {
    let kept = (self as? any ScheduledListing)?.scheduledReferences ?? []
    return kept
      + (state.withLock { _ in place }.map { [.closure("place.scheduler", $0.schedule)] } ?? [])
  }
}

/// A source that delivers on a scheduler, which lists what it keeps besides its queue.
protocol ScheduledListing: AnyObject {
  /// The references that the operator adds.
  var scheduledReferences: [HeldReference] { get }
}

extension Publishers.ReceiveOn.Inner: ScheduledListing {
  var scheduledReferences: [HeldReference] {
    var held: [HeldReference] = [.busy("batch"), .busy("batch.log")]
    _ = inspect {
      held = [
        .value("batch", batch.kept as Any),
        .value("batch.log", (first.value.map { [$0] } ?? []) + batch.values),
      ]
    }
    return held
  }
}

extension Publishers.SubscribeOn.Inner: AdditionalReferences {
  package var additionalReferences: [HeldReference] {
    place.withLock { $0 }.map { [.value("place.scheduler", $0.scheduler)] } ?? []
  }
}

extension ScheduledSource: ReferenceListing {
  package var heldReferences: [HeldReference] {
    [.value("base", base), .value("scheduler", scheduler)]
  }
}

extension MergedSubscription: AdditionalReferences {
  package var additionalReferences: [HeldReference] {
    let feedsOfItems = state.withLock { _ in self.feedsOfItems }
    return [
      .value("feeds", feeds.state.withLock { $0 }), .value("items.log", feedsOfItems),
    ]
  }
}

extension Publishers.FlatMap.OuterBody: OperatorBodyListing {
  var operatorReferences: [HeldReference] { [.closure("transform", make)] }
}

extension InnerSubscription: ReferenceListing {
  package var heldReferences: [HeldReference] {
    source.withLock { $0 }.map { [.value("source", $0)] } ?? []
  }
}

extension CombinedSubscription: AdditionalReferences {
  package var additionalReferences: [HeldReference] {
    var kept: [HeldReference] = [.busy("sources.kept")]
    _ = inspect { kept = sources.flatMap { ($0 as? any KeptListing)?.keptReferences ?? [] } }
    return [.value("sources", sources)] + kept
  }
}

/// A publisher that is combined, which keeps values for the operator.
protocol KeptListing: AnyObject {
  /// The values; the caller holds the operator's drain.
  var keptReferences: [HeldReference] { get }
}

extension LatestValue: KeptListing {
  var keptReferences: [HeldReference] {
    latest.map { [.value("sources.latest", $0.pointee)] } ?? []
  }
}

extension ZippedValues: KeptListing {
  var keptReferences: [HeldReference] { [.value("sources.values", values.values)] }
}

extension SwitchedSubscription: AdditionalReferences {
  package var additionalReferences: [HeldReference] {
    state.withLock { _ in current }.map { [.value("current", $0)] } ?? []
  }
}

extension CallbackSubscription: AdditionalReferences {
  package var additionalReferences: [HeldReference] {
    let (phase, observer) = life.withLock { ($0.phase, $0.observer) }
    let held = observer.map { [HeldReference.unretained("state.observer", $0)] } ?? []
    switch phase {
    case .waiting(let base): return held + [.value("state.base", base)]
    case .added(let remove): return held + [.closure("state.remove", remove)]
    case .adding, .over: return held
    }
  }
}

extension CallbackObserver: ReferenceListing {
  package var heldReferences: [HeldReference] {
    target.withLock { $0 }.map { [.value("target", $0)] } ?? []
  }
}
