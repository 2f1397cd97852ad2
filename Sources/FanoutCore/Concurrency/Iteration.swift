// `@unchecked Sendable` invariant: all state is behind the lock; a subscription may be called from any
// thread, and only cannot say so.

internal import FanoutEngine

/// One iteration of an asynchronous sequence, in a task of its own, which asks for an element when
/// there is credit for it.
///
/// The task keeps the subscription only while there is credit. Without credit it waits here.
final class Iteration<Elements: AsyncSequence & Sendable, Downstream: Subscriber>:
  @unchecked Sendable
where Downstream.Input == Elements.Element, Downstream.Failure == Elements.Failure {
  typealias Owner = AsyncSequenceSubscription<Elements, Downstream>
  private typealias Waiter = Answer<Owner?>

  private struct State {
    /// What is iterated, until the task starts.
    var elements: Elements?
    var credit = Credit.none
    /// Who has given credit that the task has not seen.
    var owner: Owner?
    var waiter: Waiter?
    var task: Task<Void, Never>?
    var isOver = false
    var isCancelled = false
  }

  private let state: Lock<State>

  init(_ elements: Elements) {
    state = Lock(State(elements: elements))
    noteCreation(of: self, isPart: true)
  }

  /// Allows more elements; the first time, starts the task.
  func add(_ credit: Credit, for owner: Owner) {
    guard credit != .none else { return }
    let (waiter, elements) = state.withLock { state -> (Waiter?, Elements?) in
      guard !state.isOver else { return (nil, nil) }
      state.credit = state.credit + credit
      defer {
        if state.waiter == nil { state.owner = owner }
        state.waiter = nil
        state.elements = nil
      }
      return (state.waiter, state.elements)
    }
    waiter?.give(owner)
    if let elements { start(elements) }
  }

  private func start(_ elements: Elements) {
    let task = startTask { await self.run(elements) }
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
  /// A function of its own, so that nothing keeps the subscription while this waits for the next.
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

  /// Uses up the credit for one element, if there is any.
  private func takeCredit() -> Bool {
    state.withLock { state in
      guard state.credit != .none, !state.isOver else { return false }
      state.credit = state.credit.afterOne
      return true
    }
  }

  /// Waits for credit and returns who has given it, or nil when that will not be any more.
  private func nextOwner() async -> Owner? {
    let waiter = Waiter()
    let (owner, waits) = state.withLock { state -> (Owner?, Bool) in
      defer { state.owner = nil }
      // Credit that was used up already leaves an owner too, who is harmless.
      guard state.owner == nil, !state.isOver else { return (state.owner, false) }
      state.waiter = waiter
      return (nil, true)
    }
    return waits ? await waiter.wait(isolation: nil) : owner
  }

  /// Stops the task wherever it is.
  func cancel() { close(isCancel: true)?.cancel() }

  /// Stops a task that waits for credit, and leaves one alone that has just brought the end: the
  /// subscriber's code may be running in it.
  func end() { _ = close(isCancel: false) }

  private func close(isCancel: Bool) -> Task<Void, Never>? {
    let old = state.withLock { state in
      let old = state
      state = State(isOver: true, isCancelled: old.isCancelled || isCancel)
      return old
    }
    old.waiter?.give(nil)
    return old.task
  }
}

extension Iteration: ReferenceListing {
  package var heldReferences: [HeldReference] {
    let (elements, owner) = state.withLock { ($0.elements, $0.owner) }
    return (elements.map { [.value("state.elements", $0)] } ?? [])
      + (owner.map { [.value("state.owner", $0)] } ?? [])
  }
}
