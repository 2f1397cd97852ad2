internal import FanoutCore
internal import FanoutEngine

/// The way of counted subscribers to the core that they share, or to the newest one.
package enum CountedSharing<Output, Failure: Error> {
  case one(ShareCore<Output, Failure>, SubscriberCounter)
  case newest(Generations<CountedCore<Output, Failure>>)

  /// Creates the way to a core, with a counter around it; each generation counts its own
  /// subscribers.
  init(
    _ core: Current<ShareCore<Output, Failure>>,
    counting: @escaping (SubscriberCounter) -> SubscriberCounter
  ) {
    switch core {
    case .one(let core): self = .one(core, counting(core))
    case .newest(let cores):
      let counted = Generations<CountedCore<Output, Failure>> {
        $0.core !== cores.current
      } make: {
        let core = cores.current
        return CountedCore(core, counting(core))
      }
      cores.add(counted)
      self = .newest(counted)
    }
  }

  /// Returns the access of one subscriber of a publisher that has this way.
  func access(of publisher: AnyObject) -> SharedAccess<Output, Failure> {
    switch self {
    case .one(let core, let counter):
      return SharedAccess(hub: core.hub, owner: publisher, counter: counter, claims: core)
    case .newest(let generations):
      let counted = generations.current
      return SharedAccess(
        hub: counted.core.hub, owner: GenerationOwner(publisher: publisher, generation: counted),
        counter: counted.counter, claims: counted.core)
    }
  }
}

/// A core and the counter of its subscribers.
package final class CountedCore<Output, Failure: Error> {
  package let core: ShareCore<Output, Failure>
  package let counter: SubscriberCounter

  init(_ core: ShareCore<Output, Failure>, _ counter: SubscriberCounter) {
    self.core = core
    self.counter = counter
    noteCreation(of: self, isPart: true)
  }
}
