// `@unchecked Sendable` invariant: everything that changes is in `stage`, `state`, `isPullable` and
// `holdsValue`, which are safe to use from any thread, or is `failure`, which is reached under the
// lock of `state` only. One thread takes an answer or tasks out under the lock; it resumes the
// tasks after the lock. `slot` belongs to the thread that has set `holdsValue`, and with the answer
// to the call that fetches the value; it is initialised from then on.
//
// Unsafe casts: `pullSource` is set to a `PullSource` of this input only, and a boxed value is one
// of this input.

public import FanoutCore
public import FanoutEngine
public import Synchronization

/// The answer to a call of `next()`.
package enum AwaitedAnswer {
  /// A value, which lies in `AwaitedValues`.
  case value
  /// A value in a box, because another call has not fetched its value yet.
  case boxed(AnyObject)
  /// The failure, which lies in `AwaitedValues`.
  case failure
  case end
}

/// A call of `next()` that waits for its answer.
package struct AwaitedCall {
  let place: PendingCalls<AwaitedAnswer>.Call
  /// Whether its request is still to be made.
  var asks: Bool
}

/// The beginning of a call of `next()`.
package enum AwaitedBeginning {
  case answered(AwaitedAnswer)
  case waiting(AwaitedCall)
}

/// The state of an `AwaitedValues`, whatever its values are.
package struct AwaitedState {
  package var calls = PendingCalls<AwaitedAnswer>()
  var isSubscribed = false
  /// Whether a request to the source returns before long.
  var isSelfContained = false
  package var isOver = false
  /// Whether the failure arrived while no call waited.
  var failureWaits = false
}

