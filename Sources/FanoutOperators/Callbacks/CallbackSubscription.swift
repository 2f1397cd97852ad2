package import FanoutCore
package import FanoutEngine
internal import Synchronization

/// The subscription to an API with observers.
///
/// It adds its observer at the first request, accepts the requested values, and removes the
/// observer at cancel and at the completion.
package final class CallbackSubscription<Output, Failure: Error>:
  QueuedSubscription<Never, Output, Output, Failure>, CallbackTarget
{
  package typealias Base = Publishers.Callback<Output, Failure>

  /// The life of the observer, guarded by a lock.
  package enum Phase {
    case waiting(Base)
    case adding
    case added(Base.Removal)
    case over
  }

  package struct Life {
    package var phase: Phase
    /// The observer, which only the API retains: an API that has released it retains nothing here.
    package weak var observer: CallbackObserver<Output, Failure>?
  }

  package let life: Lock<Life>
  private let hasAsked = AtomicValue<Bool>(false)
  /// The number of values that may still be accepted: never more than may still be delivered.
  private let allowed = CreditAccount()

  init(_ base: Base, downstream: ErasedSubscriber<Output, Failure>, name: StaticString) {
    life = Lock(Life(phase: .waiting(base)))
    super.init(downstream: downstream, name: name)
  }

  package override func disallowDrops() -> Bool { true }

  package override func request(_ credit: Credit) {
    guard credit != .none, !isCancelled, !isOver else { return }
    allowed.add(credit)
    super.request(credit)
    if !hasAsked.exchange(true, ordering: .acquiringAndReleasing) { addObserver() }
  }

  private func addObserver() {
    let observer = CallbackObserver<Output, Failure>(for: self)
    let base = life.withLock { life -> Base? in
      guard case .waiting(let base) = life.phase else { return nil }
      life = Life(phase: .adding, observer: observer)
      return base
    }
    guard let base else { return observer.close() }
    let remove = base.observe(observer.handler, observer.finish)
    let isWanted = life.withLock { life in
      guard case .adding = life.phase else { return false }
      life.phase = .added(remove)
      return true
    }
    // A cancel or a completion that arrived meanwhile had no token.
    if !isWanted { remove() }
  }

  /// Accepts a value if it was requested.
  package func accept(_ value: Output) {
    if allowed.takeOne() { add(value) }
  }

  /// Accepts the completion if it is the first.
  package func accept(completion: Subscribers.Completion<Failure>) {
    guard close() else { return }
    removeObserver()
    deliverEnd(completion)
  }

  /// Stops accepting values, and removes the observer if it exists already.
  private func removeObserver() {
    let old = life.withLock { life in
      let old = life
      life = Life(phase: .over)
      return old
    }
    old.observer?.close()
    if case .added(let remove) = old.phase { remove() }
  }

  package override func runOut(isLimited: Bool) {
    deliverItems(isLimited: isLimited) { more in if more != .none { allowed.add(more) } }
  }

  package override func willCancel() {
    removeObserver()
    super.willCancel()
  }
}
