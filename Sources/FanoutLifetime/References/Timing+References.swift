internal import Fanout
internal import FanoutEngine

extension Publishers.Debounce.Inner: ScheduledListing {
  var scheduledReferences: [HeldReference] {
    state.withLock { _ in held.value }.map { [.value("held", $0)] } ?? []
  }
}

extension Publishers.Throttle.Inner: ScheduledListing {
  var scheduledReferences: [HeldReference] {
    let (value, end) = state.withLock { _ in (held.value, heldEnd) }
    return (value.map { [.value("held", $0)] } ?? []) + (end.map { [.value("heldEnd", $0)] } ?? [])
  }
}

extension Publishers.Delay.Inner: ScheduledListing {
  var scheduledReferences: [HeldReference] {
    var held: [HeldReference] = [.busy("batch"), .busy("batch.log")]
    _ = inspect { held = [.value("batch", batch.kept as Any), .value("batch.log", batch.values)] }
    let (dates, end) = state.withLock { _ in (self.dates.kept, delayedEnd) }
    if let end { held.append(.value("delayedEnd", end)) }
    return held + [.value("dates", dates as Any)]
  }
}

extension Publishers.Timeout.Inner: ScheduledListing {
  var scheduledReferences: [HeldReference] {
    customError.withLock { $0 }.map { [.closure("customError", $0)] } ?? []
  }
}

extension Publishers.CollectByTime.Inner: ScheduledListing {
  var scheduledReferences: [HeldReference] {
    [.value("group", state.withLock { _ in group.values })]
  }
}

extension TimerTicket: ReferenceListing {
  package var heldReferences: [HeldReference] {
    state.withLock { $0.target }.map { [.value("target", $0)] } ?? []
  }
}
