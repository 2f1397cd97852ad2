internal import FanoutCore
package import FanoutEngine

/// A source whose requests and cancel run on a scheduler.
package final class ScheduledSource: DeliverySource {
  package let base: DeliverySource
  package let place: ScheduledPlace

  init(_ base: DeliverySource, place: ScheduledPlace) {
    self.base = base
    self.place = place
    super.init()
  }

  package override func request(_ credit: Credit) {
    // A source that is released before the scheduler runs the action receives no request any more.
    place.schedule(.other { [weak self] in self?.base.request(credit) })
  }

  package override func disallowDrops() -> Bool { base.disallowDrops() }

  package override func cancel(thenRelease receiver: ChainNode?) {
    place.schedule(.other { [base] in base.cancel() })
    receiver?._sourceDidQuiesce()
  }
}
