// Unmanaged references: invariant: a cursor's hub and receiver are read while the owner is entered,
// and the receiver only by the holder of the drain.

package import FanoutEngine

extension Hub: CompleteListing {
  package var heldReferences: [HeldReference] {
    var left = withInbox { $0 }
    let acceptedEnd = left.end
    left.end = nil
    // The slots list the cursors that have them.
    left.accounts = ArrivalList()
    left.selections = ArrivalList()
    let constants: [HeldReference?] = [
      .closure("reading", reading),
      .value("inbox", left), acceptedEnd.map { .value("inbox.end", $0) },
      .value("inbox.values", withInbox { $0.values.values }),
      .value("inbox.pullLog.log", withInbox { $0.pullLog?.log.values ?? [] }),
      .value(
        "inbox.pullLog.cursors",
        withInbox { inbox in
          inbox.pullLog.map { Array($0.cursors.members) } ?? []
        }),
      rules.isKeyframe.map { .closure("isKeyframe", $0) },
      rules.limits?.cost.map { .closure("cost", $0.of) },
      rules.limits?.age.map { .closure("age", $0.now) },
      rules.makeHeaders.map { .closure("makeHeaders", $0) },
      rules.startRequests.map { .value("startRequests", $0) },
      rules.makeCache.map { .closure("makeCache", $0) },
      limits.map { .value("limits", $0) },
    ]
    var held: [HeldReference] = [.busy("slots")]
    _ = inspect { held = drainReferences }
    return constants.compactMap { $0 } + held
  }

  /// The references that only the holder of the drain may read.
  private var drainReferences: [HeldReference] {
    let set: [HeldReference?] = [
      retention.cache.map { .value("cache", $0) },
      retention.cache.map { .value("cache.kept", $0.copy()) },
      retention.starting.meter.costs.map { .value("starting.costs", $0) },
      retention.starting.meter.times.map { .value("starting.times", $0) },
      retention.starting.headers.map { .value("starting.headers", $0) },
      retention.starting.headers.map {
        .value("starting.headers.kept", $0.contents(.min).map(\.value))
      },
      retention.newest.map { .value("newest", $0) },
      retention.displaced.map { .value("displaced", $0) },
      retention.end.map { .value("end", $0) },
      limits?.upstream.map { .value("limits.upstream", $0) },
    ]
    return [
      .value("slots", cursors), .value("log", retention.log.values),
      .value("due", Array(worklist.due[worklist.dueHead...])),
      .value("batch", worklist.batch), .value("values", worklist.values.values),
    ] + set.compactMap { $0 }
  }

  /// Lists what a pulling cursor holds under the lock of the inbox.
  fileprivate func references(of cursor: PullCursor<Element, End>) -> [HeldReference] {
    withInbox { _ in
      let set: [HeldReference?] = [
        cursor.whenLeft.map { .closure("whenLeft", $0) },
        cursor.backlog.map { .value("backlog", $0) },
        cursor.backlog.map { .value("backlog.log", $0.values) },
        cursor.held.map { .value("terms.log", $0.values.map(\.element)) },
      ]
      guard let terms = cursor.terms else { return set.compactMap { $0 } }
      return set.compactMap { $0 } + terms.policy.references("terms")
        + terms.references("terms", isBusy: cursor.conflating != nil)
    }
  }
}

extension Cursor: CompleteListing {
  package var heldReferences: [HeldReference] {
    let held = owner.withObject { owner -> [HeldReference] in
      var held: [HeldReference] = [busyReceiver]
      let hub = hub.takeUnretainedValue()
      _ = hub.inspect {
        // While it waits for its turn to join, a cancel on another thread may detach it, under this
        // lock.
        held = hub.withInbox { _ in drainReferences }
      }
      return [.value("owner", owner), .unretained("hub", hub)] + held
        + FanoutLifetime.additionalReferences(of: self)
    }
    let deliver = (self as? DemandCursor<Element, End>)?.deliver
    return (held ?? []) + (deliver.map { [.closure("deliver", $0)] } ?? [])
  }
}

extension Cursor {
  /// The references that the holder of the hub's drain may read under the lock of the inbox.
  private var drainReferences: [HeldReference] {
    var held: [HeldReference] = []
    if !isDetached { held.append(.value("receiver", receiver.takeUnretainedValue())) }
    guard let backlog else { return held }
    guard let limited = limitedBacklog else {
      return held + [.value("backlog", backlog), .value("backlog.log", backlog.values)]
    }
    // The closures of another policy are told by the hub.
    if hasOwnTerms { held += limited.policy.references("backlog") }
    return held + limited.references("backlog")
  }

