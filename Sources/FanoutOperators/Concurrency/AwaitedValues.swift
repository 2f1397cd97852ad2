// `@unchecked Sendable` invariant: everything that changes is in `stage` and `state`, which are
// safe to use from any thread. One thread takes a waiter out under the lock, and answers it after
// the lock; a value goes to one waiter and is not touched here again.

public import FanoutCore
public import FanoutEngine

/// The subscriber behind an asynchronous iterator, which requests a value for each waiting call.
///
/// It keeps no value: a value that arrives while no call waits was not requested.
@usableFromInline
package final class AwaitedValues<Input, Failure: Error>: ChainNode, Subscriber, Cancellable,
  CustomStringConvertible, @unchecked Sendable
{
  /// The result of a call of `next()`.
  @usableFromInline
  package enum Event {
    case value(Input)
    case failure(Failure)
    case end
  }

  @usableFromInline package typealias Waiter = OneShot<Event>

  @usableFromInline
  package struct State {
    @usableFromInline package var waiters: [Waiter] = []
    @usableFromInline var isSubscribed = false
    @usableFromInline package var isOver = false
    /// The failure that arrived while no call waited.
    @usableFromInline package var failure: Failure?

    @inlinable init() {}
  }

  @usableFromInline package let stage = ReceiverStage(UpstreamBody())
  @usableFromInline package let state = Lock(State())

  @inlinable
  init() { super.init() }

  /// Requests one value and waits for it; a cancelled task gets nil, and cancels the upstream.
  @inlinable
  func next(isolation actor: isolated (any Actor)?) async throws(Failure) -> Input? {
    let waiter = Waiter()
    let event = await withTaskCancellationHandler {
      ask(for: waiter)
      return UnsafeTransfer(await waiter.wait(isolation: actor))
    } onCancel: {
      cancel()
    }
    return try Self.value(of: event.value)
  }

  /// Requests one value and waits for it, whether or not the task is cancelled.
  @inlinable
  func nextDespiteCancel(isolation actor: isolated (any Actor)?) async throws(Failure) -> Input? {
    let waiter = Waiter()
    ask(for: waiter)
    return try Self.value(of: await waiter.wait(isolation: actor))
  }

  @inlinable
  static func value(of event: Event) throws(Failure) -> Input? {
    switch event {
    case .value(let value): return value
    case .failure(let failure): throw failure
    case .end: return nil
    }
  }

  /// Requests one value; `waiter` receives it, or the completion, once.
  @inlinable
  package func ask(for waiter: Waiter) {
    let (isOver, failure, asks) = state.withLock { state -> (Bool, Failure?, Bool) in
      guard !state.isOver else {
        defer { state.failure = nil }
        return (true, state.failure, false)
      }
      state.waiters.append(waiter)
      // Without a subscription yet, the arrival of the subscription makes the request.
      return (false, nil, state.isSubscribed)
    }
    if isOver {
      waiter.give(failure.map { .failure($0) } ?? .end)
    } else if asks {
      BoundedDelivery.limit { stage.request(Credit(rawValue: 1)) }
    }
  }

  @inlinable
  package func receive(subscription: any Subscription) {
    guard stage.attach(deliverySource(of: subscription), for: self) else { return }
    let asked = state.withLock { state in
      defer { state.isSubscribed = true }
      return state.isSubscribed ? 0 : state.waiters.count
    }
    if asked > 0 { stage.request(Credit(rawValue: UInt(asked))) }
  }

  @inlinable
  package func receive(_ input: Input) -> Subscribers.Demand {
    let waiter = state.withLock { state in
      state.isSubscribed && !state.waiters.isEmpty ? state.waiters.removeFirst() : nil
    }
    waiter?.give(.value(input))
    return .none
  }

  @inlinable
  package func receive(completion: Subscribers.Completion<Failure>) {
    guard stage.finish(for: self, taking: { _ in true }) ?? false else { return }
    var failure: Failure? = nil
    if case .failure(let error) = completion { failure = error }
    for waiter in close(failure) {
      // Only the first waiter receives the failure; the others, and later calls, receive the end.
      let event: Event = failure.map { .failure($0) } ?? .end
      failure = nil
      waiter.give(event)
    }
  }

  @inlinable
  package override func cancel() {
    let waiters = close(nil)
    BoundedDelivery.limit { stage.cancel(for: self) }
    for waiter in waiters { waiter.give(.end) }
  }

  /// Notes the end and returns the waiters; if there are none, the failure waits for a later call.
  @inlinable
  func close(_ failure: Failure?) -> [Waiter] {
    let (waiters, old) = state.withLock { state -> ([Waiter], Failure?) in
      defer {
        // If a cancel came first, the failure is dropped.
        state.failure = state.isOver || !state.waiters.isEmpty ? nil : failure
        state.isOver = true
        state.waiters = []
      }
      return (state.waiters, state.failure)
    }
    withExtendedLifetime(old) {}
    return waiters
  }

  @usableFromInline package var description: String { "AsyncPublisher" }
}
