// `@unchecked Sendable` invariant: everything that changes is in `stage`, `state` and `isPullable`, which are
// safe to use from any thread. One thread takes a value or tasks out under the lock; it resumes the tasks after
// the lock. Unsafe cast: `pullSource` is set to a `PullSource` of this input only.

public import FanoutCore
public import FanoutEngine
public import Synchronization

/// The subscriber behind an asynchronous iterator, which requests a value for each call of `next()`, or takes
/// it out of a source that has its values at hand.
///
/// It keeps no value that was not requested.
@_fixed_layout
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

  /// A call of `next()` that waits for its result.
  @frozen @usableFromInline
  package struct Call {
    @usableFromInline package let place: PendingCalls<Event>.Call
    /// Whether its request is still to be made.
    @usableFromInline let asks: Bool

    @inlinable
    init(_ place: PendingCalls<Event>.Call, asks: Bool) {
      self.place = place
      self.asks = asks
    }
  }

  /// The beginning of a call of `next()`.
  @usableFromInline
  package enum Beginning {
    case result(Event)
    case waiting(Call)
  }

  @frozen @usableFromInline
  package struct State {
    @usableFromInline package var calls = PendingCalls<Event>()
    @usableFromInline var isSubscribed = false
    /// Whether a request to the source returns before long.
    @usableFromInline var isSelfContained = false
    @usableFromInline package var isOver = false
    /// The failure that arrived while no call waited.
    @usableFromInline package var failure: Failure?

    @inlinable init() {}
  }

  @usableFromInline package let stage = ReceiverStage(UpstreamBody())
  @usableFromInline package let state = Lock(State())
  /// Whether values can be taken out of the source without a delivery; false again when this is over.
  @usableFromInline let isPullable = AtomicValue<Bool>(false)
  /// The stage's source, if values can be taken out of it: set before `isPullable`, and released with this object.
  ///
  /// So a value needs no user of the stage. A source that is over has released everything but itself.
  @usableFromInline package let pullSource = AtomicLazyReference()

  @inlinable
  init() { super.init() }

  /// Begins a call of `next()`, which has its result at once if the source has its values at hand, or answers
  /// within the request.
  ///
  /// If the task is cancelled, it cancels the upstream.
  @inlinable
  package func begin() -> Beginning {
    if Task.isCancelled { cancel() }
    if let value = pull() { return .result(.value(value)) }
    let (beginning, isSelfContained) = addCall()
    guard isSelfContained, case .waiting(let call) = beginning else { return beginning }
    // No handler of a cancel is needed meanwhile: such a request returns before long.
    request()
    if case .first = call.place, let event = state.withLock({ $0.calls.take() }) {
      return .result(event)
    }
    return .waiting(Call(call.place, asks: false))
  }

  /// Takes a value out of a source that has its values at hand: no call has to wait for it.
  @inlinable
  @inline(__always)
  func pull() -> Input? {
    guard isPullable.load(ordering: .acquiring) else { return nil }
    return BoundedDelivery.limit {
      var value: Input?
      pullSource.withObject {
        value = unsafeDowncast($0, to: PullSource<Input>.self).pull {
          isPullable.load(ordering: .acquiring)
        }
      }
      return value
    }
  }

  /// Waits for the result of a call; makes the request first, if that is still to be done.
  ///
  /// If the task is cancelled meanwhile, it cancels the upstream.
  @inlinable
  func end(_ call: Call, isolation actor: isolated (any Actor)?) async -> UnsafeTransfer<Event> {
    await withTaskCancellationHandler {
      if call.asks { request() }
      return UnsafeTransfer(await result(of: call, isolation: actor))
    } onCancel: {
      cancel()
    }
  }

  /// Waits for the result of a call whose request was made.
  ///
  /// If the task is cancelled meanwhile, it cancels the upstream.
  @inlinable
  func end(asked call: Call, isolation actor: isolated (any Actor)?) async -> Event {
    await end(Call(call.place, asks: false), isolation: actor).value
  }

  /// Requests one value and waits for it, whether or not the task is cancelled.
  @inlinable
  func nextDespiteCancel(isolation actor: isolated (any Actor)?) async throws(Failure) -> Input? {
    switch ask() {
    case .result(let event): return try Self.value(of: event)
    case .waiting(let call): return try Self.value(of: await result(of: call, isolation: actor))
    }
  }

  /// Requests one value and waits for it; returns nil if the task is cancelled before there is one.
  @inlinable
  func nextUnlessCancelled(
    isolation actor: isolated (any Actor)?
  ) async throws(Failure) -> Input? {
    switch ask() {
    case .result(let event): return try Self.value(of: event)
    case .waiting(let call):
      return try Self.value(of: await end(asked: call, isolation: actor))
    }
  }

  /// Begins a call and makes its request.
  @inlinable
  package func ask() -> Beginning {
    let beginning = addCall().beginning
    if case .waiting(let call) = beginning, call.asks { request() }
    return beginning
  }

  /// Takes the result of a call, if there is one.
  package func take(for call: Call) -> Event? {
    switch call.place {
    case .first: state.withLock { $0.calls.take() }
    case .overlapping(let place): place.take()
    }
  }

  @inlinable
  static func value(of event: Event) throws(Failure) -> Input? {
    switch event {
    case .value(let value): return value
    case .failure(let failure): throw failure
    case .end: return nil
    }
  }

  @inlinable
  func addCall() -> (beginning: Beginning, isSelfContained: Bool) {
    state.withLock { state in
      guard !state.isOver else {
        // Only one call receives the failure; later ones receive the end.
        defer { state.failure = nil }
        return (.result(state.failure.map { .failure($0) } ?? .end), false)
      }
      // Without a subscription yet, the arrival of the subscription makes the request.
      let call = Call(state.calls.begin(), asks: state.isSubscribed)
      return (.waiting(call), state.isSubscribed && state.isSelfContained)
    }
  }

  @inlinable
  func request() { BoundedDelivery.limit { stage.request(Credit(rawValue: 1)) } }

  @inlinable
  func result(of call: Call, isolation actor: isolated (any Actor)?) async -> Event {
    await call.place.result(isolation: actor) { body in state.withLock { body(&$0.calls) } }
  }

  @inlinable
  package func receive(subscription: any Subscription) {
    let source = deliverySource(of: subscription)
    guard stage.attach(source, for: self) else { return }
    let asked = noteSource(source)
    if asked != .none { stage.request(asked) }
  }

  /// Accepts a source that has its values at hand, without receiving a subscription.
  ///
  /// Only the source calls this. So no subscriber is in between that forwards the source and changes the values.
  @inlinable
  package func _fuse(_ source: DeliverySource) -> Credit? {
    guard source is PullSource<Input> else { return nil }
    guard stage.attach(source, for: self) else { return Credit.none }
    pullSource.setAlone(source)
    isPullable.store(true, ordering: .releasing)
    return noteSource(source)
  }

  /// Notes the source; returns the credit to request for the calls that came before it.
  @inlinable
  func noteSource(_ source: DeliverySource) -> Credit {
    state.withLock { state in
      guard !state.isSubscribed else { return .none }
      state.isSubscribed = true
      state.isSelfContained = source.isSelfContained
      return Credit(rawValue: UInt(state.calls.count))
    }
  }

  @inlinable
  package func receive(_ input: Input) -> Subscribers.Demand {
    let resumption = state.withLock { state in
      state.isSubscribed ? state.calls.give(.value(input)) : nil
    }
    resumption?.resume()
    return .none
  }

  @inlinable
  package func receive(completion: Subscribers.Completion<Failure>) {
    guard stage.finish(for: self, taking: { _ in true }) ?? false else { return }
    var failure: Failure? = nil
    if case .failure(let error) = completion { failure = error }
    for resumption in close(failure) { resumption.resume() }
  }

  @inlinable
  package override func cancel() {
    let resumptions = close(nil)
    BoundedDelivery.limit { stage.cancel(for: self) }
    for resumption in resumptions { resumption.resume() }
  }

  /// Notes the end, and gives it to the calls that wait; if there are none, the failure waits for a later call.
  @inlinable
  func close(_ failure: Failure?) -> [CallResumption] {
    let (resumptions, old) = state.withLock { state in
      let old = state.failure
      // If a cancel came first, the failure is dropped.
      state.failure = state.isOver ? nil : failure
      state.isOver = true
      // Under the lock: a value that is dropped because this is over is followed by no other.
      isPullable.store(false, ordering: .releasing)
      var resumptions: [CallResumption] = []
      while let resumption = state.calls.give(state.failure.map { .failure($0) } ?? .end) {
        resumptions.append(resumption)
        // Only the first call receives the failure; the others, and later ones, receive the end.
        state.failure = nil
      }
      return (resumptions, old)
    }
    withExtendedLifetime(old) {}
    return resumptions
  }

  @usableFromInline package var description: String { "AsyncPublisher" }
}

@available(*, unavailable)
extension AwaitedValues.Event: Sendable {}

@available(*, unavailable)
extension AwaitedValues.Call: Sendable {}

@available(*, unavailable)
extension AwaitedValues.Beginning: Sendable {}

@available(*, unavailable)
extension AwaitedValues.State: Sendable {}
