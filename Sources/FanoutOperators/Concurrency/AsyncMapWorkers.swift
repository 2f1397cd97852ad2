// `@unchecked Sendable` invariant: all state is behind the lock or atomic: the properties marked
// `@exclusivity(unchecked)`, and what is in `inputs`, are reached under the lock of `state` only.
// An owner may be called from any thread; only its type cannot state that.
//
// Unsafe pointers: invariant: a slot of `results` is initialised exactly while the window says that
// its value has a result. A worker's memory for an input is initialised from `takeValue` until the
// input is passed to the closure, and that for an output from the return of the closure until
// `succeed` is over.
//
// Relaxed store: invariant: `isCalling` is a hint. It is set under the lock, and cleared outside of
// it by the worker that set it. A thread that still reads the old value starts a worker that was
// not needed.

package import FanoutCore
package import FanoutEngine
internal import Synchronization

/// The tasks of one `asyncMap` subscription, the values that wait for them, and their results.
///
/// A worker takes one waiting value after the other and ends when none waits. It retains this
/// object and the closure, and not the subscription: a closure that ignores a cancel keeps nothing
/// else alive. While there are workers, this object retains the subscription, so that results
/// arrive even if nothing else does.
package final class AsyncMapWorkers<
  Input: Sendable, Failure: Error, Output, OutputFailure: Error