  /// The receiver as far as it is known while a thread delivers.
  ///
  /// The closures of a sink refer to the sink, which tells them from another object at their
  /// address.
  private var busyReceiver: HeldReference {
    guard self is any HubSink else { return .busy("receiver") }
    return .part("receiver", receiver) { ($0 as? ReceiverBody)?.isAdopted(by: self) == true }
  }
}

/// A sink on a hub, which is one object: place and closures refer to each other until it is
/// detached.
protocol HubSink: DeliverySource {}

extension SinkCursor: HubSink {}

extension PullCursor: CompleteListing {
  package var heldReferences: [HeldReference] {
    let held = owner.withObject { owner -> [HeldReference] in
      let hub = hub.takeUnretainedValue()
      return [.value("owner", owner), .unretained("hub", hub)] + hub.references(of: self)
    }
    let result = calls.withLock { $0.result }
    return (held ?? []) + (result.map { [.value("calls.result", $0)] } ?? [])
      + [.value("batch", withBatch { $0 })]
  }
}

extension LimitedBacklog {
  /// Lists what it holds under a name; while a thread conflates what waits, it `isBusy`.
  fileprivate func references(_ name: String, isBusy: Bool = false) -> [HeldReference] {
    let held: [HeldReference?] = [
      .value(name, self),
      isBusy ? nil : .value("\(name).log", allValues),
      end.map { .value("\(name).end", $0) },
      place.isKnown.map { .closure("\(name).place", $0) },
      selection.map { .closure("\(name).selects", $0.selects) },
      measure.map { .value("\(name).measure", $0) },
      measure?.meter.costs.map { .value("\(name).costs", $0) },
      measure?.meter.times.map { .value("\(name).times", $0) },
      isBusy ? nil : measure?.conflation.map { .value("\(name).keys", $0.index.copy()) },
    ]
    return held.compactMap { $0 }
  }
}

extension PullCursor {
  /// Whether it has released its owner.
  var hasLeft: Bool { owner.withObject { _ in } == nil }

  /// The number of calls that wait for the next value.
  var waitingCount: Int { calls.withLock { $0.count } }
}

extension ValueQueue: CompleteListing {
  // The cursor lists the state of deliveries, and reads it while none is running.
  package var heldReferences: [HeldReference] { [] }
}

extension BacklogLimits: CompleteListing {
  // The hub lists the upstream, which only the holder of its drain may read.
  package var heldReferences: [HeldReference] {
    policy.references("policy")
  }
}

extension BacklogPolicy {
  /// Lists its closures, as properties of a value.
  fileprivate func references(_ value: String) -> [HeldReference] {
    let closures: [HeldReference?] = [
      makeEnd.map { .closure("\(value).makeEnd", $0) },
      limits?.cost.map { .closure("\(value).cost", $0.of) },
      limits?.age.map { .closure("\(value).age", $0.now) },
      conflation.map { .closure("\(value).makeIndex", $0.makeIndex) },
      conflation?.merge.map { .closure("\(value).merge", $0) },
      patience.map { .closure("\(value).makeTimer", $0.makeTimer) },
    ]
    return closures.compactMap { $0 }
  }
}

extension BacklogMeasure: ReferenceListing {
  // The cursor lists the variables, which only the holder of the drain may read.
  package var heldReferences: [HeldReference] { [] }
}

extension BacklogPatience: ReferenceListing {
  package var heldReferences: [HeldReference] {
    cursor.map { [.unretained("cursor", $0)] } ?? []
  }
}

extension PullLog: CompleteListing {
  // The hub lists the state under the lock of the inbox, because it has that lock.
  package var heldReferences: [HeldReference] { [] }
}

extension CustomCache: CompleteListing {
  // The closures capture the cache. The hub lists a copy of it, made while no thread records.
  package var heldReferences: [HeldReference] { [] }
}

extension HeaderCache: CompleteListing {
  // The closures capture the headers, which the hub lists.
  package var heldReferences: [HeldReference] { [] }
}

extension UpstreamList: ReferenceListing {
  package var heldReferences: [HeldReference] {
    let (asked, unasked) = state.withLock { state in
      (Array(state.feeds[..<state.askedCount]), Array(state.feeds[state.askedCount...]))
    }
    return [.value("state.asked", asked), .value("state.unasked", unasked)]
  }
}

extension OneShot: ReferenceListing {
  package var heldReferences: [HeldReference] {
    state.withLock { $0.value }.map { [.value("state.value", $0)] } ?? []
  }
}

extension Selection: CompleteListing {
  // The cursor lists the closure.
  package var heldReferences: [HeldReference] { [] }
}
