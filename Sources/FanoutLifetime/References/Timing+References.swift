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
    let (oldest, queue, others) = state.withLock { _ in (first.value, rest, rest?.values ?? []) }
    let (dates, end) = state.withLock { _ in (dates, delayedEnd) }
    guard let queue, let dates else { return [] }
    return [.value("rest", queue), .value("rest", dates), .value("rest.log", others)]
      + (oldest.map { [.value("first", $0)] } ?? [])
      + (end.map { [.value(oldest == nil ? "first" : "rest.log", $0)] } ?? [])
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
    target.withLock { $0 }.map { [.value("target", $0)] } ?? []
  }
}
