internal import FanoutEngine

/// A source that is asked and cancelled at the place of a scheduler.
final class ScheduledSource<Context: Scheduler>: DeliverySource {
  let base: DeliverySource
  let place: ScheduledPlace<Context>

  init(_ base: DeliverySource, place: ScheduledPlace<Context>) {
    self.base = base
    self.place = place
    super.init()
  }

  override func request(_ credit: Credit) {
    // A source that was let go of before the scheduler comes to it is not asked any more.
    place.schedule { [weak self] in self?.base.request(credit) }
  }

  override func cancel(thenRelease receiver: Link?) {
    place.schedule { [base] in base.cancel() }
    receiver?._releaseFromGuard()
  }
}

extension ScheduledSource: ReferenceListing {
  package var heldReferences: [HeldReference] {
    [.value("base", base), .value("place", place)]
  }
}