/// The subscriber behind an asynchronous iterator, which requests a value for each call of
/// `next()`, or takes it out of a source that has its values at hand.
///
/// It keeps no value that was not requested.
///
/// It is compiled once, in the library: a call waits for an answer, whose type is not made of the
/// value's, and then the value is moved from one place to another.
@usableFromInline
package class AwaitedReceiver<Input, Failure: Error>: SubscribedNode<Input, Failure>,
  @unchecked Sendable
{
  package final let stage = ReceiverStage(ReceiverBody())
  package final let state = Lock(AwaitedState())
  /// The memory for the value of a call that has not fetched it yet.
  @exclusivity(unchecked) package final var slot: UnsafeMutablePointer<Input>?
  /// Whether there is such a value.
  final let holdsValue = AtomicValue<Bool>(false)
  /// The failure, until a call has fetched it.
  @exclusivity(unchecked) package final var failure: Failure?
  /// Whether values can be taken out of the source without a delivery; false again when this is
  /// over.
  @usableFromInline final let isPullable = AtomicValue<Bool>(false)
  /// The stage's source, if values can be taken out of it: set before `isPullable`, and released
  /// with this object.
  ///
  /// So a value needs no user of the stage. A source that is over has released everything but
  /// itself.
  @usableFromInline package final let pullSource = AtomicReference()

  init() { super.init(isPart: false) }

  deinit {
    if holdsValue.load(ordering: .acquiring) { slot?.deinitialize(count: 1) }
    slot?.deallocate()
  }

  /// Takes a value out of the source or requests one, and waits for it.
  ///
  /// If the task is cancelled before or meanwhile, it cancels the upstream.
  @inlinable
  final func next(isolation actor: isolated (any Actor)?) async throws(Failure) -> Input? {
    if Task.isCancelled { cancel() }
    if let value = pull() { return value }
    return try await awaitNext(isolation: actor)
  }

  /// Takes a value out of a source that has its values at hand: no call has to wait for it.
  @inlinable
  package final func pull() -> Input? {
    guard isPullable.load(ordering: .acquiring) else { return nil }
    return BoundedDelivery.limit {
      var value: Input?
      pullSource.withObject {
        unsafeDowncast($0, to: PullSource<Input>.self).pull {
          isPullable.load(ordering: .acquiring)
        } _: {
          value = $0
        }
      }
      return value
    }
  }

  /// Waits for the next value, which cannot be pulled.
  @usableFromInline
  final func awaitNext(isolation actor: isolated (any Actor)?) async throws(Failure) -> Input? {
    let answer: AwaitedAnswer =
      switch begin() {
      case .answered(let answer): answer
      case .waiting(let call): await self.answer(to: call, isolation: actor).value
      }
    return try fetch(answer)
  }

  /// Begins a call of `next()`, which has its answer at once if the source answers within the
  /// request.
  package func begin() -> AwaitedBeginning {
    let (beginning, isSelfContained) = addCall()
    guard isSelfContained, case .waiting(var call) = beginning else { return beginning }
    // No handler of a cancel is needed meanwhile: such a request returns before long.
    request()
    call.asks = false
    guard case .first = call.place, let answer = take(for: call) else { return .waiting(call) }
    return .answered(answer)
  }

  /// Waits for the answer to a call; makes the request first, if that is still to be done.
  ///
  /// If the task is cancelled meanwhile, it cancels the upstream.
  func answer(
    to call: AwaitedCall, isolation actor: isolated (any Actor)?
  ) async -> UnsafeTransfer<AwaitedAnswer> {
    await withTaskCancellationHandler {
      if call.asks { request() }
      return UnsafeTransfer(await result(of: call, isolation: actor))
    } onCancel: {
      cancel()
    }
  }

  /// Requests one value and waits for it, whether or not the task is cancelled.
  func nextDespiteCancel(isolation actor: isolated (any Actor)?) async throws(Failure) -> Input? {
    switch ask() {
    case .answered(let answer): return try fetch(answer)
    case .waiting(let call): return try fetch(await result(of: call, isolation: actor))
    }
  }

  /// Requests one value and waits for it; returns nil if the task is cancelled before there is one.
  func nextUnlessCancelled(
    isolation actor: isolated (any Actor)?
  ) async throws(Failure) -> Input? {
    switch ask() {
    case .answered(let answer): return try fetch(answer)
    case .waiting(let call): return try fetch(await answer(to: call, isolation: actor).value)
    }
  }

  /// Begins a call and makes its request.
  package func ask() -> AwaitedBeginning {
    let beginning = addCall().beginning
    guard case .waiting(var call) = beginning, call.asks else { return beginning }
    request()
    call.asks = false
    return .waiting(call)
  }

  /// Takes the answer to a call, if there is one.
  package func take(for call: AwaitedCall) -> AwaitedAnswer? {
    switch call.place {
    case .first: state.withLock { $0.calls.take() }
    case .overlapping(let place): place.take()
    }
  }

  /// Fetches what an answer stands for; called once for each.
  package func fetch(_ answer: AwaitedAnswer) throws(Failure) -> Input? {
    switch answer {
    case .value: return fetchValue()
    case .boxed(let box): return unsafeDowncast(box, to: ReceiverBox<Input>.self).receiver
    case .failure: throw fetchFailure()
    case .end: return nil
    }
  }

  private func fetchValue() -> Input {
    defer { holdsValue.store(false, ordering: .releasing) }
    return slot.unsafelyUnwrapped.move()
  }

  private func fetchFailure() -> Failure {
    var taken: Failure?
    state.withLock { _ in swap(&taken, &failure) }
    guard let taken else {
      preconditionFailure("A failure waits for the call that it was given to, and is fetched once.")
    }
    return taken
  }

  private func addCall() -> (beginning: AwaitedBeginning, isSelfContained: Bool) {
    state.withLock { state in
      guard !state.isOver else {
        // Only one call receives the failure; later ones receive the end.
        defer { state.failureWaits = false }
        return (.answered(state.failureWaits ? .failure : .end), false)
      }
      // Without a subscription yet, the arrival of the subscription makes the request.
      let call = AwaitedCall(place: state.calls.begin(), asks: state.isSubscribed)
      return (.waiting(call), state.isSubscribed && state.isSelfContained)
    }
  }

  private func request() { BoundedDelivery.limit { stage.request(Credit(rawValue: 1)) } }

  private func result(
    of call: AwaitedCall, isolation actor: isolated (any Actor)?
  ) async -> AwaitedAnswer {
    await call.place.result(isolation: actor) { body in state.withLock { body(&$0.calls) } }
  }

  package override func receive(subscription: any Subscription) {
    let source = deliverySource(of: subscription)
    guard stage.attach(source, for: self) else { return }
    let asked = noteSource(source)
    if asked != .none { stage.request(asked) }
  }

  /// Accepts a source that has its values at hand, without receiving a subscription.
  ///
  /// Only the source calls this. So no subscriber is in between that forwards the source and
  /// changes the values.
  package override func _fuse(_ source: DeliverySource) -> Credit? {
    guard source is PullSource<Input> else { return nil }
    guard stage.attach(source, for: self) else { return Credit.none }
    pullSource.setAlone(source)
    isPullable.store(true, ordering: .releasing)
    return noteSource(source)
  }

  /// Notes the source; returns the credit to request for the calls that came before it.
  private func noteSource(_ source: DeliverySource) -> Credit {
    state.withLock { state in
      guard !state.isSubscribed else { return .none }
      state.isSubscribed = true
      state.isSelfContained = source.isSelfContained
      return Credit(rawValue: UInt(state.calls.count))
    }
  }

  package override func receive(_ input: Input) -> Subscribers.Demand {
    let resumption = state.withLock { state -> CallResumption? in
      guard state.isSubscribed, state.calls.count > 0 else { return nil }
      return state.calls.give(keep(input))
    }
    resumption?.resume()
    return .none
  }

  /// Keeps a value for the call that is given the answer.
  private func keep(_ input: consuming Input) -> AwaitedAnswer {
    guard !holdsValue.exchange(true, ordering: .acquiringAndReleasing) else {
      return .boxed(ReceiverBox(input))
    }
    let slot = slot ?? .allocate(capacity: 1)
    slot.initialize(to: input)
    self.slot = slot
    return .value
  }

  package override func receive(completion: Subscribers.Completion<Failure>) {
    guard stage.finish(for: self, taking: { _ in true }) ?? false else { return }
    var failure: Failure? = nil
    if case .failure(let error) = completion { failure = error }
    for resumption in close(failure) { resumption.resume() }
  }

  /// Cancels the upstream, and answers the calls that wait.
  final func stop() {
    let resumptions = close(nil)
    BoundedDelivery.limit { stage.cancel(for: self) }
    for resumption in resumptions { resumption.resume() }
  }

  /// Notes the end, and gives it to the calls that wait; if there are none, the failure waits for a
  /// later call.
  private func close(_ failure: Failure?) -> [CallResumption] {
    var old: Failure?
    let resumptions = state.withLock { state in
      if state.failureWaits { swap(&old, &self.failure) }
      // If a cancel came first, the failure is dropped.
      state.failureWaits = failure != nil && !state.isOver
      if state.failureWaits { self.failure = failure }
      state.isOver = true
      // Under the lock: a value that is dropped because this is over is followed by no other.
      isPullable.store(false, ordering: .releasing)
      var resumptions: [CallResumption] = []
      while let resumption = state.calls.give(state.failureWaits ? .failure : .end) {
        resumptions.append(resumption)
        // Only the first call receives the failure; the others, and later ones, receive the end.
        state.failureWaits = false
      }
      return resumptions
    }
    withExtendedLifetime(old) {}
    return resumptions
  }
}

/// The same subscriber with what a loop does not call.
package final class AwaitedValues<Input, Failure: Error>: AwaitedReceiver<Input, Failure>,
  Cancellable, CustomStringConvertible, @unchecked Sendable
{
  package override func cancel() { stop() }

  package var description: String { "AsyncPublisher" }
}
