// `@unchecked Sendable` invariant: everything that changes is in `stage` and `state`, which are safe to
// use from any thread. A waiter is taken out under the lock, so by one thread, and answered by that
// one after the lock; a value goes to one waiter and is not touched here again.

internal import FanoutEngine

/// The subscriber behind an asynchronous iterator: asks for a value when somebody waits for one.
///
/// It keeps no value: one that comes while nobody waits was not asked for.
final class AwaitedValues<Input, Failure: Error>: Link, Subscriber, Cancellable,
  CustomStringConvertible, @unchecked Sendable
{
  private enum Event {
    case value(Input)
    case failure(Failure)
    case end
  }

  private typealias Waiter = Answer<Event>

  private struct State {
    var waiters: [Waiter] = []
    var isSubscribed = false
    var isOver = false
    /// A failure that came while nobody waited.
    var failure: Failure?
  }

  private let stage = ReceiverStage(UpstreamBody())
  private let state = Lock(State())

  init() { super.init() }

  /// Asks for one value and waits for it; a cancelled task gets nil, and cancels the upstream.
  func next(isolation actor: isolated (any Actor)?) async throws(Failure) -> Input? {
    let waiter = Waiter()
    let event = await withTaskCancellationHandler {
      ask(for: waiter)
      return HandedOver(await waiter.wait(isolation: actor))
    } onCancel: {
      cancel()
    }
    return try Self.value(of: event.value)
  }

  /// The same for who waits whatever becomes of its task.
  func nextDespiteCancel(isolation actor: isolated (any Actor)?) async throws(Failure) -> Input? {
    let waiter = Waiter()
    ask(for: waiter)
    return try Self.value(of: await waiter.wait(isolation: actor))
  }

  private static func value(of event: Event) throws(Failure) -> Input? {
    switch event {
    case .value(let value): return value
    case .failure(let failure): throw failure
    case .end: return nil
    }
  }

  private func ask(for waiter: Waiter) {
    let (isOver, failure, asks) = state.withLock { state -> (Bool, Failure?, Bool) in
      guard !state.isOver else {
        defer { state.failure = nil }
        return (true, state.failure, false)
      }
      state.waiters.append(waiter)
      // Otherwise who brings the subscription asks.
      return (false, nil, state.isSubscribed)
    }
    if isOver {
      waiter.give(failure.map { .failure($0) } ?? .end)
    } else if asks {
      stage.request(Credit(rawValue: 1))
    }
  }

  func receive(subscription: any Subscription) {
    guard stage.attach(deliverySource(of: subscription), for: self) else { return }
    let asked = state.withLock { state in
      defer { state.isSubscribed = true }
      return state.isSubscribed ? 0 : state.waiters.count
    }
    if asked > 0 { stage.request(Credit(rawValue: UInt(asked))) }
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    let waiter = state.withLock { state in
      state.isSubscribed && !state.waiters.isEmpty ? state.waiters.removeFirst() : nil
    }
    waiter?.give(.value(input))
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    guard stage.finish(for: self, taking: { _ in true }) ?? false else { return }
    var failure: Failure? = nil
    if case .failure(let error) = completion { failure = error }
    for waiter in close(failure) {
      // The first one learns of the failure; nobody else needs to, and no one later.
      let event: Event = failure.map { .failure($0) } ?? .end
      failure = nil
      waiter.give(event)
    }
  }

  override func cancel() {
    let waiters = close(nil)
    stage.cancel(for: self)
    for waiter in waiters { waiter.give(.end) }
  }

  /// Notes the end and returns who waits; if nobody does, the failure waits for who comes.
  private func close(_ failure: Failure?) -> [Waiter] {
    let (waiters, old) = state.withLock { state -> ([Waiter], Failure?) in
      defer {
        // A cancel that came first has the last word.
        state.failure = state.isOver || !state.waiters.isEmpty ? nil : failure
        state.isOver = true
        state.waiters = []
      }
      return (state.waiters, state.failure)
    }
    withExtendedLifetime(old) {}
    return waiters
  }

  var description: String { "AsyncPublisher" }
}

extension AwaitedValues: ReferenceListing {
  package var heldReferences: [HeldReference] {
    let failure = state.withLock { $0.failure }
    return stage.heldReferences + (failure.map { [.value("state.failure", $0)] } ?? [])
  }
}