>: @unchecked Sendable {
  package typealias Owner = AsyncMapSubscription<Input, Failure, Output, OutputFailure>
  /// Throws only if the failure is any error: so no closure is formed around that of the user.
  package typealias Transform = @Sendable (Input) async throws -> Output

  package let state: Lock<AsyncMapWindow>
  /// The values that wait.
  package let inputs = ValueQueue<Input>()
  /// The results by the numbers of their values.
  @exclusivity(unchecked) package var results = ResultRing<Output>()
  /// The end that comes behind all results.
  @exclusivity(unchecked) package var end: Subscribers.Completion<OutputFailure>?
  /// The subscription, while there are workers whose results it awaits.
  @exclusivity(unchecked) package var owner: Owner?
  /// Whether a worker is inside the subscriber's `receive`, or in the upstream.
  let isCalling = AtomicValue<Bool>(false)

  init(maxConcurrent: Int) {
    state = Lock(AsyncMapWindow(maxConcurrent: maxConcurrent))
    noteCreation(of: self, isPart: true)
  }

  deinit {
    for value in state.withLock({ $0.readyValues }) {
      results.slot(of: value).deinitialize(count: 1)
    }
    results.deallocate()
  }

  /// The number of workers that run, and of those that were ever started.
  package var counts: (running: Int, started: Int) { state.withLock { ($0.count, $0.started) } }

  /// Accepts a value, and starts a worker if none would take it up.
  func accept(_ input: Input, for owner: Owner) {
    var new: AsyncMapWindow.NewWorker?
    state.withLock { window in
      guard window.accept() else { return }
      inputs.append(input)
      new = addWorker(to: &window, for: owner)
    }
    if let new { start(new, for: owner) }
  }

  @inline(__always)
  private func addWorker(
    to window: inout AsyncMapWindow, for owner: Owner
  ) -> AsyncMapWindow.NewWorker? {
    let new = window.addWorker(isCalling: isCalling.load(ordering: .relaxed))
    if new != nil, self.owner == nil { self.owner = owner }
    return new
  }

  /// Starts the task of a worker.
  func start(_ new: AsyncMapWindow.NewWorker, for owner: Owner) {
    var known: Transform?
    state.withLock { _ in known = owner.transform }
    // After a cancel nothing counts this worker any more.
    guard !owner.isCancelled, let transform = known else { return }
    let place = new.place
    let task = startTask { await self.run(place, transform) }
    let isGivenUp = state.withLock { $0.note(task, of: new) }
    if isGivenUp { task.cancel() }
  }

  /// The work of one worker.
  private func run(_ worker: Int, _ transform: Transform) async {
    let input = UnsafeMutablePointer<Input>.allocate(capacity: 1)
    let output = UnsafeMutablePointer<Output>.allocate(capacity: 1)
    defer {
      input.deallocate()
      output.deallocate()
    }
    var turns = 0
    while takeValue(worker, to: input) {
      do {
        output.initialize(to: try await transform(input.move()))
        succeed(worker, output)
      } catch {
        if let error = error as? OutputFailure { fail(worker, error) }
      }
      turns &+= 1
      // A closure that never suspends would keep the thread from all other tasks.
      if turns & (BoundedDelivery.count &- 1) == 0 { await Task.yield() }
    }
  }

  /// Moves the next value that waits to memory, or counts the worker out and returns false.
  private func takeValue(_ worker: Int, to slot: UnsafeMutablePointer<Input>) -> Bool {
    var isTaken = false
    var task: Task<Void, Never>?
    var released: AnyObject?
    state.withLock { window in
      if window.takeValue(worker) {
        if results.size < window.ringSize { results.grow(to: window.ringSize, window.readyValues) }
        isTaken = inputs.moveFirst(to: slot)
        return
      }
      task = window.removeWorker(worker)
      if window.count == 0 { (released, owner) = (owner, nil) }
    }
    if isTaken { return true }
    withExtendedLifetime((task, released)) {}
    return false
  }

  /// Moves the result of a worker out of its memory, or releases it if it is not awaited.
  private func succeed(_ worker: Int, _ output: UnsafeMutablePointer<Output>) {
    var isAwaited = false
    var owner: Owner?
    state.withLock { window in
      guard let value = window.succeed(worker) else { return }
      results.slot(of: value).moveInitialize(from: output, count: 1)
      isAwaited = true
      owner = self.owner
    }
    if isAwaited { owner?.deliverInWorker() } else { output.deinitialize(count: 1) }
  }

  @inline(never)
  private func fail(_ worker: Int, _ error: OutputFailure) {
    var abandoned = AbandonedWork<Input, Output, OutputFailure>()
    var isAwaited = false
    var owner: Owner?
    state.withLock { window in
      guard let old = window.fail(worker) else { return }
      isAwaited = true
      moveOut(old, to: &abandoned)
      end = .failure(error)
      owner = self.owner
    }
    guard isAwaited else { return }
    owner?.cancelUpstream()
    abandoned.cancelTasks()
    owner?.deliverInWorker()
  }

  /// Takes the next thing to deliver: moves a result to memory, and sets the worker to start before
  /// it is delivered.
  func supply(
    to slot: UnsafeMutablePointer<Output>, isRequested: Bool, inWorker: Bool, for owner: Owner,
    _ new: inout AsyncMapWindow.NewWorker?
  ) -> AsyncMapWindow.Supply {
    state.withLock { window in
      let supply = window.supply(isRequested: isRequested)
      guard case .result(let value) = supply else { return supply }
      slot.moveInitialize(from: results.slot(of: value), count: 1)
      guard inWorker else { return supply }
      isCalling.store(true, ordering: .relaxed)
      new = addWorker(to: &window, for: owner)
      return supply
    }
  }

  /// Notes that the worker that delivers is back, or will be before long.
  func didCall() { isCalling.store(false, ordering: .relaxed) }

  /// Accepts the end of the upstream; returns whether it is the first one.
  func finish(_ completion: Subscribers.Completion<OutputFailure>) -> Bool {
    state.withLock { window in
      guard window.finish() else { return false }
      end = completion
      return true
    }
  }

  /// Gives up all values and the owner; the caller cancels the tasks and releases everything.
  func abandonAll() -> (AbandonedWork<Input, Output, OutputFailure>, Owner?) {
    var abandoned = AbandonedWork<Input, Output, OutputFailure>()
    var released: Owner?
    state.withLock { window in
      moveOut(window.abandonAll(), to: &abandoned)
      (released, owner) = (owner, nil)
    }
    return (abandoned, released)
  }

  /// Moves out what was given up; called under the lock.
  private func moveOut(
    _ old: AsyncMapWindow.Abandoned, to abandoned: inout AbandonedWork<Input, Output, OutputFailure>
  ) {
    abandoned.tasks = old.tasks
    inputs.swapValues(with: abandoned.inputs)
    for value in old.results { abandoned.results.append(results.slot(of: value).move()) }
    (abandoned.end, end) = (end, nil)
  }
}

/// The objects of values and workers of `asyncMap` that were given up.
struct AbandonedWork<Input, Output, Failure: Error> {
  var tasks: [Task<Void, Never>] = []
  let inputs = ValueQueue<Input>()
  let results = ValueQueue<Output>()
  var end: Subscribers.Completion<Failure>?

  func cancelTasks() { for task in tasks { task.cancel() } }
}

/// Memory for results by the numbers of their values: a ring, whose size is a power of two.
package struct ResultRing<Output> {
  private(set) var size = 0
  private var memory: UnsafeMutablePointer<Output>?

  /// Returns the memory for a result; there is some, unless the size is 0.
  package func slot(of value: Int) -> UnsafeMutablePointer<Output> {
    memory.unsafelyUnwrapped + (value & (size &- 1))
  }

  /// Moves the results of these values to a larger ring.
  mutating func grow(to larger: Int, _ values: [Int]) {
    let old = self
    (memory, size) = (.allocate(capacity: larger), larger)
    for value in values { slot(of: value).moveInitialize(from: old.slot(of: value), count: 1) }
    old.deallocate()
  }

  func deallocate() { memory?.deallocate() }
}
