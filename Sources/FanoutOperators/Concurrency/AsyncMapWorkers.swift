// `@unchecked Sendable` invariant: all state is behind the lock or atomic. An owner may be called from any
// thread; only its type cannot state that.
//
// Relaxed store: invariant: `isCalling` is a hint. It is set under the lock, and cleared outside of it by the
// worker that set it. A thread that still reads the old value starts a worker that was not needed.

public import FanoutCore
public import FanoutEngine
public import Synchronization

/// The tasks of one `asyncMap` subscription.
///
/// A worker takes one waiting value after the other and ends when none waits. It retains this object and the
/// closure, and not the subscription: a closure that ignores a cancel keeps nothing else alive. While there
/// are workers, this object retains the subscription, so that results arrive even if nothing else does.
@_fixed_layout
@usableFromInline
package final class AsyncMapWorkers<Input: Sendable, Failure: Error, Downstream: Subscriber>:
  @unchecked Sendable
{
  @usableFromInline package typealias Owner = AsyncMapSubscription<Input, Failure, Downstream>
  @usableFromInline package typealias Outcome = Result<Downstream.Input, Downstream.Failure>
  @usableFromInline package typealias Transform = @Sendable (Input) async -> Outcome
  @usableFromInline package typealias Window = AsyncMapWindow<
    Input, Downstream.Input, Downstream.Failure
  >

  @frozen @usableFromInline
  package struct State {
    @usableFromInline package var window: Window
    /// The subscription, while there are workers whose results it awaits.
    @usableFromInline package var owner: Owner?

    @inlinable init(window: Window) { self.window = window }
  }

  /// A worker that was counted and whose task has not started.
  @frozen @usableFromInline
  struct NewWorker: Sendable {
    @usableFromInline let place: Int
    @usableFromInline let number: Int

    @inlinable
    init(place: Int, number: Int) {
      self.place = place
      self.number = number
    }
  }

  @usableFromInline package let state: Lock<State>
  /// Whether a worker is inside the subscriber's `receive`, or in the upstream.
  @usableFromInline let isCalling = AtomicValue<Bool>(false)

  @inlinable
  init(maxConcurrent: Int) {
    state = Lock(State(window: Window(maxConcurrent: maxConcurrent)))
    noteCreation(of: self, isPart: true)
  }

  /// The number of workers that run, and of those that were ever started.
  package var counts: (running: Int, started: Int) {
    state.withLock { ($0.window.count, $0.window.started) }
  }

  /// Accepts a value, and starts a worker if none would take it up.
  @inlinable
  func accept(_ input: Input, for owner: Owner) {
    let new = state.withLock { state -> NewWorker? in
      guard state.window.accept(input) else { return nil }
      return addWorker(to: &state, for: owner)
    }
    if let new { start(new, for: owner) }
  }

  @inlinable
  @inline(__always)
  func addWorker(to state: inout State, for owner: Owner) -> NewWorker? {
    let isCalling = isCalling.load(ordering: .relaxed)
    guard let place = state.window.addWorker(isCalling: isCalling) else { return nil }
    if state.owner == nil { state.owner = owner }
    return NewWorker(place: place, number: state.window.started)
  }

  /// Starts the task of a worker.
  @inlinable
  func start(_ new: NewWorker, for owner: Owner) {
    // After a cancel nothing counts this worker any more.
    guard !owner.isCancelled, let transform = owner.transform.withLock({ $0 }) else { return }
    let place = new.place
    let task = startTask { await self.run(place, transform) }
    let isGivenUp = state.withLock {
      $0.window.note(task, ofWorker: new.number, at: place)
    }
    if isGivenUp { task.cancel() }
  }

  /// The work of one worker.
  @inlinable
  func run(_ worker: Int, _ transform: Transform) async {
    var turns = 0
    while let input = takeValue(worker) {
      complete(worker, await transform(input))
      turns &+= 1
      // A closure that never suspends would keep the thread from all other tasks.
      if turns & (BoundedDelivery.count &- 1) == 0 { await Task.yield() }
    }
  }

  /// Takes the next value that waits, or counts the worker out.
  @inlinable
  func takeValue(_ worker: Int) -> Input? {
    let (input, task, owner) = state.withLock {
      state -> (Input?, Task<Void, Never>?, Owner?) in
      if let input = state.window.takeValue(worker) { return (input, nil, nil) }
      let task = state.window.removeWorker(worker)
      guard state.window.count == 0 else { return (nil, task, nil) }
      defer { state.owner = nil }
      return (nil, task, state.owner)
    }
    withExtendedLifetime((task, owner)) {}
    return input
  }

  @inlinable
  func complete(_ worker: Int, _ outcome: Outcome) {
    switch outcome {
    case .success(let output):
      let owner = state.withLock { state in
        state.window.succeed(worker, output) ? state.owner : nil
      }
      owner?.deliverInWorker()
    case .failure(let error): fail(worker, error)
    }
  }

  @inlinable
  @inline(never)
  func fail(_ worker: Int, _ error: Downstream.Failure) {
    let (owner, abandoned) = state.withLock { state -> (Owner?, Window.Abandoned?) in
      let abandoned = state.window.fail(worker, error)
      return (abandoned == nil ? nil : state.owner, abandoned)
    }
    guard let abandoned else { return }
    owner?.cancelUpstream()
    abandoned.cancelTasks()
    owner?.deliverInWorker()
  }

  /// Takes the next thing to deliver, and the worker to start before it is delivered.
  @inlinable
  @inline(__always)
  func supply(isRequested: Bool, inWorker: Bool, for owner: Owner) -> (Window.Supply, NewWorker?) {
    state.withLock { state in
      let supply = state.window.supply(isRequested: isRequested)
      guard inWorker, case .result = supply else { return (supply, nil) }
      isCalling.store(true, ordering: .relaxed)
      return (supply, addWorker(to: &state, for: owner))
    }
  }

  /// Notes that the worker that delivers is back, or will be before long.
  @inlinable
  @inline(__always)
  func didCall() { isCalling.store(false, ordering: .relaxed) }

  /// Accepts the end of the upstream; returns whether it is the first one.
  @inlinable
  func finish(_ end: Subscribers.Completion<Downstream.Failure>) -> Bool {
    state.withLock { $0.window.finish(end) }
  }

  /// Gives up all values and the owner; the caller cancels the tasks and releases everything.
  @inlinable
  func abandonAll() -> (Window.Abandoned, Owner?) {
    state.withLock { state in
      defer { state.owner = nil }
      return (state.window.abandonAll(), state.owner)
    }
  }
}

@available(*, unavailable)
extension AsyncMapWorkers.State: Sendable {}
