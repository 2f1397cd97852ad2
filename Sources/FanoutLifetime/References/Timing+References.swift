internal import Fanout
internal import FanoutEngine

extension Publishers.Debounce.Inner: ScheduledListing {
  var scheduledReferences: [HeldReference] {
    waiting.withLock { _ in held }.map { [.value("held", $0)] } ?? []
  }
}

extension Publishers.Throttle.Inner: ScheduledListing {
  var scheduledReferences: [HeldReference] {
    let (value, end) = waiting.withLock { _ in (held, heldEnd) }
    return (value.map { [.value("held", $0)] } ?? []) + (end.map { [.value("heldEnd", $0)] } ?? [])
  }
}

extension Publishers.Delay.Inner: ScheduledListing {
  var scheduledReferences: [HeldReference] {
    let (oldest, queue, others) = waiting.withLock { _ in (first, rest, rest?.values ?? []) }
    guard let queue else { return [] }
    return [.value("rest", queue), .value("rest.log", others)]
      + (oldest.map { [.value("first", $0)] } ?? [])
  }
}

extension Publishers.Timeout.Inner: ScheduledListing {
  var scheduledReferences: [HeldReference] {
    customError.withLock { $0 }.map { [.closure("customError", $0)] } ?? []
  }
}

extension Publishers.CollectByTime.Inner: ScheduledListing {
  var scheduledReferences: [HeldReference] {
    [.value("group", waiting.withLock { _ in group })]
  }
}

extension TimerTicket: ReferenceListing {
  package var heldReferences: [HeldReference] {
    target.withLock { $0 }.map { [.value("target", $0)] } ?? []
  }
}
