public import FanoutCore
public import FanoutEngine

/// The way of counted subscribers to the core that they share, or to the newest one.
@usableFromInline
package enum CountedSharing<Output, Failure: Error> {
  case one(ShareCore<Output, Failure>, SubscriberCounter)
  case newest(Generations<CountedCore<Output, Failure>>)

  /// Creates the way to a core, with a counter around it; each generation counts its own subscribers.
  @usableFromInline
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
  ///
  /// Inlined, because then the terms that a plain subscriber doesn't have are neither made nor looked at.
  @inlinable
  @inline(__always)
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

extension CountedSharing {
  /// Attaches the closures of a sink of a publisher that has this way, and starts the connection if it is the first.
  ///
  /// To one core it goes without a `SharedAccess`, which would retain what the publisher retains already.
  @inlinable
  @inline(__always)
  func sink(
    _ closures: consuming SinkClosures<Output, Subscribers.Completion<Failure>>,
    of publisher: AnyObject
  ) -> AnyCancellable {
    guard case .one(let core, let counter) = self else {
      return access(of: publisher).sink(closures)
    }
    return CountedSink.attach(
      consume closures, to: .passUnretained(core.hub), of: .passRetained(publisher),
      counter: .passUnretained(counter))
  }
}

/// A core and the counter of its subscribers.
@usableFromInline package final class CountedCore<Output, Failure: Error> {
  @usableFromInline package let core: ShareCore<Output, Failure>
  @usableFromInline package let counter: SubscriberCounter

  init(_ core: ShareCore<Output, Failure>, _ counter: SubscriberCounter) {
    self.core = core
    self.counter = counter
    noteCreation(of: self, isPart: true)
  }
}

@available(*, unavailable)
extension CountedSharing: Sendable {}

@available(*, unavailable)
extension CountedCore: Sendable {}
