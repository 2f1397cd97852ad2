internal import FanoutEngine
internal import Synchronization

/// The subscription to an API with observers: adds its observer at the first request, accepts what was
/// asked for, and removes the observer at cancel and at the end.
final class CallbackSubscription<Downstream: Subscriber>:
  QueuedSubscription<Downstream.Input, Downstream>, CallbackTarget
{
  typealias Base = Publishers.Callback<Downstream.Input, Downstream.Failure>

  /// What has become of the observer, guarded by a lock.
  private enum Phase {
    case waiting(Base)
    case adding
    case added(Base.Removal)
    case over
  }

  private struct State {
    var phase: Phase
    /// What the API was given, and alone keeps: one that has let go of it keeps nothing here.
    weak var observer: CallbackObserver<Downstream.Input, Downstream.Failure>?
  }

  private let state: Lock<State>
  private let hasAsked = AtomicValue<Bool>(false)
  /// What may still be accepted: at any time at most what may still be delivered.
  private let allowed = PendingCredit()

  init(_ base: Base, downstream: Downstream) {
    state = Lock(State(phase: .waiting(base)))
    super.init(downstream: downstream, name: "Callback")
  }

  override func request(_ credit: Credit) {
    guard credit != .none, !isCancelled, !isOver else { return }
    allowed.add(credit)
    super.request(credit)
    if !hasAsked.exchange(true, ordering: .acquiringAndReleasing) { addObserver() }
  }

  private func addObserver() {
    let observer = CallbackObserver<Downstream.Input, Downstream.Failure>(for: self)
    let base = state.withLock { state -> Base? in
      guard case .waiting(let base) = state.phase else { return nil }
      state = State(phase: .adding, observer: observer)
      return base
    }
    guard let base else { return observer.close() }
    let remove = base.observe(observer.handler, observer.finish)
    let isWanted = state.withLock { state in
      guard case .adding = state.phase else { return false }
      state.phase = .added(remove)
      return true
    }
    // A cancel or an end that came meanwhile had no token.
    if !isWanted { remove() }
  }

  /// Accepts a value, if it was asked for.
  func accept(_ value: Downstream.Input) {
    if allowed.takeOne() { add(value) }
  }

  /// Accepts the end.
  func accept(completion: Subscribers.Completion<Downstream.Failure>) {
    removeObserver()
    end(completion)
  }

  /// Lets nothing more in, and removes the observer, if there is one already.
  private func removeObserver() {
    let old = state.withLock { state in
      let old = state
      state = State(phase: .over)
      return old
    }
    old.observer?.close()
    if case .added(let remove) = old.phase { remove() }
  }

  override func runOut() {
    deliverItems(
      { $0 }, afterEach: { _, more in if more != .none { allowed.add(more) } })
  }

  override func willCancel() {
    removeObserver()
    super.willCancel()
  }

  package override var heldReferences: [HeldReference] {
    let (phase, observer) = state.withLock { ($0.phase, $0.observer) }
    let held = observer.map { [HeldReference.unretained("state.observer", $0)] } ?? []
    switch phase {
    case .waiting(let base): return super.heldReferences + held + [.value("state.base", base)]
    case .added(let remove): return super.heldReferences + held + [.closure("state.remove", remove)]
    case .adding, .over: return super.heldReferences + held
    }
  }
}
