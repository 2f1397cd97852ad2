// `@unchecked Sendable` invariant: everything that changes is in `stage` and `state`, which are
// safe to use from any thread. One thread takes a waiter out under the lock, and answers it after
// the lock; a value goes to one waiter and is not touched here again.

package import FanoutCore
package import FanoutEngine

/// The subscriber behind an asynchronous iterator, which requests a value for each waiting call.
///
/// It keeps no value: a value that arrives while no call waits was not requested.
package final class AwaitedValues<Input, Failure: Error>: ChainNode, Subscriber, Cancellable,
  CustomStringConvertible, @unchecked Sendable
{
  /// The result of a call of `next()`.
  package enum Event {
    case value(Input)
    case failure(Failure)
    case end
  }

  package typealias Waiter = OneShot<Event>

  package struct State {
    package var waiters: [Waiter] = []
    var isSubscribed = false
    package var isOver = false
    /// The failure that arrived while no call waited.
    package var failure: Failure?
  }

  package let stage = ReceiverStage(UpstreamBody())
  package let state = Lock(State())

  init() { super.init() }

  /// Requests one value and waits for it; a cancelled task gets nil, and cancels the upstream.
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

  /// Requests one value; `waiter` receives it, or the completion, once.
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

  package func receive(subscription: any Subscription) {
    guard stage.attach(deliverySource(of: subscription), for: self) else { return }
    let asked = state.withLock { state in
      defer { state.isSubscribed = true }
      return state.isSubscribed ? 0 : state.waiters.count
    }
    if asked > 0 { stage.request(Credit(rawValue: UInt(asked))) }
  }

  package func receive(_ input: Input) -> Subscribers.Demand {
    let waiter = state.withLock { state in
      state.isSubscribed && !state.waiters.isEmpty ? state.waiters.removeFirst() : nil
    }
    waiter?.give(.value(input))
    return .none
  }

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

  package override func cancel() {
    let waiters = close(nil)
    BoundedDelivery.limit { stage.cancel(for: self) }
    for waiter in waiters { waiter.give(.end) }
  }

  /// Notes the end and returns the waiters; if there are none, the failure waits for a later call.
  private func close(_ failure: Failure?) -> [Waiter] {
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

  package var description: String { "AsyncPublisher" }
}
