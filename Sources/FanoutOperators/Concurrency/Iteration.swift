// `@unchecked Sendable` invariant: all state is behind the lock; that includes `elements`. A
// subscription may be called from any thread; only its type cannot state that.
//
// Unsafe cast: an owner in the state is a subscription to these elements.

internal import FanoutCore
package import FanoutEngine

/// The state of an iteration, whatever it iterates.
package struct IterationState {
  var credit = Credit.none
  /// The subscription that has added credit which the task has not seen.
  package var owner: DrainedSource?
  var waiter: OneShot<DrainedSource?>?
  var task: Task<Void, Never>?
  var hasStarted = false
  var isOver = false
  var isCancelled = false
}

/// One iteration of an asynchronous sequence, in a task of its own, which requests an element when
/// there is credit for it.
///
/// The task retains the subscription only while there is credit. Without credit it waits here.
package final class Iteration<Elements: AsyncSequence & Sendable>: @unchecked Sendable {
  package typealias Owner = AsyncSequenceSubscription<Elements>

  package let state = Lock(IterationState())
  /// The sequence to iterate, until the task starts.
  @exclusivity(unchecked) package var elements: Elements?
  private let kind: TaskKind
  private let only: SingleIteration?

  init(_ elements: Elements, in kind: TaskKind, only: SingleIteration?) {
    self.elements = elements
    self.kind = kind
    self.only = only
    noteCreation(of: self, isPart: true)
  }

  /// Allows more elements; the first call starts the task.
  func add(_ credit: Credit, for owner: Owner) {
    guard credit != .none else { return }
    var first: Elements?
    let waiter = state.withLock { state -> OneShot<DrainedSource?>? in
      guard !state.isOver else { return nil }
      state.credit = state.credit + credit
      if state.waiter == nil { state.owner = owner }
      if !state.hasStarted {
        state.hasStarted = true
        swap(&first, &elements)
      }
      return state.waiter.take()
    }
    waiter?.give(owner)
    if let first { start(first) }
  }

  private func start(_ elements: Elements) {
    only?.begin()
    let task = startTask(kind) { await self.run(elements) }
    let isCancelled = state.withLock { state in
      if !state.isOver { state.task = task }
      return state.isCancelled
    }
    if isCancelled { task.cancel() }
  }

  private func run(_ elements: Elements) async {
    var iterator: Elements.AsyncIterator? = nil
    while await serve(&iterator, elements) {}
  }

  /// Waits for credit and uses it up; returns whether that can happen again.
  ///
  /// It is a function of its own, so that nothing retains the subscription while the task waits for
  /// the next credit.
  private func serve(_ iterator: inout Elements.AsyncIterator?, _ elements: Elements) async -> Bool
  {
    guard let owner = await nextOwner() else { return false }
    var current = iterator ?? elements.makeAsyncIterator()
    defer { iterator = current }
    while takeCredit() {
      do throws(Elements.Failure) {
        guard let element = try await current.next(isolation: nil) else {
          owner.end(.finished)
          return false
        }
        owner.add(element)
      } catch {
        owner.end(.failure(error))
        return false
      }
    }
    return true
  }

  /// Uses up the credit for one element; returns whether there was any.
  private func takeCredit() -> Bool {
    state.withLock { state in
      guard state.credit != .none, !state.isOver else { return false }
      state.credit = state.credit.afterOne
      return true
    }
  }

  /// Waits for credit and returns the subscription that has added it, or nil if none will be added
  /// any more.
  private func nextOwner() async -> Owner? {
    let waiter = OneShot<DrainedSource?>()
    let (known, waits) = state.withLock { state -> (DrainedSource?, Bool) in
      defer { state.owner = nil }
      // Credit that was used up already leaves an owner too, which is harmless.
      guard state.owner == nil, !state.isOver else { return (state.owner, false) }
      state.waiter = waiter
      return (nil, true)
    }
    let owner = waits ? await waiter.wait(isolation: nil) : known
    return owner.map { unsafeDowncast($0, to: Owner.self) }
  }

  /// Stops the task, whatever it is doing.
  func cancel() { close(isCancel: true)?.cancel() }

  /// Stops a task that waits for credit, but not one that has just brought the end: the
  /// subscriber's code may be running in it.
  func end() { _ = close(isCancel: false) }

  private func close(isCancel: Bool) -> Task<Void, Never>? {
    var unused: Elements?
    let old = state.withLock { state in
      let old = state
      state = IterationState(isOver: true, isCancelled: old.isCancelled || isCancel)
      swap(&unused, &elements)
      return old
    }
    withExtendedLifetime(unused) {}
    old.waiter?.give(nil)
    return old.task
  }
}
